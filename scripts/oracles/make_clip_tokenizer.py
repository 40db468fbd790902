"""Writes the tokenizer.json of CLIP, as transformers makes it from the vocabulary that OpenCLIP carries.

usage: make_clip_tokenizer.py OUT.json [--merges BPE.txt.gz] [--raw]

49,408 entries, the normalizer, the cutting and the special tokens of openai/clip-vit-base-patch32. With --merges from
another list of merges; with --raw the special tokens are looked for in the text as it was given, not in the
normalised one.
"""
import argparse
import gzip
import importlib.util
import pathlib
from types import SimpleNamespace

from tokenizers import AddedToken
from transformers.convert_slow_tokenizer import SLOW_TO_FAST_CONVERTERS
from transformers.models.gpt2.tokenization_gpt2 import bytes_to_unicode

START, END = "<|startoftext|>", "<|endoftext|>"


def default_merges() -> pathlib.Path:
    """The list inside the package open_clip, which is found but not imported: that needs torchvision."""
    spec = importlib.util.find_spec("open_clip")
    return pathlib.Path(spec.submodule_search_locations[0]) / "bpe_simple_vocab_16e6.txt.gz"


def main() -> None:
    """Writes the file."""
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("out")
    parser.add_argument("--merges", type=pathlib.Path, default=default_merges())
    parser.add_argument("--raw", action="store_true")
    options = parser.parse_args()

    lines = gzip.open(options.merges, "rt", encoding="utf-8").read().split("\n")
    merges = [tuple(line.split()) for line in lines[1 : 49152 - 256 - 2 + 1]]
    characters = list(bytes_to_unicode().values())
    tokens = characters + [c + "</w>" for c in characters] + ["".join(merge) for merge in merges] + [START, END]
    encoder = {token: place for place, token in enumerate(tokens)}
    assert len(encoder) == len(tokens)

    slow = SimpleNamespace(
        encoder=encoder, bpe_ranks={merge: rank for rank, merge in enumerate(merges)}, unk_token=END, bos_token=START,
        bos_token_id=encoder[START], eos_token=END, eos_token_id=encoder[END])
    tokenizer = SLOW_TO_FAST_CONVERTERS["CLIPTokenizer"](slow).converted()
    tokenizer.add_special_tokens([AddedToken(token, normalized=not options.raw) for token in (START, END)])
    tokenizer.save(options.out)


if __name__ == "__main__":
    main()
