"""Decodes a compressed model with nothing but safetensors and numpy: FILE.safetensors OUT.npz

Proves that the format of specs/formats/compressed-safetensors.md is enough to read the file.
"""
import json
import sys

import numpy as np
from safetensors import safe_open


def decode(file, name, entry):
    """One tensor as float32."""
    if entry["scheme"] == "kept":
        return file.get_tensor(name)
    if entry["scheme"] == "int8":
        return file.get_tensor(name).astype(np.float32) * file.get_tensor(name + ":scale")
    bits, shape, axis = entry["bits"], entry["shape"], entry["axis"]
    stream = np.unpackbits(file.get_tensor(name + ":indices"), bitorder="little")
    stream = stream[: int(np.prod(shape)) * bits].reshape(-1, bits)
    indices = (stream * (1 << np.arange(bits))).sum(axis=1).reshape(shape)
    palette = file.get_tensor(name + ":palette")
    group = np.arange(shape[axis]) // (shape[axis] // len(palette))
    group = group.reshape([-1 if d == axis else 1 for d in range(len(shape))])
    return palette[group, indices]


with safe_open(sys.argv[1], framework="numpy") as file:
    entries = json.loads(file.metadata()["ingot.tensors"])
    np.savez(sys.argv[2], **{name: decode(file, name, entry) for name, entry in entries.items()})
