"""Makes pipelines in ONNX whose corners are easily got wrong, with rows and what ONNX Runtime gives.

usage: make_pipeline_corners.py OUT

Writes for each model a folder OUT/NAME:
  model.onnx
  rows.json      rows by names, as Core ML takes them
  inputs.json    the same rows by place; a missing value is null
  expected.json  for each row the numbers of ONNX Runtime, as texts: JSON has no NaN
  labels.json    its labels, as texts; empty of regressions
Prints the names as a JSON list.
"""
import json
import sys
import warnings
from pathlib import Path

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from skl2onnx import convert_sklearn
from skl2onnx.common.data_types import FloatTensorType
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

warnings.filterwarnings("ignore")
random = np.random.default_rng(5)
X = random.normal(size=(200, 3)).astype(np.float32)
SUM = X @ [1, -2, 0.5] + random.normal(size=200) / 3
TWO = np.array(["no", "yes"])[(SUM > 0).astype(int)]
THREE = np.digitize(SUM, [-1, 1])
# Squares of 32 bits overflow from 1.9e19 on, and lose digits below 1e-16.
SIZES = [[3, -4, 0], [0, 0, 0], [1e19, 1, 2], [1.3e19, 1.3e19, 1.3e19], [2e19, 0, 0], [-1e30, 1e20, 3], [3e38, 3e38, 1],
         [1e-10, -2e-10, 0], [1e-14, 0, 0], [1e-17, 2e-17, 0], [1e-22, -2e-22, 0], [1e-30, 0, 0], [1e-40, 1e-40, 0],
         [1e-30, 1, 0], [-5, -3, -1], [1e-3, 1e15, 2]]


def write(out: Path, name: str, model, rows: np.ndarray) -> str:
    folder = out / name
    folder.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    rows = np.asarray(rows, np.float32)
    results = [session.run(None, {"x": row[None]}) for row in rows]
    has_labels = len(results[0]) > 1
    labels = [str(result[0].reshape(-1)[0]) for result in results] if has_labels else []
    numbers = [[repr(float(x)) for x in np.asarray(result[-1]).reshape(-1)] for result in results]
    values = [[None if np.isnan(x) else float(x) for x in row] for row in rows]
    named = [{f"f{place}": x for place, x in enumerate(row)} for row in values]
    for file, content in (("rows", named), ("inputs", values), ("expected", numbers), ("labels", labels)):
        (folder / f"{file}.json").write_text(json.dumps(content))
    return name


def graph(nodes, outputs=(("y", TensorProto.FLOAT),), width=3, constants=()):
    made = helper.make_graph(
        nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [None, width])],
        [helper.make_tensor_value_info(name, kind, None) for name, kind in outputs],
        [numpy_helper.from_array(np.asarray(array), name) for name, array in constants])
    return helper.make_model(
        made, opset_imports=[helper.make_opsetid("", 15), helper.make_opsetid("ai.onnx.ml", 3)], ir_version=8)


def ml(kind, inputs, outputs, **attributes):
    return helper.make_node(kind, inputs, outputs, domain="ai.onnx.ml", **attributes)


def linear(source, targets=1, **attributes):
    return ml("LinearRegressor", [source], ["y"], coefficients=[0.5, -1.0, 0.25] * targets, intercepts=[0.25] * targets,
              targets=targets, **attributes)


def learned(estimator, y, zipmap=True):
    options = {id(estimator): {"zipmap": False}} if zipmap else None
    return convert_sklearn(estimator.fit(X, y), initial_types=[("x", FloatTensorType([None, 3]))], options=options)


def votes(count: int):
    """Stumps over one number each, that vote with 1 / count; rows with every number of votes."""
    nodes = {key: [] for key in ("treeids", "nodeids", "featureids", "values", "modes", "truenodeids", "falsenodeids")}
    weights = []
    for tree in range(count):
        for node, (mode, yes, no) in enumerate([("BRANCH_LEQ", 1, 2), ("LEAF", 0, 0), ("LEAF", 0, 0)]):
            for key, value in zip(nodes, (tree, node, tree % 3, tree + 0.5 if node == 0 else 0.0, mode, yes, no)):
                nodes[key].append(value)
        weights += [(tree, 1, 0.0), (tree, 2, 1 / count)]
    forest = ml(
        "TreeEnsembleClassifier", ["s"], ["label", "y"], classlabels_strings=["no", "yes"], post_transform="NONE",
        class_treeids=[w[0] for w in weights], class_nodeids=[w[1] for w in weights], class_ids=[0] * len(weights),
        class_weights=[w[2] for w in weights], **{f"nodes_{key}": value for key, value in nodes.items()})
    scaler = ml("Scaler", ["x"], ["s"], offset=[1.0], scale=[2.0])
    rows = [[(k + 2) / 2] * 3 for k in range(count + 1)]
    return graph([scaler, forest], (("label", TensorProto.STRING), ("y", TensorProto.FLOAT))), rows


def stumps(source: str):
    """Stumps over three columns, each with a bit of its own, so that the sum tells where a row goes everywhere."""
    nodes = {key: [] for key in ("treeids", "nodeids", "featureids", "values", "modes", "truenodeids", "falsenodeids",
                                 "missing_value_tracks_true")}
    weights = []
    for tree, (column, threshold) in enumerate((c, t) for c in range(3) for t in (-0.75, -1e-30, 0.0, 1e-9, 0.4)):
        for node, (mode, yes, no) in enumerate([("BRANCH_LEQ", 1, 2), ("LEAF", 0, 0), ("LEAF", 0, 0)]):
            inner = node == 0
            entry = (tree, node, column if inner else 0, threshold if inner else 0.0, mode, yes, no, int(inner and tree % 2))
            for key, value in zip(nodes, entry):
                nodes[key].append(value)
        weights += [(tree, 1, 2.0 ** tree), (tree, 2, 0.0)]
    return ml(
        "TreeEnsembleRegressor", [source], ["y"], n_targets=1, target_treeids=[w[0] for w in weights],
        target_nodeids=[w[1] for w in weights], target_ids=[0] * len(weights), target_weights=[w[2] for w in weights],
        **{f"nodes_{key}": value for key, value in nodes.items()})


def main(out: Path) -> None:
    names = []
    for name, y in (("two", TWO), ("three", THREE)):
        names.append(write(out, f"rest-{name}", learned(
            make_pipeline(StandardScaler(), OneVsRestClassifier(LogisticRegression())), y), X))
    names.append(write(out, "ridge-two", learned(make_pipeline(StandardScaler(), RidgeClassifier()), TWO, False), X))
    names.append(write(out, "rest-forest", learned(
        make_pipeline(StandardScaler(), OneVsRestClassifier(RandomForestClassifier(5, max_depth=3, random_state=0))), TWO),
        X))
    for word in ("LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO"):
        names.append(write(out, f"one-{word}", graph([linear("x", post_transform=word)]), X))
    names.append(write(out, "several-LOGISTIC", graph([linear("x", 2, post_transform="LOGISTIC")]), X))
    for norm in ("L1", "L2"):
        normalizer = ml("Normalizer", ["x"], ["n"], norm=norm)
        names.append(write(out, f"layers-{norm}", graph([normalizer, linear("n")]), SIZES))
        # The clip keeps the steps one by one.
        clip = [helper.make_node("Clip", ["n", "low"], ["c"]), helper.make_node("Add", ["c", "low"], ["y"])]
        names.append(write(out, f"steps-{norm}", graph(
            [normalizer, *clip], constants=[("low", np.float32(-0.5))]), SIZES))
    missing = [[np.nan, 1, 2], [3, np.nan, -4], [1, 2, np.nan], [np.nan, np.nan, np.nan], [np.nan, 0, 0],
               [np.nan, 3e38, 3e38], [1e-30, np.nan, 0]]
    for norm in ("L1", "L2", "MAX"):
        names.append(write(
            out, f"trees-{norm}", graph([ml("Normalizer", ["x"], ["n"], norm=norm), stumps("n")]), SIZES + missing))
        imputer = ml("Imputer", ["n"], ["i"], imputed_value_floats=[0.5, 2.0, -3.0], replaced_value_float=np.nan)
        names.append(write(
            out, f"imputer-{norm}", graph([ml("Normalizer", ["x"], ["n"], norm=norm), imputer, linear("i")]),
            SIZES + missing))
    for count in (2, 3, 4, 6, 10, 14, 20, 22, 50, 94, 100):
        names.append(write(out, f"votes-{count}", *votes(count)))
    print(json.dumps(names))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
