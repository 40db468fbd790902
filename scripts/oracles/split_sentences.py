"""Splits the sentences of the VADER data set into held-out evaluation and calibration sets, and makes random ones.

usage: split_sentences.py hutto_ICWSM_2014.tar.gz VOCAB.txt OUT_DIR

In domain: news editorials, film and product reviews, a third each. Off domain: tweets. No document (article or
review) gives sentences to two sets, and no sentence appears twice, whatever its case and punctuation. Files:

  evaluation.jsonl         2,758 sentences; to report figures on, never to choose anything by
  evaluation-pairs.jsonl   the same in 1,379 reference pairs, each sentence once
  development.jsonl, development-pairs.jsonl    1,000 sentences to choose settings by
  calibration.jsonl        375 sentences of the same genres
  calibration-large.jsonl  1,500, the first 375 of them the same
  off-domain.jsonl         375 tweets
  random-tokens.jsonl      375 lines of words drawn uniformly from the vocabulary
  zipf-tokens.jsonl        375 drawn with chance 1 / rank (the vocabulary is ordered by frequency)

The same output on every run: standard library alone, seeded, no hash order.
"""
import collections
import html
import json
import math
import random
import re
import sys
import tarfile
from pathlib import Path

SEED = 20240607
GENRES = ("nytEditorialSnippets", "movieReviewSnippets", "amazonReviewSnippets")
LEAST_WORDS, MOST_WORDS = 4, 60
# Shares of the documents of a genre, and how many sentences are taken.
SPLITS = {"evaluation": (0.6, 2758), "development": (0.2, 1000), "calibration-large": (0.2, 1500)}
CALIBRATION = 375


def sentences(archive: tarfile.TarFile, genre: str) -> list[tuple[str, str]]:
    """Document and text of every sentence of a genre, in the order of the file."""
    file = archive.extractfile(f"hutto_ICWSM_2014/{genre}_GroundTruth.txt")
    found = []
    for line in file.read().decode("utf-8").splitlines():
        identifier, _, text = line.split("\t", 2)
        text = " ".join(html.unescape(text).replace("''", '"').split())
        if LEAST_WORDS <= len(text.split()) <= MOST_WORDS:
            found.append((identifier.split("_")[0], text))
    return found


def key(text: str) -> str:
    """What two sentences share that differ in case, spaces or punctuation alone."""
    return re.sub(r"[^0-9a-z]+", " ", text.lower()).strip()


def distinct(rows: list[tuple[str, str]], seen: set[str]) -> list[tuple[str, str]]:
    """Rows whose text is not in `seen`, which grows."""
    found = []
    for document, text in rows:
        if key(text) not in seen:
            seen.add(key(text))
            found.append((document, text))
    return found


def parted(rows: list[tuple[str, str]], chance: random.Random) -> dict[str, list[str]]:
    """Sentences of a genre by split, shuffled; a document is in one split only."""
    documents = list(dict.fromkeys(document for document, _ in rows))
    chance.shuffle(documents)
    result, start = {}, 0
    for name, (share, _) in SPLITS.items():
        end = start + math.ceil(share * len(documents))
        inside = set(documents[start:end])
        result[name] = [text for document, text in rows if document in inside]
        chance.shuffle(result[name])
        start = end
    return result


def interleaved(parts: list[list[str]], count: int) -> list[str]:
    """One of each genre in turn."""
    each = [part[: math.ceil(count / len(parts))] for part in parts]
    if any(len(part) < math.ceil(count / len(parts)) for part in each):
        sys.exit(f"too few sentences: {[len(part) for part in each]} for {count}")
    return [text for row in zip(*each) for text in row][:count]


def vectors(texts: list[str]) -> list[dict[str, float]]:
    """Unit vectors of word counts weighted by rarity."""
    words = [collections.Counter(key(text).split()) for text in texts]
    frequency = collections.Counter(word for counts in words for word in counts)
    rows = []
    for counts in words:
        row = {word: count * math.log(len(texts) / frequency[word]) for word, count in counts.items()}
        norm = math.sqrt(sum(value * value for value in row.values())) or 1
        rows.append({word: value / norm for word, value in row.items()})
    return rows


def paired(texts: list[str], chance: random.Random) -> list[tuple[str, str]]:
    """Every text in one pair: half of the pairs share words, the most similar first, half are drawn."""
    rows, index = vectors(texts), collections.defaultdict(list)
    scores = []
    for place, row in enumerate(rows):
        near = collections.defaultdict(float)
        for word, value in row.items():
            for other, theirs in index[word]:
                near[other] += value * theirs
            index[word].append((place, value))
        scores += [(score, other, place) for other, score in near.items() if score > 0.05]
    free, pairs = set(range(len(texts))), []
    for _, a, b in sorted(scores, key=lambda item: (-round(item[0], 9), item[1], item[2])):
        if len(pairs) < len(texts) // 4 and a in free and b in free:
            free -= {a, b}
            pairs.append((texts[a], texts[b]))
    rest = sorted(free)
    chance.shuffle(rest)
    return pairs + [(texts[a], texts[b]) for a, b in zip(rest[::2], rest[1::2])]


def drawn(vocabulary: list[str], weights: list[float] | None, lengths: list[int], chance: random.Random) -> list[str]:
    """Lines of random words; a piece that continues a word is written onto the one before."""
    lines = []
    for length in lengths:
        pieces = chance.choices(vocabulary, weights=weights, k=length)
        lines.append(" ".join(pieces).replace(" ##", "").removeprefix("##"))
    return lines


def words_of(path: str) -> list[str]:
    """The vocabulary without its special entries, by falling frequency; single characters last."""
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    entries = [line for line in lines if line and not re.fullmatch(r"\[.*\]", line)]
    return sorted(entries, key=lambda entry: len(entry) == 1)


def write(folder: Path, name: str, rows: list) -> None:
    """One JSON object a line."""
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
    (folder / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8", newline="\n")


def main(archive: str, vocabulary: str, output: str) -> None:
    """Writes all files."""
    chance, seen, folder = random.Random(SEED), set(), Path(output)
    with tarfile.open(archive) as opened:
        genres = [parted(distinct(sentences(opened, genre), seen), chance) for genre in GENRES]
        tweets = [text for _, text in distinct(sentences(opened, "tweets"), seen)]
    sets = {name: interleaved([genre[name] for genre in genres], count) for name, (_, count) in SPLITS.items()}
    sets["calibration"] = sets["calibration-large"][:CALIBRATION]
    sets["off-domain"] = chance.sample(tweets, CALIBRATION)
    words = words_of(vocabulary)
    # As long as the sentences they stand in for; a word is about 1.2 pieces.
    lengths = [math.ceil(1.2 * len(text.split())) for text in sets["calibration"]]
    sets["random-tokens"] = drawn(words, None, lengths, chance)
    sets["zipf-tokens"] = drawn(words, [1 / rank for rank in range(1, len(words) + 1)], lengths, chance)
    folder.mkdir(parents=True, exist_ok=True)
    for name, texts in sets.items():
        write(folder, name, [{"text": text} for text in texts])
    for name in ("evaluation", "development"):
        pairs = paired(sets[name], chance)
        write(folder, f"{name}-pairs", [{"a": {"text": a}, "b": {"text": b}} for a, b in pairs])


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
