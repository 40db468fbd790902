"""Writes Sources/Tokenization/Unicode/GraphemeTables.swift: how Hugging Face's library cuts text into grapheme clusters.

usage: generate-grapheme-tables.py OUTPUT_FOLDER

The normalizer Precompiled replaces a cluster of fewer than six bytes as a whole, by the first entry of its map that the
cluster begins with, and so drops the rest of it; a longer one it replaces scalar by scalar. So a map of one entry shows
where clusters end, and a probe per scalar shows the scalar's class (Unicode Standard Annex 29). Needs tokenizers,
sentencepiece and transformers (pinned in scripts/oracles/requirements.txt).
"""
import io
import pathlib
import sys
import tempfile

from google.protobuf import runtime_version

# The messages of a model are read with whatever version of protobuf is installed.
runtime_version.ValidateProtobufRuntimeVersion = lambda *_: None

import sentencepiece
import tokenizers
from swift_tables import range_items, swift
from swift_tables import write as write_table
from tokenizers import normalizers

SCALARS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
MARK, JOINER, LINKER, LETTER, PICTURE = "\u0301", "\u200d", "\u094d", "\u0915", "\u00a9"


def replacing(source: str):
    """A function that replaces one scalar by Q, cluster by cluster."""
    from transformers.convert_slow_tokenizer import import_protobuf

    model = io.BytesIO()
    with tempfile.TemporaryDirectory() as place:
        rules = pathlib.Path(place) / "rules.tsv"
        rules.write_text(f"{ord(source):X}\t{ord('Q'):X}\n")
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(["a b c d e f g h"]), model_writer=model, vocab_size=14, minloglevel=2,
            normalization_rule_tsv=str(rules), hard_vocab_limit=False)
    proto = import_protobuf().ModelProto()
    proto.ParseFromString(model.getvalue())
    return normalizers.Precompiled(proto.normalizer_spec.precompiled_charsmap).normalize_str


def joined(before: str, after: str, source: str) -> set[int]:
    """Scalars behind which, with texts around them, the source begins no cluster: its mark is not dropped."""
    normalize = replacing(source)
    return {c for c in SCALARS if normalize(f"{before}{chr(c)}{after}{source}{MARK}").endswith(MARK)}


def main(folder: str) -> None:
    only, mark = replacing("a"), replacing(MARK)
    follows = {c for c in SCALARS if only("a" + chr(c)) == "Q" and c != ord("a")}
    control = {c for c in SCALARS if mark(chr(c) + MARK * 2) == chr(c) + "Q"}
    prepend = joined("", "", PICTURE)
    pictographic = joined("", JOINER, PICTURE) - prepend - control
    extend = joined("\U0001F600", JOINER, PICTURE) & follows - {ord(JOINER)}
    lead, vowel, tail = (joined("", "", s) - prepend for s in ("\uac00", "\u1160", "\u11a8"))
    inner = joined(LETTER, LINKER, LETTER) & follows
    assert inner ^ extend == {0x200C, 0x200D}, "which marks may be within a conjunct"
    syllables = set(range(0xAC00, 0xD7A4))
    assert syllables & vowel == set(range(0xAC00, 0xD7A4, 28)) and syllables <= tail
    origin = f"scripts/generate-grapheme-tables.py from tokenizers {tokenizers.__version__}"
    tables = [
        ("control", control, "Joined to nothing: controls, line ends, format characters."),
        ("extend", extend, "Joined to what is before them; U+200D is not among them."),
        ("spacingMark", follows - extend - {ord(JOINER)}, "Spacing marks, joined to what is before them."),
        ("prepend", prepend, "Joined to what is behind them."),
        ("pictographic", pictographic, "Pictures, joined by U+200D to one another."),
        ("consonant", joined("", LINKER, LETTER) - prepend, "Consonants that a linker joins."),
        ("linker", joined(LETTER, "", LETTER) & follows, "Linkers of consonants."),
        ("leadingJamo", lead, "Leading Hangul jamo."),
        ("vowelJamo", (vowel & tail) - lead - syllables, "Hangul jamo of vowels."),
        ("trailingJamo", tail - vowel - syllables, "Trailing Hangul jamo."),
    ]
    write_table(pathlib.Path(folder) / "GraphemeTables.swift", origin, "GraphemeTables",
                "Classes of scalars by which text is cut into grapheme clusters.",
                [swift(range_items(sorted(found)), name, what) for name, found, what in tables])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
