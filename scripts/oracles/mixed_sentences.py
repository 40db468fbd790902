"""Writes the sentences of the throughput bench: 2,000 distinct ones of realistic mixed length.

usage: mixed_sentences.py OUT.jsonl

Sentences of the repository's reference sets, alone or joined, until a drawn length is reached: most have 6 to 20
words, a few more than 50, as in collections of news, captions and forum titles. Same output on every run.
"""
import json
import math
import random
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "specs" / "examples"
SOURCES = ("minilm/pairs.jsonl", "quickstart/references/pairs.jsonl")
JOINTS = (", and ", ", but ", "; ", " while ", ", because ", " – ", ", so ", ". ", " and then ")
COUNT, SEED, MEDIAN_WORDS, SPREAD, MOST_WORDS = 2000, 1, 6.0, 0.75, 60


def material() -> list[str]:
    """Every sentence of the reference sets once, without its full stop."""
    lines = [line for source in SOURCES for line in (EXAMPLES / source).read_text(encoding="utf-8").splitlines()]
    return list(dict.fromkeys(json.loads(line)[side]["text"].rstrip(".?!") for line in lines for side in "ab"))


def sentence(sentences: list[str], chance: random.Random) -> str:
    """One sentence of at least the drawn number of words."""
    wanted = min(MOST_WORDS, MEDIAN_WORDS * math.exp(chance.gauss(0, SPREAD)))
    text = chance.choice(sentences)
    while len(text.split()) < wanted:
        following = chance.choice(sentences)
        text += chance.choice(JOINTS) + following[0].lower() + following[1:]
    return text + chance.choice((".", ".", ".", "", "!", "?"))


def main(path: str) -> None:
    """Writes the file."""
    sentences, chance = material(), random.Random(SEED)
    found: dict[str, None] = {}
    while len(found) < COUNT:
        found[sentence(sentences, chance)] = None
    with open(path, "w", encoding="utf-8", newline="\n") as output:
        output.writelines(json.dumps({"text": text}, ensure_ascii=False) + "\n" for text in found)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
