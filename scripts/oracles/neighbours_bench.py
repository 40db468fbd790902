"""Nearest neighbours with numpy, and inputs to compare with: make FOLDER PAIRS WIDTH, or run FOLDER.

`make` writes outputs of two models for PAIRS pairs of distinct inputs (normal numbers, the second with noise of a tenth)
and the pairs. `run` does with them what the gate calls neighbours: the ten nearest of every row by cosine, in float32
and in tiles, before and after; and the mean share that both have. It prints JSON.
"""
import json
import pathlib
import sys
import time

import numpy


def make(folder: pathlib.Path, pairs: int, width: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    generator = numpy.random.default_rng(1)
    before = generator.standard_normal((2 * pairs, width), dtype=numpy.float32)
    noise = generator.standard_normal((2 * pairs, width), dtype=numpy.float32)
    numpy.save(folder / "before.npy", before)
    numpy.save(folder / "after.npy", before + numpy.float32(0.1) * noise)
    with open(folder / "pairs.jsonl", "w") as lines:
        for pair in range(pairs):
            lines.write(json.dumps({"a": f"text {2 * pair}", "b": f"text {2 * pair + 1}"}) + "\n")


def nearest(rows: numpy.ndarray, tile: int = 1000) -> numpy.ndarray:
    rows = rows / numpy.linalg.norm(rows, axis=1, keepdims=True)
    found = []
    for start in range(0, len(rows), tile):
        cosines = rows[start:start + tile] @ rows.T
        cosines[numpy.arange(len(cosines)), start + numpy.arange(len(cosines))] = -2
        found.append(numpy.argpartition(cosines, -10, axis=1)[:, -10:])
    return numpy.concatenate(found)


def run(folder: pathlib.Path) -> None:
    before, after = numpy.load(folder / "before.npy"), numpy.load(folder / "after.npy")
    start = time.perf_counter()
    old, new = nearest(before), nearest(after)
    seconds = time.perf_counter() - start
    kept = sum(len(set(a) & set(b)) for a, b in zip(old.tolist(), new.tolist()))
    print(json.dumps({"seconds": round(seconds, 2), "neighboursKept": round(kept / old.size, 6)}))


if sys.argv[1] == "make":
    make(pathlib.Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
else:
    run(pathlib.Path(sys.argv[2]))
