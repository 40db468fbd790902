"""Proves that Ingot runs a `dense` model as numpy does, from the same model.json and arrays.

usage: dense_numpy.py MODEL_DIR IN.jsonl OUT.npy

Each line is {"input": {"values": [...]}, ...} or {"values": [...]}. Computes in float64, writes float32 rows.
"""
import json
import math
import sys
from pathlib import Path
from typing import Callable

import numpy as np


def softmax(x: np.ndarray) -> np.ndarray:
    """Along the last axis."""
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def gelu(x: np.ndarray) -> np.ndarray:
    """The exact form, by the error function."""
    return 0.5 * x * (1 + np.vectorize(math.erf, otypes=[np.float64])(x / math.sqrt(2)))


def one_vs_rest(x: np.ndarray) -> np.ndarray:
    """A sigmoid of each, divided by their sum."""
    each = 1 / (1 + np.exp(-x))
    return each / each.sum(axis=-1, keepdims=True)


ACTIVATIONS = {
    "identity": lambda x: x,
    "relu": lambda x: np.maximum(x, 0),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "tanh": np.tanh,
    "softmax": softmax,
    "gelu": gelu,
    "one-vs-rest": one_vs_rest,
}


def read_inputs(path: str | Path) -> np.ndarray:
    """[lines, features]"""
    with open(path, encoding="utf-8") as lines:
        objects = [json.loads(line) for line in lines if line.strip()]
    return np.array([item.get("input", item)["values"] for item in objects], dtype=np.float64)


def run(folder: str | Path, x: np.ndarray, array: Callable[[str], np.ndarray] | None = None) -> np.ndarray:
    """[rows, features] to [rows, outputs]; `array` reads one file of the folder, in float64"""
    folder = Path(folder)
    model = json.loads((folder / "model.json").read_text())
    array = array or (lambda name: np.load(folder / name).astype(np.float64))
    if standardize := model.get("standardize"):
        x = (x - array(standardize["mean"])) / array(standardize["scale"])
    for layer in model["layers"]:
        weight = array(layer["weight"])
        x = x @ (weight if layer.get("layout", "out,in") == "in,out" else weight.T)
        x = x + array(layer["bias"]) if "bias" in layer else x
        x = ACTIVATIONS[layer.get("activation", "identity")](x)
    if model["output"].get("columns") == 2 and x.shape[1] == 1:
        x = np.hstack([1 - x, x])
    return x


def main(model: str, inputs: str, output: str) -> None:
    """Runs a file of inputs through a model."""
    np.save(output, run(model, read_inputs(inputs)).astype(np.float32))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
