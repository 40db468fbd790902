"""Writes weight files with numpy and safetensors, and what they hold, for the interop tests.

usage: make_weight_files.py FOLDER

For every file `NAME`, `NAME.expected` lists a line per tensor: its name, its shape (numbers joined
by `x`, `-` for a single value) and its values as the hexadecimal bits of float32, row-major;
`NAME.expected64` the same with float64. The types Ingot does not convert have no line.
"""

import json
import pathlib
import sys

import numpy
import safetensors.numpy

random = numpy.random.default_rng(7)


def bits(array, size):
    """The values as floats of 4 or 8 bytes in row-major order, each as hexadecimal digits."""
    with numpy.errstate(over="ignore"):
        values = numpy.ascontiguousarray(array).astype(f"f{size}")
    return " ".join(f"{value:0{2 * size}x}" for value in values.reshape(-1).view(f"u{size}"))


def write_expected(path, tensors):
    """Describes the tensors of a file beside it."""
    for ending, size in [("expected", 4), ("expected64", 8)]:
        lines = []
        for name, array in sorted(tensors.items(), key=lambda item: item[0].encode()):
            shape = "x".join(str(n) for n in array.shape) or "-"
            lines.append(f"{name} {shape} {bits(array, size)}".rstrip() + "\n")
        pathlib.Path(f"{path}.{ending}").write_text("".join(lines))


def arrays():
    """Arrays of every type and order that numpy can store and Ingot converts."""
    kinds = ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"]
    result = {}
    for kind in kinds:
        for order in "<>":
            dtype = numpy.dtype(order + kind)
            if dtype.kind == "f":
                values = random.normal(size=(3, 4, 5)) * 100
                values.reshape(-1)[:4] = [numpy.inf, -numpy.inf, 0, 6e-8]
            elif dtype.kind == "b":
                values = random.integers(0, 2, size=(3, 4, 5))
            else:
                info = numpy.iinfo(dtype)
                values = random.integers(info.min, info.max, size=(3, 4, 5), dtype=dtype.newbyteorder("="), endpoint=True)
            name = f"{kind}-{'little' if order == '<' else 'big'}"
            array = values.astype(dtype)
            result[name] = array
            result[f"{name}-fortran"] = numpy.asfortranarray(array)
    result["scalar"] = numpy.array(1.5, dtype="<f4")
    result["empty"] = numpy.zeros((0, 3), dtype="<f4")
    result["vector"] = numpy.arange(7, dtype="<f4")
    result["matrix-fortran"] = numpy.asfortranarray(random.normal(size=(37, 53)).astype("<f4"))
    return result


def write_npy(folder):
    """One npy file per array, in versions 1, 2 and 3."""
    for index, (name, array) in enumerate(arrays().items()):
        path = folder / f"{name}.npy"
        with open(path, "wb") as file:
            numpy.lib.format.write_array(file, array, version=(1 + index % 3, 0))
        write_expected(path, {name: array})


def write_npz(folder):
    """All arrays in one archive, stored and deflated."""
    tensors = arrays()
    numpy.savez(folder / "stored.npz", **tensors)
    write_expected(folder / "stored.npz", tensors)
    numpy.savez_compressed(folder / "deflated.npz", **tensors)
    write_expected(folder / "deflated.npz", tensors)


def write_safetensors(folder):
    """A file with metadata, and a model in two shards."""
    tensors = {
        name: numpy.ascontiguousarray(array)
        for name, array in arrays().items()
        if "big" not in name and "fortran" not in name
    }
    tensors["\u00e9.weight"] = numpy.ones((2, 2), dtype="<f4")
    safetensors.numpy.save_file(
        tensors, folder / "all.safetensors", metadata={"format": "np", "\u00e9": "\"x\"\n"}
    )
    write_expected(folder / "all.safetensors", tensors)
    sharded = folder / "sharded"
    sharded.mkdir()
    names = sorted(tensors)
    weight_map = {}
    for number, part in enumerate((names[::2], names[1::2]), start=1):
        shard = f"model-{number:05d}-of-00002.safetensors"
        safetensors.numpy.save_file({name: tensors[name] for name in part}, sharded / shard)
        weight_map.update({name: shard for name in part})
    index = {"metadata": {"total_size": 1}, "weight_map": weight_map}
    (sharded / "model.safetensors.index.json").write_text(json.dumps(index, indent=2))
    write_expected(sharded, tensors)


def write_bfloat16(folder):
    """bfloat16 as PyTorch rounds it, with all 65,536 values."""
    import safetensors.torch
    import torch

    values = torch.arange(65536, dtype=torch.int32).to(torch.uint16).view(torch.bfloat16)
    halves = torch.arange(65536, dtype=torch.int32).to(torch.uint16).view(torch.float16)
    finite = {
        "bf16": values[torch.isfinite(values)].contiguous(),
        "f16": halves[torch.isfinite(halves)].contiguous(),
    }
    safetensors.torch.save_file(finite, folder / "halves.safetensors")
    write_expected(
        folder / "halves.safetensors", {name: t.float().numpy() for name, t in finite.items()}
    )


def main():
    folder = pathlib.Path(sys.argv[1])
    write_npy(folder)
    write_npz(folder)
    write_safetensors(folder)
    write_bfloat16(folder)
    for rows, columns in [(0, 384), (1, 1), (2, 3), (1000, 384), (99999, 1024)]:
        with open(folder / f"header-{rows}x{columns}.bytes", "wb") as file:
            numpy.lib.format.write_array_header_1_0(
                file,
                {"descr": "<f4", "fortran_order": False, "shape": (rows, columns)},
            )


if __name__ == "__main__":
    main()
