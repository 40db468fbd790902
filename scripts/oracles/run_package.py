"""Runs a Core ML package in numpy, off a Mac: what it computes, and whether half precision would hold it.

usage: run_package.py PACKAGE INPUTS.npz OUT.npz [--rounding fp16|fp32]

INPUTS has one array per input of the model, with a leading axis of samples; each sample is reshaped to the model's own
shape ([1, length] ids for [samples, length]). Other arrays are ignored, so expected.npz of make_coreml_packages.py
is an INPUTS. Writes every output in float32, with the same leading axis; of a classifier the labels
and, in the order of the program's classes, the probabilities. Prints what the run met as JSON; NaNs, overflows
and the largest magnitude of all values in between are counted when rounding to fp16.
"""
import json
import sys
import time
from pathlib import Path

import numpy as np

from coreml_program import Facts, Package, load, run


def samples_of(package: Package, arrays: dict[str, np.ndarray]) -> list[dict[str, np.ndarray]]:
    """One dictionary of inputs per sample, in the model's rank."""
    inputs = package.main.inputs
    missing = [name for name in inputs if name not in arrays]
    if missing:
        sys.exit(f"inputs {missing} are not in the file; it has {sorted(arrays)}")
    counts = {len(arrays[name]) for name in inputs}
    if len(counts) != 1:
        sys.exit(f"the inputs have different numbers of samples: {sorted(counts)}")
    return [{name: sample(arrays[name][index], var) for name, var in inputs.items()} for index in range(*counts)]


def sample(row: np.ndarray, var) -> np.ndarray:
    """A row in the declared shape, or with leading axes of one until it has the declared rank."""
    fixed = tuple(int(size) for size in var.shape if isinstance(size, (int, np.integer)))
    if len(fixed) == len(var.shape) and np.prod(fixed) == row.size:
        return row.reshape(fixed)
    return row.reshape((1,) * (len(var.shape) - row.ndim) + row.shape)


def collected(results: list[dict]) -> dict[str, np.ndarray]:
    """Outputs of all samples by name: numbers in float32, labels as they are."""
    arrays = {}
    for name in results[0] if results else ():
        values = [result[name] for result in results]
        if isinstance(values[0], dict):
            values = [list(value.values()) for value in values]
        array = np.stack([np.asarray(value) for value in values])
        arrays[name] = array if array.dtype.kind in "iU" else array.astype(np.float32)
    return arrays


def main(path: str, inputs: str, output: str, rounding: str) -> None:
    """Runs all samples and prints the facts."""
    package, facts = load(path), Facts()
    with np.load(inputs) as arrays:
        samples = samples_of(package, dict(arrays))
    start = time.perf_counter()
    results = [run(package, feeds, rounding, facts) for feeds in samples]
    seconds = time.perf_counter() - start
    np.savez(output, **collected(results))
    nan = sum(int(np.isnan(array).sum()) for array in collected(results).values() if array.dtype.kind == "f")
    half = {
        "nan": facts.nan, "overflow": facts.overflow, "overflows": facts.overflows,
        "largest": facts.largest, "largestName": facts.largest_name,
    }
    print(json.dumps({
        "package": Path(path).name, "rounding": rounding, "samples": len(samples), "outputNaN": nan,
        "millisecondsPerSample": round(1000 * seconds / max(1, len(samples)), 1),
        **(half if rounding == "fp16" else {}),
    }, sort_keys=True))


if __name__ == "__main__":
    arguments, rounding = sys.argv[1:], "fp32"
    if "--rounding" in arguments[:-1]:
        place = arguments.index("--rounding")
        rounding = arguments[place + 1]
        del arguments[place:place + 2]
    if len(arguments) != 3 or rounding not in ("fp16", "fp32"):
        sys.exit(__doc__)
    main(*arguments, rounding)
