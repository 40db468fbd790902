"""Judges what a compression does to the embeddings of sentences, in numpy, float64.

usage: frontier.py SENTENCES.jsonl PAIRS.jsonl BASELINE.npy CANDIDATE.npy
       frontier.py SENTENCES.jsonl PAIRS.jsonl MODEL_DIR COMPRESSED.safetensors [CANDIDATE.npy]

The first form compares two files of one row per sentence, as `ingot embed` writes them. The second runs neither side
with Ingot: PyTorch runs the model as trained and with the weights that read_compressed.py decodes; with CANDIDATE.npy
it also says how far Ingot's rows are from PyTorch's. Every sentence of PAIRS must be one of SENTENCES.

Prints one JSON line. cosine: of each sentence's two embeddings; p1 is the 1 % quantile, interpolated. pairDrift:
|cosine after − cosine before| of the pairs. neighbourOverlap: of each sentence's 10 nearest others before, the share
that is still among the 10 nearest. Ties: a neighbour counts as one of the 10 when its cosine is at most TIE below the
10th largest; of those that tie for the candidate's last places the ones that the baseline has are taken. So a model
has an overlap of exactly 1 with itself, duplicates or not, and differences that float32 cannot tell are none.
"""
import json
import sys
from pathlib import Path

import numpy as np

NEIGHBOURS = 10
TIE = 1e-6


def unit(rows: np.ndarray) -> np.ndarray:
    """Rows of length 1, in float64."""
    rows = rows.astype(np.float64)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def similarities(rows: np.ndarray) -> np.ndarray:
    """Cosines of all pairs of unit rows; none is its own neighbour."""
    result = rows @ rows.T
    np.fill_diagonal(result, -np.inf)
    return result


def overlap(base: np.ndarray, other: np.ndarray) -> float:
    """Mean share of nearest neighbours kept; see above for ties."""
    before, after = similarities(base), similarities(other)
    place = before.shape[1] - NEIGHBOURS
    near = before >= np.partition(before, place, axis=1)[:, [place]] - TIE
    last = np.partition(after, place, axis=1)[:, [place]]
    sure = after > last + TIE
    tied = (np.abs(after - last) <= TIE) & near
    kept = (sure & near).sum(axis=1) + np.minimum(tied.sum(axis=1), NEIGHBOURS - sure.sum(axis=1))
    return float(kept.mean() / NEIGHBOURS)


def judge(baseline: np.ndarray, candidate: np.ndarray, a: list[int], b: list[int]) -> dict:
    """All figures of one candidate."""
    base, other = unit(baseline), unit(candidate)
    cosine = (base * other).sum(axis=1)
    drift = np.abs((other[a] * other[b]).sum(axis=1) - (base[a] * base[b]).sum(axis=1))
    return {
        "cosineMean": float(cosine.mean()), "cosineP1": float(np.quantile(cosine, 0.01)),
        "cosineMin": float(cosine.min()), "pairDriftMean": float(drift.mean()), "pairDriftMax": float(drift.max()),
        "neighbourOverlap": overlap(base, other), "sentences": len(base), "pairs": len(drift),
    }


def in_torch(model: str, weights: str, texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the model as trained and with other weights."""
    import torch

    from read_compressed import read
    from reference_encoder import ReferenceEncoder, embed, load_tokenizer
    torch.set_num_threads(2)
    encoder, tokenizer = ReferenceEncoder(model), load_tokenizer(Path(model))
    before = embed(encoder, tokenizer, texts)
    decoded = read(weights)
    missing = sorted(set(dict(encoder.bert.named_parameters())) - set(decoded))
    if missing:
        sys.exit(f"{weights}: lacks {', '.join(missing)}")
    encoder.bert.load_state_dict({name: torch.from_numpy(np.ascontiguousarray(value, dtype=np.float32))
                                  for name, value in decoded.items()}, strict=False)
    return before, embed(encoder, tokenizer, texts)


def lines(path: str) -> list[dict]:
    """Every JSON line."""
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def rows(path: str, count: int) -> np.ndarray:
    """Embeddings of a file; they must be finite and as many as there are sentences."""
    found = np.load(path)
    if len(found) != count or not np.isfinite(found).all():
        sys.exit(f"{path}: {len(found)} rows for {count} sentences, or some that are not finite")
    return found


def main(sentences: str, pairs: str, baseline: str, candidate: str, *executed: str) -> None:
    """Prints the line."""
    texts = [line["text"] for line in lines(sentences)]
    place = {text: index for index, text in enumerate(texts)}
    a, b = ([place[pair[side]["text"]] for pair in lines(pairs)] for side in "ab")
    if baseline.endswith(".npy"):
        found = judge(rows(baseline, len(texts)), rows(candidate, len(texts)), a, b)
    else:
        before, after = in_torch(baseline, candidate, texts)
        found = judge(before, after, a, b)
        for path in executed:
            found["largestDifference"] = float(np.abs(rows(path, len(texts)) - after).max())
    print(json.dumps(found))


if __name__ == "__main__":
    if len(sys.argv) not in (5, 6):
        sys.exit(__doc__)
    main(*sys.argv[1:])
