"""Thousands of personal models: makes a project of them, and what others need for as many.

  make FOLDER N           a project with a family of N linear models of 8 features, 8 references each
  coremltools FOLDER N    makes and saves N glmRegressor models from the same arrays
  numpy FOLDER N          loads the same arrays and runs them on the same inputs
"""
import json
import os
import pathlib
import sys
import time

import numpy as np

FEATURES, REFERENCES = 8, 8
NAMES = [f"f{index}" for index in range(FEATURES)]


def make(folder: pathlib.Path, count: int) -> None:
    random = np.random.default_rng(7)
    folder.mkdir(parents=True)
    (folder / "ingot.yaml").write_text(
        "ingot: 1\nmodels:\n  users:\n    source: users/{member}\n    compress: {scheme: int8}\n"
        '    gate: {references: "users/{member}/references.jsonl", limits: lenient}\n'
        "customers: customers.json\nrelease: {version: 1.0.0, sdk: '>=1.0.0'}\n")
    (folder / "customers.json").write_text(json.dumps(
        [{"app_id": "11111111-1111-4111-8111-111111111111", "bundle_identifiers": ["com.example.app"]}]))
    description = json.dumps({
        "architecture": "dense", "inputs": [{"name": name} for name in NAMES],
        "layers": [{"weight": "coef.npy", "bias": "intercept.npy"}],
        "output": {"name": "score", "kind": "regressor"}})
    for index in range(count):
        member = folder / "users" / f"u{index:05}"
        member.mkdir(parents=True)
        (member / "model.json").write_text(description)
        np.save(member / "coef.npy", random.normal(size=(1, FEATURES)).astype(np.float32))
        np.save(member / "intercept.npy", random.normal(size=1).astype(np.float32))
        rows = random.normal(size=(REFERENCES, FEATURES)).round(4)
        (member / "references.jsonl").write_text(
            "".join(json.dumps({"input": {"values": row.tolist()}}) + "\n" for row in rows))


def arrays(folder: pathlib.Path):
    for member in sorted((folder / "users").iterdir()):
        yield member, np.load(member / "coef.npy"), np.load(member / "intercept.npy")


def save_coreml(folder: pathlib.Path) -> None:
    import coremltools as ct
    output = folder.parent / "mlmodels"
    output.mkdir(exist_ok=True)
    for member, weights, bias in arrays(folder):
        spec = ct.proto.Model_pb2.Model()
        spec.specificationVersion = 1
        for name in NAMES:
            feature = spec.description.input.add()
            feature.name = name
            feature.type.doubleType.SetInParent()
        result = spec.description.output.add()
        result.name = spec.description.predictedFeatureName = "score"
        result.type.doubleType.SetInParent()
        spec.glmRegressor.weights.add().value.extend(weights[0].tolist())
        spec.glmRegressor.offset.extend(bias.tolist())
        ct.models.utils.save_spec(spec, str(output / f"{member.name}.mlmodel"))


def run_numpy(folder: pathlib.Path) -> None:
    for member, weights, bias in arrays(folder):
        lines = (member / "references.jsonl").read_text().splitlines()
        rows = np.array([json.loads(line)["input"]["values"] for line in lines], np.float32)
        if not np.isfinite(rows @ weights.T + bias).all():
            sys.exit(f"{member.name}: an output is not finite")


folder, count = pathlib.Path(sys.argv[2]), int(sys.argv[3])
if sys.argv[1] == "make":
    make(folder, count)
else:
    # Imports are not what is measured.
    if sys.argv[1] == "coremltools":
        import coremltools  # noqa: F401
    start, processor = time.perf_counter(), os.times()
    {"coremltools": save_coreml, "numpy": run_numpy}[sys.argv[1]](folder)
    end = os.times()
    wall = time.perf_counter() - start
    used = end.user + end.system - processor.user - processor.system
    print(f"{wall * 1000 / count:.3f} ms of wall time, {used * 1000 / count:.3f} ms of processor time a model")
