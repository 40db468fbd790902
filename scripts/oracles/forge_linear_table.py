"""Writes linear models whose references leave features alone, and forges Core ML models that were made of them.

usage: forge_linear_table.py make OUT
       forge_linear_table.py forge MODEL OUT
       forge_linear_table.py optional MODEL OUT

`make` writes OUT/sigmoid, OUT/softmax and OUT/length (a sigmoid of rows over their length), each with model/ (model.json
and npy arrays, as specs/formats/dense-model.md has them) and references.jsonl, whose rows never have the last category,
nor the last feature. `forge` changes one number of a `.mlmodel` at a time, by coremltools' own messages, and writes
OUT/NAME.mlmodel each. `optional` writes OUT, whose input 'flag' may be left out. Prints the names as a JSON list.
"""
import json
import logging
import sys
from pathlib import Path

import numpy as np

logging.disable(logging.WARNING)
import coremltools_alone  # noqa: E402, F401
from coremltools.proto import Model_pb2  # noqa: E402

INPUTS = [{"name": "age", "missing": 3.0}, {"name": "income", "missing": 1.0},
          {"name": "city", "kind": "category", "categories": ["oslo", "kyiv", "rome"], "encoding": "one-hot",
           "unknown": 3, "missing": 3},
          {"name": "flag", "kind": "boolean"}]
MODELS = {"sigmoid": ([[.5, -1, .3, -.4, 2, .7]], [.1], ["no", "yes"]),
          "softmax": ([[.5, -1, .3, -.4, 2, .7], [-.2, .6, 1.1, .9, -.8, .4], [1.3, .2, -.7, .5, .6, -.9]],
                      [.1, -.2, .3], ["ask", "skip", "wait"])}
MODELS["length"] = MODELS["sigmoid"]


def make(folder: Path) -> list[str]:
    for name, (weight, bias, labels) in MODELS.items():
        model = folder / name / "model"
        model.mkdir(parents=True)
        arrays = {"w": weight, "b": bias, "mu": [1, 2, 0, 0, 0, 0], "sigma": [2, 3, 1, 1, 1, 1]}
        for key, array in arrays.items():
            np.save(model / f"{key}.npy", np.array(array, np.float32))
        (model / "model.json").write_text(json.dumps({
            "architecture": "dense", "inputs": INPUTS, "standardize": {"mean": "mu", "scale": "sigma"},
            **({"normalize": "l2"} if name == "length" else {}),
            "layers": [{"weight": "w", "bias": "b", "activation": "softmax" if name == "softmax" else "sigmoid"}],
            "output": {"kind": "classifier", "labels": labels, "name": "sync"}}))
        random = np.random.default_rng(1)
        rows = [{"input": {"age": float(np.float32(random.normal())), "income": float(np.float32(random.normal())),
                           "city": ["oslo", "kyiv"][row % 2], "flag": False}} for row in range(60)]
        (folder / name / "references.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return list(MODELS)


def forge(path: Path, folder: Path) -> list[str]:
    data, names = path.read_bytes(), []

    def write(name, change):
        model = Model_pb2.Model()
        model.ParseFromString(data)
        change(model.pipelineClassifier.pipeline.models)
        (folder / f"{name}.mlmodel").write_bytes(model.SerializeToString(deterministic=True))
        names.append(name)

    def weight(place):
        def change(steps):
            last = steps[-1]
            if last.WhichOneof("Type") == "neuralNetworkClassifier":
                last.neuralNetworkClassifier.layers[0].innerProduct.weights.floatValue[place] = -50
            else:
                last.glmClassifier.weights[-1].value[place] = -50
        return change

    def scale(steps):
        next(step for step in steps if step.WhichOneof("Type") == "scaler").scaler.scaleValue[5] = -100

    folder.mkdir(parents=True)
    write("flag", weight(-1))
    write("rome", weight(-2))
    write("scaler", scale)
    return names


def let_out(path: Path, target: Path) -> list[str]:
    model = Model_pb2.Model()
    model.ParseFromString(path.read_bytes())
    place = next(place for place in model.description.input if place.name == "flag")
    place.type.isOptional = True
    target.write_bytes(model.SerializeToString(deterministic=True))
    return [place.name]


if sys.argv[1] == "optional":
    print(json.dumps(let_out(Path(sys.argv[2]), Path(sys.argv[3]))))
elif sys.argv[1] == "make":
    print(json.dumps(make(Path(sys.argv[2]))))
else:
    print(json.dumps(forge(Path(sys.argv[2]), Path(sys.argv[3]))))
