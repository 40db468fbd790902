"""Judges many Core ML packages in one process: check_package.py's report of each, and what numpy computes with it.

usage: judge_packages.py JOBS.json

JOBS is a list of {"package": PATH, "samples": [{INPUT: [number, ...]}, ...], "roundings": ["fp32", "fp16"],
"outputs": OUT.npz}. Prints one JSON object per package and line: the report, with the digest of every weight, "facts"
of the run in fp16, and "labels" of a classifier by rounding. OUT gets the numbers that the package puts out, by
rounding: [samples, numbers].
"""
import hashlib
import json
import sys

import numpy as np

from check_package import report, values
from coreml_program import Facts, Package, load, run
from run_package import collected, sample


def digest(value: np.ndarray) -> str:
    """SHA-256 of the numbers in float32: equal when every bit is."""
    return hashlib.sha256(np.ascontiguousarray(value, dtype="<f4")).hexdigest()


def runs(package: Package, job: dict) -> dict:
    """Runs every sample in every rounding; writes the numbers and gives the rest."""
    inputs, samples = package.main.inputs.items(), job["samples"]
    feeds = [{name: sample(np.asarray(each[name]), var) for name, var in inputs} for each in samples]
    facts, arrays, labels = Facts(), {}, {}
    for rounding in job["roundings"]:
        results = collected([run(package, each, rounding, facts) for each in feeds])
        numbers = [array for array in results.values() if array.dtype.kind == "f"]
        arrays |= {rounding: array.reshape(len(feeds), -1) for array in numbers}
        labels |= {rounding: [str(label) for label in array] for array in results.values() if array.dtype.kind in "iU"}
    np.savez(job["outputs"], **arrays)
    met = {"nan": facts.nan, "overflows": facts.overflows, "largest": facts.largest, "largestName": facts.largest_name}
    return {"facts": met, "labels": labels}


def judge(job: dict) -> dict:
    """All that is said of one package."""
    package = load(job["package"])
    found = report(job["package"], package)
    digests = {name: digest(value) for name, value in values(package).items()}
    weights = [{**each, "sha256": digests[each["name"]]} for each in found["weights"]]
    return {**found, "weights": weights, **runs(package, job)}


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        jobs = json.load(file)
    for job in jobs:
        print(json.dumps(judge(job), sort_keys=True), flush=True)
