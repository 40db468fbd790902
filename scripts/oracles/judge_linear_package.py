"""Runs packages of linear models over plain numbers in numpy and compares them with scikit-learn's numbers.

usage: judge_linear_package.py PACKAGE FOLDER ...

FOLDER is one that make_linear_tables.py wrote. Prints for each package the outputs of a row and the largest
difference, as a JSON list of [count, difference].
"""
import json
import sys
from pathlib import Path

import numpy as np

from coreml_program import load, run


def judge(package_path: str, folder: Path) -> list:
    package = load(package_path)
    rows = json.loads((folder / "rows.json").read_text())
    (name, var), = package.main.inputs.items()
    found = []
    for row in rows:
        sample = np.array(list(row.values()), np.float32).reshape([int(size) for size in var.shape])
        outputs = [list(value.values()) if isinstance(value, dict) else value
                   for value in run(package, {name: sample}).values()]
        numbers = [np.asarray(value, np.float64).reshape(-1) for value in outputs
                   if np.asarray(value).dtype.kind == "f"]
        assert len(numbers) == 1, outputs
        found.append(numbers[0])
    found = np.array(found)
    expected = np.fromfile(folder / "expected.f64", "<f8").reshape(len(rows), -1)[:, -found.shape[1]:]
    return [found.shape[1], float(np.abs(found - expected).max())]


paths = sys.argv[1:]
print(json.dumps([judge(path, Path(folder)) for path, folder in zip(paths[::2], paths[1::2])]))
