"""Proves what a compression does to a sentence encoder, without Ingot: weights replaced in PyTorch, drift measured in numpy.

usage: drift_torch.py MODEL_DIR PAIRS.jsonl int8|palette:BITS

int8: symmetric, one scale per row of every linear matrix and of the word table. palette: k-means per tensor
(dynamic programming over 2,048 bins, then Lloyd steps on all values: the optimum but for the last digits).
Prints the metrics of the gate as JSON and which limit profiles they keep.
"""
import copy
import json
import sys
from pathlib import Path

import numpy as np
import torch

from reference_encoder import ReferenceEncoder, embed, load_tokenizer, ranks, read_pairs

# cosine mean, cosine min, similarity drift mean, max, neighbour overlap
PROFILES = {
    "strict": (0.999, 0.995, 0.005, 0.02, 0.95),
    "standard": (0.99, 0.97, 0.01, 0.05, 0.90),
    "lenient": (0.95, 0.80, 0.03, 0.15, 0.80),
}


def int8_per_row(weight: np.ndarray) -> np.ndarray:
    """Symmetric INT8 with scale = absmax / 127 per row, rounded half to even, and back to float."""
    scale = np.abs(weight).max(axis=1, keepdims=True) / 127
    scale[scale == 0] = 1
    return (np.clip(np.rint(weight / scale), -127, 127) * scale).astype(np.float32)


def optimal_bins(counts: np.ndarray, sums: np.ndarray, k: int) -> list[int]:
    """Where to cut a histogram into k runs with the least squared error; start index of each run."""
    n, s = np.r_[0, np.cumsum(counts)], np.r_[0, np.cumsum(sums)]
    size = len(counts)
    i, j = np.arange(size)[:, None], np.arange(size)[None, :]
    weight = n[j + 1] - n[i]
    gain = np.where((weight > 0) & (j >= i), (s[j + 1] - s[i]) ** 2 / np.maximum(weight, 1), -np.inf)
    best, cuts = gain[0], []
    for _ in range(k - 1):
        choices = best[:-1, None] + gain[1:]
        cuts.append(choices.argmax(axis=0) + 1)
        best = choices.max(axis=0)
    starts, end = [], size - 1
    for cut in reversed(cuts):
        starts.append(int(cut[end]))
        end = starts[-1] - 1
    return [0] + starts[::-1]


def palette(weight: np.ndarray, bits: int) -> np.ndarray:
    """Every value replaced by the nearest of 2^bits shared ones."""
    values = np.sort(weight.ravel().astype(np.float64))
    prefix = np.r_[0, np.cumsum(values)]
    edges = np.linspace(values[0], values[-1], 2049)
    places = np.r_[np.searchsorted(values, edges[:-1]), len(values)]
    starts = places[optimal_bins(np.diff(places), np.diff(prefix[places]), 2 ** bits)]
    for _ in range(300):
        ends = np.r_[starts[1:], len(values)]
        centres = (prefix[ends] - prefix[starts]) / np.maximum(ends - starts, 1)
        moved = np.r_[0, np.searchsorted(values, (centres[1:] + centres[:-1]) / 2)]
        if (moved == starts).all():
            break
        starts = moved
    return centres[np.searchsorted((centres[1:] + centres[:-1]) / 2, weight)].astype(np.float32)


def compressed(encoder: ReferenceEncoder, scheme: str) -> ReferenceEncoder:
    """A copy with every linear matrix and the word table replaced."""
    change = int8_per_row if scheme == "int8" else lambda weight: palette(weight, int(scheme.split(":")[1]))
    result = copy.deepcopy(encoder)
    targets = [module for module in result.modules() if isinstance(module, torch.nn.Linear)]
    for module in [*targets, result.bert.embeddings.word_embeddings]:
        module.weight.data = torch.from_numpy(change(module.weight.data.numpy()))
    return result


def neighbours(rows: np.ndarray, count: int) -> list[set[int]]:
    """The nearest others of every row, by cosine."""
    similar = rows @ rows.T
    np.fill_diagonal(similar, -np.inf)
    return [set(line) for line in np.argsort(-similar, axis=1, kind="stable")[:, :count].tolist()]


def metrics(base: np.ndarray, other: np.ndarray, a: list[int], b: list[int], labels: np.ndarray) -> dict:
    """What the gate measures, in float64."""
    base, other = (rows.astype(np.float64) / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (base, other))
    cosine = (base * other).sum(axis=1)
    before, after = (base[a] * base[b]).sum(axis=1), (other[a] * other[b]).sum(axis=1)
    drift = np.abs(after - before)
    count = 10 if len(base) >= 40 else max(1, len(base) // 4)
    kept = [len(p & q) / count for p, q in zip(neighbours(base, count), neighbours(other, count))]
    spearman = [float(np.corrcoef(ranks(labels), ranks(values))[0, 1]) for values in (before, after)]
    return {
        "cosine": {"mean": float(cosine.mean()), "p1": float(np.quantile(cosine, 0.01)), "min": float(cosine.min())},
        "similarityDrift": {"mean": float(drift.mean()), "max": float(drift.max())},
        "neighbourOverlap": float(np.mean(kept)),
        "spearman": {"baseline": spearman[0], "candidate": spearman[1]},
        "inputs": len(base), "pairs": len(labels),
    }


def keeps(found: dict, limits: tuple[float, ...]) -> bool:
    """True when every limit is kept."""
    cosine, drift = found["cosine"], found["similarityDrift"]
    return (cosine["mean"] >= limits[0] and cosine["min"] >= limits[1] and drift["mean"] <= limits[2]
            and drift["max"] <= limits[3] and found["neighbourOverlap"] >= limits[4])


def main(model: str, references: str, scheme: str) -> None:
    """Prints the drift of one scheme."""
    torch.set_num_threads(2)
    pairs = read_pairs(references)
    texts = list(dict.fromkeys(side["text"] for pair in pairs for side in (pair["a"], pair["b"])))
    place = {text: index for index, text in enumerate(texts)}
    a, b = ([place[pair[side]["text"]] for pair in pairs] for side in "ab")
    labels = np.array([pair["similarity"] for pair in pairs], dtype=np.float64)
    encoder, tokenizer = ReferenceEncoder(model), load_tokenizer(Path(model))
    base = embed(encoder, tokenizer, texts)
    found = metrics(base, embed(compressed(encoder, scheme), tokenizer, texts), a, b, labels)
    found["passes"] = [name for name, limits in PROFILES.items() if keeps(found, limits)]
    print(json.dumps(found, indent=2, sort_keys=True))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
