"""Judges Core ML packages of small encoders beside the library that the models come from, in one process.

usage: judge_encoders.py JOBS.json

JOBS is a list of {"package": PATH, "model": FOLDER of the library's files, "inputs": FILE, "vectors": FILE.npy}, as
make_encoders.py and make_image_encoders.py write them: inputs are ids of each text (.json) or levels of each picture
(.npy). With "every": N each N-th input is run; "padding" is the id behind texts. Prints one JSON object per package and line:

faults    what check_package.py finds wrong, in words
equal     how many constants are the file's bit for bit; float16 as numpy rounds
other     constants under a weight's name that are not the file's: what differs
quantised how many constants are INT8
steps     of these, the greatest distance of a number to the file's, in steps of its scale
computed  constants that the file does not have
cosine    by rounding, the least cosine to the library's vector; two vectors of zeros have 1, and single numbers 1 less
          their distance, of numbers above 1 relative to them
nan, overflows, largest, largestName   what the run met that rounds to float16
"""
import json
import re
import sys
from pathlib import Path

import numpy as np

from check_package import report, values
from coreml_program import Facts, Package, load, run
from run_package import collected, sample

TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2", "I64": "<i8", "I32": "<i4", "I8": "<i1", "U8": "<u1"}


def tensors(folder: Path) -> dict[str, np.ndarray]:
    """Every tensor of a folder's weight files in float32, by the name a program would give it."""
    found = {}
    for path in sorted(folder.rglob("*.safetensors")):
        data = path.read_bytes()
        size = int.from_bytes(data[:8], "little")
        for name, entry in json.loads(data[8:8 + size]).items():
            if name != "__metadata__":
                begin, end = (8 + size + place for place in entry["data_offsets"])
                array = np.frombuffer(data[begin:end], TYPES[entry["dtype"]]).reshape(entry["shape"])
                wide = (array.astype("<u4") << 16).view("<f4") if entry["dtype"] == "BF16" else array
                whole = "_".join([*path.relative_to(folder).parent.parts, name])
                found[re.sub(r"^(?=\d)", "_", re.sub(r"\W", "_", whole))] = wide.astype(np.float32)
    return found


def difference(ours: np.ndarray, theirs: np.ndarray, bits: int) -> str | None:
    """What differs between a constant and a weight; None where they are the same."""
    theirs = theirs.astype(np.float16).astype(np.float32) if bits == 16 else theirs
    if ours.size != theirs.size:
        return f"{list(ours.shape)} for {list(theirs.shape)}"
    count = int((ours.reshape(-1).view("<u4") != np.ascontiguousarray(theirs).reshape(-1).view("<u4")).sum())
    return f"{count} of {ours.size} numbers" if count else None


def steps(op, ours: np.ndarray, theirs: np.ndarray) -> float:
    """The greatest distance of quantised numbers to the file's, in steps of their scale."""
    scale = np.asarray(op.scale.val, np.float32)
    if scale.ndim:
        scale = scale.reshape([-1 if axis == op.axis.val % ours.ndim else 1 for axis in range(ours.ndim)])
    return float((np.abs(ours - theirs.reshape(ours.shape)) / np.maximum(scale, 1e-30)).max())


def constants(package: Package, weights: list[dict], folder: Path) -> dict:
    """How the constants that a program holds compare with the weights of a folder."""
    function = package.spec.mlProgram.functions["main"]
    written = {each.name for op in function.block_specializations[function.opset].operations for each in op.outputs}
    files, held = tensors(folder), values(package)
    operations = {op.outputs[0].name: op for op in package.main.operations}
    found = {"equal": 0, "other": {}, "computed": [], "quantised": 0, "steps": 0.0}
    for weight in weights:
        name, theirs = weight["name"], files.get(weight["name"])
        if name not in written:  # coremltools puts zeros where a linear layer has no bias
            continue
        if theirs is None:
            found["computed"].append(name)
            continue
        if theirs.size != held[name].size and theirs.shape[1:] == held[name].shape[1:]:
            theirs = theirs[:len(held[name])]  # the first rows of a table of positions
        if weight["op"] == "constexpr_affine_dequantize":
            found["quantised"] += 1
            found["steps"] = max(found["steps"], steps(operations[name], held[name], theirs))
        elif said := difference(held[name], theirs, weight["nbits"]):
            found["other"][name] = said
        else:
            found["equal"] += 1
    return found


def feeds(package: Package, path: Path, every: int, padding: int) -> list[dict[str, np.ndarray]]:
    """The inputs of a program: pictures, or ids filled up to its length, and where they are."""
    inputs = package.main.inputs
    if path.suffix == ".npy":
        (name, var), = inputs.items()
        return [{name: sample(levels.astype(np.float32), var)} for levels in np.load(path)[::every]]
    length = int(inputs["input_ids"].shape[-1])
    rows = []
    for ids in json.loads(path.read_text())[::every]:
        # The types of two texts' tokens are behind their ids.
        count = len(ids) // 2 if "token_type_ids" in inputs else len(ids)
        ids, types = ids[:count], ids[count:] or [0] * count
        missing = (0, length - len(ids))
        filled = {"input_ids": np.pad(ids, missing, constant_values=padding),
                  "attention_mask": np.pad(np.ones(len(ids)), missing), "token_type_ids": np.pad(types, missing)}
        rows.append({name: sample(filled[name].astype(np.int32), var) for name, var in inputs.items()})
    return rows


def cosine(ours: np.ndarray, theirs: np.ndarray) -> float:
    """The least cosine of a row to the same row."""
    ours, theirs = ours.reshape(len(theirs), -1).astype(np.float64), theirs.astype(np.float64)
    if theirs.shape[1] == 1:
        return float((1 - np.abs(ours - theirs) / np.maximum(np.abs(theirs), 1)).min())
    lengths = np.linalg.norm(ours, axis=1) * np.linalg.norm(theirs, axis=1)
    both = ~ours.any(axis=1) & ~theirs.any(axis=1)
    with np.errstate(all="ignore"):
        return float(np.where(both, 1, (ours * theirs).sum(axis=1) / lengths).min())


def runs(package: Package, job: dict) -> dict:
    """What the program computes beside what the library did."""
    every = job.get("every", 1)
    rows, theirs = feeds(package, Path(job["inputs"]), every, job.get("padding", 0)), np.load(job["vectors"])[::every]
    half, found = Facts(), {}
    for rounding, facts in (("fp32", Facts()), ("fp16", half)):
        results = collected([run(package, each, rounding, facts) for each in rows])
        ours, = (array for array in results.values() if array.dtype.kind == "f")
        found[rounding] = cosine(ours, theirs)
    return {"cosine": found, "nan": half.nan, "overflows": half.overflows, "largest": half.largest,
            "largestName": half.largest_name}


def faults(found: dict) -> list[str]:
    """What check_package.py's report says is wrong."""
    said = {key: found[key] for key in ("nonFinite", "disagreements", "badIdentifiers", "decompressError") if found[key]}
    return [f"{key}: {value}" for key, value in said.items()] + ([] if found["isValid"] else ["isValid: false"])


def judge(job: dict) -> dict:
    """All that is said of one package."""
    package = load(job["package"])
    found = report(job["package"], package)
    return {"package": found["package"], "faults": faults(found),
            **constants(package, found["weights"], Path(job["model"])), **runs(package, job)}


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for each in json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")):
        print(json.dumps(judge(each), sort_keys=True), flush=True)
