"""Decodes a compressed model with nothing but safetensors and numpy: FILE.safetensors OUT.npz

Proves that the format of specs/formats/compressed-safetensors.md is enough to read the file.
"""
import json
import sys

import numpy as np
from safetensors import safe_open


def unpacked(stream, bits, count):
    """The first integers of so many bits of a little-endian bit stream."""
    bits_of = np.unpackbits(stream, bitorder="little")[: count * bits].reshape(-1, bits)
    return (bits_of * (1 << np.arange(bits))).sum(axis=1)


def spread(blocks, shape):
    """One value for each block, repeated to a shape that the blocks divide."""
    for axis, length in enumerate(shape):
        blocks = np.repeat(blocks, length // blocks.shape[axis], axis=axis)
    return blocks


def linear(file, name, entry):
    """scale · (code − offset)."""
    kind, shape = entry["integers"], entry["shape"]
    if kind.endswith("8"):
        codes = file.get_tensor(name).astype(np.float32)
    else:
        codes = unpacked(file.get_tensor(name + ":codes"), 4, int(np.prod(shape))).reshape(shape)
        codes = np.where((kind == "int4") & (codes > 7), codes - 16, codes).astype(np.float32)
    if entry["mode"] == "asymmetric":
        codes -= spread(file.get_tensor(name + ":offset").astype(np.float32), shape)
    else:
        codes -= {"int8": 0, "uint8": 127, "int4": 0, "uint4": 7}[kind]
    return spread(file.get_tensor(name + ":scale"), shape) * codes


def palette(file, name, entry):
    """Entries of the group's table; elements of an entry lie along the axis of the groups."""
    bits, shape, axis, width = entry["bits"], list(entry["shape"]), entry["axis"], entry.get("width", 1)
    table = file.get_tensor(name + ":palette").astype(np.float32)
    if entry.get("entries") == "int8":
        table = table * file.get_tensor(name + ":palette-scale")
    table = table.reshape(len(table), 1 << bits, width)
    index_shape = [length // width if i == axis else length for i, length in enumerate(shape)]
    stream = file.get_tensor(name + ":indices")
    indices = unpacked(stream, bits, int(np.prod(index_shape))).reshape(index_shape)
    group = np.arange(index_shape[axis]) // (index_shape[axis] // len(table))
    group = group.reshape([-1 if i == axis else 1 for i in range(len(shape))])
    vectors = np.moveaxis(table[group, indices], -1, axis + 1)
    return vectors.reshape(shape)


def packed(file, name, entry):
    """Whole numbers from the least on; those that are not negative may be counted from their places."""
    count = int(np.prod(entry["shape"]))
    numbers = unpacked(file.get_tensor(name + ":codes"), entry["bits"], count) + entry["least"]
    if entry.get("relative"):
        numbers = np.where(numbers < 0, numbers, numbers + np.arange(count))
    return numbers.reshape(entry["shape"]).astype(np.float32)


def tables(file, name, entry, groups):
    """Places in tables; another tensor says which table is that of each element."""
    table = file.get_tensor(name + ":tables").astype(np.float32)
    places = unpacked(file.get_tensor(name + ":codes"), entry["bits"], int(np.prod(entry["shape"])))
    return table[groups.astype(int).ravel(), places].reshape(entry["shape"])


def decode(file, name, entry, entries=None):
    """One tensor as float32."""
    if entry["scheme"] == "float16":
        return file.get_tensor(name).astype(np.float32)
    if entry["scheme"] == "packed":
        return packed(file, name, entry)
    if entry["scheme"] == "tables":
        groups = decode(file, entry["groups"], entries[entry["groups"]])
        return tables(file, name, entry, groups)
    if entry["scheme"] == "kept":
        return file.get_tensor(name)
    if entry["scheme"] == "split":
        (rows, width), first = entry["shape"], entry["rows"]
        parts = [("first", first), ("rest", rows - first)]
        return np.concatenate([
            decode(file, f"{name}:{part}", entry[part] | {"shape": [count, width]})
            for part, count in parts])
    if entry["scheme"] == "int8":
        return file.get_tensor(name).astype(np.float32) * file.get_tensor(name + ":scale")
    return (linear if entry["scheme"] == "linear" else palette)(file, name, entry)


def read(path):
    """Every tensor of a compressed file as float32, by name."""
    with safe_open(path, framework="numpy") as file:
        entries = json.loads(file.metadata()["ingot.tensors"])
        stored = {name: entry.get("as", name) for name, entry in entries.items()}
        return {name: decode(file, first, entries[first], entries) for name, first in stored.items()}


if __name__ == "__main__":
    np.savez(sys.argv[2], **read(sys.argv[1]))
