"""Proves, for every code point, what Hugging Face's tokenizers library makes of it; its tables are older than Unicode's.

usage: unicode_classes.py

Prints one JSON object of ranges [first, last]: removed by the clean-up, turned to a space by it, split off as Chinese,
split off as punctuation, dropped with the accents; and "lower": code point to lower case where that differs.
"""
import json
import sys
from typing import Callable, Iterator

from tokenizers.normalizers import BertNormalizer, Lowercase
from tokenizers.pre_tokenizers import BertPreTokenizer

OFF = {"clean_text": False, "handle_chinese_chars": False, "strip_accents": False, "lowercase": False}
ONLY = ("clean_text", "handle_chinese_chars", "strip_accents")
clean, chinese, accents = (BertNormalizer(**{**OFF, name: True}) for name in ONLY)
lower, splitter = Lowercase(), BertPreTokenizer()

TESTS: dict[str, Callable[[str], bool]] = {
    "removed": lambda c: clean.normalize_str(f"a{c}b") == "ab",
    "space": lambda c: clean.normalize_str(f"a{c}b") == "a b",
    "chinese": lambda c: chinese.normalize_str(f"a{c}b") == f"a {c} b",
    "punctuation": lambda c: [part for part, _ in splitter.pre_tokenize_str(f"a{c}b")] == ["a", c, "b"],
    "accent": lambda c: accents.normalize_str(f"a{c}b") == "ab",
}


def scalars() -> Iterator[int]:
    """Every code point but the surrogates."""
    yield from range(0xD800)
    yield from range(0xE000, 0x110000)


def ranges(test: Callable[[str], bool]) -> list[list[int]]:
    """Where the test holds."""
    found: list[list[int]] = []
    for code in filter(lambda code: test(chr(code)), scalars()):
        if found and found[-1][1] == code - 1:
            found[-1][1] = code
        else:
            found.append([code, code])
    return found


if __name__ == "__main__":
    if len(sys.argv) != 1:
        sys.exit(__doc__)
    classes: dict[str, object] = {name: ranges(test) for name, test in TESTS.items()}
    classes["lower"] = {str(code): small for code in scalars() if (small := lower.normalize_str(chr(code))) != chr(code)}
    print(json.dumps(classes, sort_keys=True))
