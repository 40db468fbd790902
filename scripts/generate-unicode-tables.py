"""Writes the Unicode tables of Sources/Tokenization/Unicode from what Hugging Face's library does.

usage: generate-unicode-tables.py OUTPUT_FOLDER

A tokenizer must cut text exactly as the one its model was trained with. That library (tokenizers)
carries the character tables of several Unicode versions at once, Swift's standard library those of
another one, and both move. So nothing is taken from either's documentation: every scalar is put
through the library's own parts and what comes out is written down as ranges. Needs the package
tokenizers (pinned in scripts/oracles/requirements.txt).
"""
import pathlib
import sys

import tokenizers
from swift_tables import mapping_items, range_items, runs, span, swift
from swift_tables import write as write_table
from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers

SCALARS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
HANGUL = range(0xAC00, 0xD7A4)


def bert(**flags: bool) -> normalizers.BertNormalizer:
    """A BertNormalizer that does only what is named."""
    off = dict(clean_text=False, handle_chinese_chars=False, strip_accents=False, lowercase=False)
    return normalizers.BertNormalizer(**{**off, **flags})


def image(normalizer: normalizers.Normalizer) -> dict[int, str]:
    """What a normalizer makes of each scalar that it changes."""
    return {c: t for c in SCALARS if (t := normalizer.normalize_str(chr(c))) != chr(c)}


def pieces(pre_tokenizer: pre_tokenizers.PreTokenizer, c: int) -> list[str]:
    """The pieces of "a", the scalar, "a"."""
    return [piece for piece, _ in pre_tokenizer.pre_tokenize_str(f"a{chr(c)}a")]


def words() -> list[int]:
    """Scalars that bar a `single_word` token from matching right after them."""
    tokenizer = Tokenizer(models.WordPiece({"[UNK]": 0}, unk_token="[UNK]"))
    tokenizer.add_tokens([AddedToken("TOKEN", single_word=True, normalized=False)])
    return [c for c in SCALARS if 1 not in tokenizer.encode(f"{chr(c)}TOKEN").ids]


def combining_classes() -> dict[int, int]:
    """The canonical combining class of every scalar that has one, found by what NFD swaps."""
    import unicodedata

    nfd = normalizers.NFD().normalize_str
    decomposed = set(image(normalizers.NFD()))
    low, high = "\u0334", "\u0345"  # of classes 1 and 240, the outermost
    # One mark of each class to compare with, from those that the library knows as marks.
    reference = {1: low, 240: high}
    for c in SCALARS:
        t = chr(c)
        if c not in decomposed and (k := unicodedata.combining(t)) and nfd(high + t) == t + high:
            reference.setdefault(k, t)
    classes = {}
    for c in SCALARS:
        t = chr(c)
        if c in decomposed or (nfd(t + low) == t + low and nfd(high + t) == high + t):
            continue
        swapped = [k for k, r in reference.items() if r != t and nfd(r + t) == t + r]  # above
        kept = [k for k, r in reference.items() if nfd(t + r) == t + r]  # not below
        found = set(kept) - set(swapped)
        assert len(found) == 1, (hex(c), found)
        classes[c] = found.pop()
    assert classes[ord(low)] == 1 and classes[ord(high)] == 240
    return classes


def matched(pattern: str) -> list[int]:
    """Scalars that a regular expression for one character matches."""
    found = image(normalizers.Replace(Regex(pattern), ""))
    assert set(found.values()) <= {""}
    return list(found)


def cases(letters: list[int]) -> tuple[list[int], list[int], list[int]]:
    """Capitals (Lu, Lt), small letters (Ll) and marks (M), as the patterns of byte pairs ask for them."""
    capitals, small, marks = matched(r"[\p{Lu}\p{Lt}]"), matched(r"\p{Ll}"), matched(r"\p{M}")
    others = matched(r"[\p{Lm}\p{Lo}]")
    assert sorted(capitals + small + others) == letters and not set(marks) & set(letters)
    return capitals, small, marks


def check_contractions() -> None:
    """Without regard to case, only a long s is one more letter of 's, 't, 're, 've, 'm, 'll, 'd."""
    found = matched(r"(?i:[stmd])")
    assert found == sorted([*map(ord, "stmdSTMD"), 0x17F])
    for word in ("re", "ve", "ll"):
        for place, letter in enumerate(word):
            pattern = pre_tokenizers.Split(Regex(f"(?i:{word})"), "removed", False)
            fits = [c for c in SCALARS if not pattern.pre_tokenize_str(word[:place] + chr(c) + word[place + 1 :])]
            assert fits == [ord(letter.upper()), ord(letter)], word


def digits() -> list[int]:
    """Scalars that the part Digits cuts around."""
    return [c for c in SCALARS if pieces(pre_tokenizers.Digits(individual_digits=True), c) == ["a", chr(c), "a"]]


def composition_exclusions(nfd: dict[int, str]) -> list[int]:
    """Scalars that decompose and are not put together again."""
    nfc = image(normalizers.NFC())
    composed = normalizers.NFC().normalize_str
    for c in nfd:
        assert (composed(nfd[c]) == chr(c)) == (c not in nfc), hex(c)
    assert set(nfc) <= set(nfd)
    return sorted(nfc)


def write(path: pathlib.Path, name: str, what: str, tables: list[str]) -> None:
    origin = f"scripts/generate-unicode-tables.py from tokenizers {tokenizers.__version__}"
    write_table(path, origin, name, what, tables)


def main(folder: str) -> None:
    out = pathlib.Path(folder)
    clean, chinese = image(bert(clean_text=True)), image(bert(handle_chinese_chars=True))
    nfd, accents = image(normalizers.NFD()), image(bert(strip_accents=True))
    combining, lower = image(normalizers.StripAccents()), image(normalizers.Lowercase())
    assert lower == image(bert(lowercase=True))
    assert set(clean.values()) <= {"", " "} and all(t == f" {chr(c)} " for c, t in chinese.items())
    assert set(combining.values()) == {""}
    spaces = [c for c in SCALARS if pieces(pre_tokenizers.WhitespaceSplit(), c) == ["a", "a"]]
    # Cleaning leaves a white space out where it is a control character as well (U+000B).
    assert set(spaces) - {32} - {c for c, t in clean.items() if t == ""} == {
        c for c, t in clean.items() if t == " "
    }
    for c in HANGUL:
        lead, vowel, tail = (c - 0xAC00) // 588, (c - 0xAC00) % 588 // 28, (c - 0xAC00) % 28
        expected = chr(0x1100 + lead) + chr(0x1161 + vowel) + (chr(0x11A7 + tail) if tail else "")
        assert nfd.pop(c) == expected
    punctuation = [
        c for c in SCALARS if pieces(pre_tokenizers.BertPreTokenizer(), c) == ["a", chr(c), "a"]
    ]
    # Regular expressions of this library agree with it about white space.
    assert matched(r"\s") == spaces
    letters, numbers = matched(r"\p{L}"), matched(r"\p{N}")
    assert matched(r"[^\s\p{L}\p{N}]") == sorted(set(SCALARS) - {*spaces, *letters, *numbers})
    capitals, small, marks = cases(letters)
    check_contractions()
    exclusions = composition_exclusions(nfd)
    nonspacing = [c for c in SCALARS if c not in nfd and accents.get(c) == ""]
    word = words()
    assert word == [c for c in SCALARS if pieces(pre_tokenizers.Whitespace(), c) == [f"a{chr(c)}a"]]
    classes = [f"{span(a, b)}={k:X}" for a, b, k in runs(combining_classes())]
    write(out / "CharacterClassTables.swift", "CharacterClassTables",
          "Which scalars belong to the classes that tokenisation asks for; ranges in hexadecimal.", [
        swift(range_items(spaces), "whitespace", "Cut at, and made a plain space by cleaning."),
        swift(range_items([c for c, t in clean.items() if t == ""]), "control",
              "Left out by cleaning: control, format, private use, U+0000 and U+FFFD."),
        swift(range_items(punctuation), "punctuation", "Each a piece of its own."),
        swift(range_items(list(chinese)), "ideograph", "Put between spaces."),
        swift(range_items(nonspacing), "nonspacingMark", "Left out when BERT strips accents."),
        swift(range_items(list(combining)), "combiningMark", "Left out by StripAccents."),
        swift(range_items(word), "word", "Word characters, as regular expressions have them."),
        swift(range_items(letters), "letter", "Letters (L), as regular expressions have them."),
        swift(range_items(numbers), "number", "Numbers (N), as regular expressions have them."),
        swift(range_items(capitals), "capital", "Letters in upper and title case (Lu, Lt), as regular expressions have them."),
        swift(range_items(small), "small", "Letters in lower case (Ll), as regular expressions have them."),
        swift(range_items(marks), "mark", "Marks (M), as regular expressions have them."),
        swift(range_items(digits()), "digit", "Numbers, as the part Digits has them."),
        swift(classes, "combiningClass", "Canonical combining classes other than 0."),
    ])
    write(out / "DecompositionTable.swift", "DecompositionTable",
          "Decompositions of scalars.", [
        swift(mapping_items(nfd), "canonical",
              "Full canonical decompositions; Hangul syllables are computed."),
        swift(range_items(exclusions), "notComposed",
              "Scalars that decompose but never result from composition."),
    ])
    write(out / "LowercaseTable.swift", "LowercaseTable", "Scalars in lower case.", [
        swift(mapping_items(lower), "lowercase", "Lower case of single scalars, whatever their neighbours."),
    ])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
