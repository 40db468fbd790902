"""Writes ONNX models of tables and trees, rows, and what ONNX Runtime gives for them.

    make_onnx.py OUT

Each folder OUT/NAME has model.onnx as the converter writes it, about.json, the rows and the outputs of ONNX
Runtime on one thread. Rows of numbers are rows.f64; where an input has texts, rows.jsonl has a list of cells,
one for each input, a line for each row. expected.f64 has the numbers of all outputs that are no labels, and
labels.jsonl the labels, where there are any.
"""

import json
import os
import sys
import warnings

warnings.filterwarnings("ignore")

import catboost
import lightgbm
import numpy as np
import onnx
import onnxmltools
import onnxruntime
import pandas
import skl2onnx
import sklearn
import xgboost
from onnx import TensorProto, helper, numpy_helper
from onnxmltools.convert.common.data_types import FloatTensorType as ToolsFloats
from skl2onnx.common.data_types import (
    DoubleTensorType, FloatTensorType, Int64TensorType, StringTensorType,
)
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import *
from sklearn.impute import SimpleImputer
from sklearn.linear_model import *
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import *
from sklearn.tree import *

COUNT, WIDTH = 1000, 8
RANDOM = np.random.default_rng(20)
X = RANDOM.normal(size=(COUNT, WIDTH)).astype(np.float32)
THREE = np.digitize(X[:, 0] + X[:, 1] * X[:, 2] + RANDOM.normal(size=COUNT) * 0.3, [-0.6, 0.6])
TWO = (THREE > 0).astype(int)
TEXTS = np.array(["low", "mid", "high"])[THREE]
VALUES = X[:, 0] * 3 + X[:, 1] ** 2 + 0.1 * X[:, 3]
PAIRS = np.stack([VALUES, X[:, 2] - VALUES], 1)
MISSING = X.copy()
MISSING[RANDOM.random(X.shape) < 0.1] = np.nan
COUNTS = X.copy()
COUNTS[:, :2] = RANDOM.integers(0, 6, (COUNT, 2))
FRAME = pandas.DataFrame({
    "level": X[:, 0],
    "age": MISSING[:, 1],
    "city": RANDOM.choice(["Bern", "Köln", "Łódź"], COUNT),
    "kind": RANDOM.choice(["r", "g"], COUNT),
})
COLUMNS = [("level", FloatTensorType([None, 1])), ("age", FloatTensorType([None, 1])),
           ("city", StringTensorType([None, 1])), ("kind", StringTensorType([None, 1]))]
PLAIN, PROBS = {}, {"zipmap": False}


def floats(width=WIDTH):
    return [("x", FloatTensorType([None, width]))]


def sequences(value):
    """The numbers of an output, one row each."""
    if isinstance(value, list):
        return np.array([list(row.values()) for row in value], dtype=np.float64)
    value = np.asarray(value)
    # Several forests have an axis of their own before that of the rows.
    value = np.moveaxis(value, 1, 0) if value.ndim == 3 else value
    return value.reshape(len(value), -1).astype(np.float64)


def write(out, name, model, rows, library, tolerance=0.0):
    """rows: an array of numbers, or a frame whose columns are inputs."""
    folder = os.path.join(out, name)
    os.makedirs(folder, exist_ok=True)
    data = model if isinstance(model, bytes) else model.SerializeToString()
    with open(os.path.join(folder, "model.onnx"), "wb") as file:
        file.write(data)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    types = {"tensor(float)": np.float32, "tensor(double)": np.float64, "tensor(int64)": np.int64,
             "tensor(string)": object}
    about = {"library": library, "file": "model.onnx", "rows": len(rows), "of": "outputs",
             "tolerance": tolerance}
    inputs = session.get_inputs()
    if isinstance(rows, pandas.DataFrame):
        feed = {i.name: rows[[i.name]].to_numpy().astype(types[i.type]) for i in inputs}
        with open(os.path.join(folder, "rows.jsonl"), "w") as file:
            for place in range(len(rows)):
                cells = [feed[i.name][place].tolist() for i in inputs]
                cells = [[None if v != v else v for v in cell] for cell in cells]
                file.write(json.dumps(cells) + "\n")
        about["features"] = len(inputs)
    else:
        feed = {inputs[0].name: rows.astype(types[inputs[0].type])}
        rows.astype("<f8").tofile(os.path.join(folder, "rows.f64"))
        about["features"] = rows.shape[1]
    numbers, labels = [], None
    for output, value in zip(session.get_outputs(), session.run(None, feed)):
        is_label = "int64" in output.type or "string" in output.type
        if is_label and "map" not in output.type:
            labels = np.asarray(value).reshape(len(rows), -1)
        else:
            numbers.append(sequences(value))
    expected = np.concatenate(numbers, axis=1)
    expected.astype("<f8").tofile(os.path.join(folder, "expected.f64"))
    about["outputs"] = expected.shape[1]
    about["labels"] = labels is not None
    if labels is not None:
        with open(os.path.join(folder, "labels.jsonl"), "w") as file:
            for row in labels.tolist():
                file.write(json.dumps(row) + "\n")
    with open(os.path.join(folder, "about.json"), "w") as file:
        json.dump(about, file, indent=1, sort_keys=True)


def scikit(out, name, model, x, y, types=None, rows=None, opset=None, options=None, tolerance=0.0):
    model.fit(x, y)
    made = skl2onnx.convert_sklearn(model, initial_types=types or floats(), target_opset=opset,
                                    options=options)
    write(out, name, made, x if rows is None else rows,
          f"skl2onnx {skl2onnx.__version__}, scikit-learn {sklearn.__version__}", tolerance)


def main(out):
    tree = dict(max_depth=6, random_state=0)
    few = dict(n_estimators=30, max_depth=5, random_state=0)
    late = {"": 21, "ai.onnx.ml": 3}
    # Trees
    scikit(out, "tree-3-texts", DecisionTreeClassifier(**tree), X, TEXTS)
    scikit(out, "tree-2", DecisionTreeClassifier(**tree), X, TWO, options=PROBS)
    scikit(out, "tree-columns", DecisionTreeClassifier(**tree), X, TEXTS, options={"zipmap": "columns"})
    scikit(out, "tree-pairs", DecisionTreeRegressor(**tree), X, PAIRS)
    scikit(out, "tree-integers", DecisionTreeClassifier(**tree), COUNTS.round(), THREE,
           types=[("x", Int64TensorType([None, WIDTH]))], rows=COUNTS.round())
    scikit(out, "forest-3", RandomForestClassifier(**few), X, THREE)
    scikit(out, "forest-2", RandomForestClassifier(**few), X, TWO, opset={"": 11, "ai.onnx.ml": 1})
    scikit(out, "forest-values", RandomForestRegressor(**few), X, VALUES, opset={"": 15, "ai.onnx.ml": 3})
    scikit(out, "forest-several", RandomForestClassifier(n_estimators=4, max_depth=3, random_state=0), X,
           np.stack([THREE, TWO], 1), options=PROBS, tolerance=1e-6)
    scikit(out, "extra-3-texts", ExtraTreesClassifier(**few), X, TEXTS, options=PROBS)
    scikit(out, "extra-values", ExtraTreesRegressor(**few), X, VALUES)
    for opset in ({"": 11, "ai.onnx.ml": 1}, late):
        tag = f"{opset['']}"
        scikit(out, f"boosting-3-{tag}", GradientBoostingClassifier(n_estimators=20, random_state=0), X, TEXTS,
               opset=opset, tolerance=1e-6)
        scikit(out, f"boosting-2-{tag}", GradientBoostingClassifier(n_estimators=20, random_state=0), X, TWO,
               opset=opset, tolerance=1e-6)
        scikit(out, f"boosting-values-{tag}", GradientBoostingRegressor(n_estimators=20, random_state=0), X,
               VALUES, opset=opset)
    scikit(out, "boosting-raw", GradientBoostingClassifier(n_estimators=9, random_state=0), X, TWO,
           options={"raw_scores": True})
    scikit(out, "double-3", RandomForestClassifier(**few), X, THREE, types=[("x", DoubleTensorType([None, WIDTH]))],
           opset=late, options=PROBS)
    # ONNX Runtime refuses regressors of doubles as skl2onnx writes them: their output is float.
    # HistGradientBoosting: skl2onnx hands numpy's integers to onnx, which wants Python's.
    plain = helper.make_attribute

    def made(key, value, *rest, **named):
        if isinstance(value, list) and any(isinstance(v, (np.integer, np.bool_, bool)) for v in value):
            value = [int(v) for v in value]
        return plain(key, value, *rest, **named)

    helper.make_attribute = made
    scikit(out, "hist-3", HistGradientBoostingClassifier(max_iter=10, random_state=0), MISSING, THREE,
           tolerance=1e-6)
    scikit(out, "hist-2", HistGradientBoostingClassifier(max_iter=10, random_state=0), MISSING, TWO,
           tolerance=1e-6)
    scikit(out, "hist-values", HistGradientBoostingRegressor(max_iter=10, random_state=0), MISSING, VALUES)
    helper.make_attribute = plain
    isolation = IsolationForest(n_estimators=20, max_samples=64, random_state=0).fit(X)
    write(out, "isolation", skl2onnx.convert_sklearn(isolation, initial_types=floats(), target_opset=late), X,
          f"skl2onnx {skl2onnx.__version__}", 1e-6)
    # Linear models, networks, and what stands before them
    scikit(out, "logistic-3", LogisticRegression(), X, TEXTS, tolerance=1e-6)
    scikit(out, "logistic-2", LogisticRegression(), X, TWO, options=PROBS, tolerance=1e-6)
    scikit(out, "logistic-raw", LogisticRegression(), X, THREE, options={"raw_scores": True}, tolerance=1e-6)
    scikit(out, "logistic-double", LogisticRegression(), X, THREE, types=[("x", DoubleTensorType([None, WIDTH]))],
           options=PROBS, tolerance=1e-6)
    scikit(out, "linear-pairs", LinearRegression(), X, PAIRS, tolerance=1e-6)
    scikit(out, "ridge-scaled", make_pipeline(MinMaxScaler(clip=True), Ridge()), X, VALUES, tolerance=1e-6)
    scikit(out, "stochastic", make_pipeline(MaxAbsScaler(), RobustScaler(), Normalizer(),
                                            SGDClassifier(loss="log_loss", random_state=0)), X, THREE,
           tolerance=1e-6)
    scikit(out, "poisson", PoissonRegressor(), X, np.abs(VALUES), tolerance=1e-6)
    scikit(out, "polynomial", make_pipeline(PolynomialFeatures(2), LogisticRegression(max_iter=500)), X[:, :4],
           THREE, types=floats(4), tolerance=1e-6)
    scikit(out, "bins", make_pipeline(KBinsDiscretizer(4, encode="onehot-dense"), LogisticRegression()), X, THREE,
           tolerance=1e-6)
    scikit(out, "perceptron", Perceptron(random_state=0), X, THREE, tolerance=1e-6)
    scikit(out, "imputed-forest", make_pipeline(SimpleImputer(strategy="median"), MinMaxScaler(),
                                                RandomForestClassifier(**few)), MISSING, THREE)
    network = dict(max_iter=60, random_state=0)
    for tag, opset in (("11", {"": 11, "ai.onnx.ml": 1}), ("21", late)):
        scikit(out, f"network-3-{tag}", make_pipeline(StandardScaler(), MLPClassifier((12, 7), **network)), X, TEXTS,
               opset=opset, tolerance=1e-6)
        scikit(out, f"network-2-{tag}", MLPClassifier((9,), activation="tanh", **network), X, TWO, opset=opset,
               tolerance=1e-6)
        scikit(out, f"network-values-{tag}",
               MLPRegressor(hidden_layer_sizes=(9, 5), activation="logistic", **network), X, VALUES, opset=opset,
               tolerance=1e-6)
    scikit(out, "ada", AdaBoostClassifier(n_estimators=4, random_state=0), X, THREE, tolerance=1e-6)
    scikit(out, "bagging", BaggingClassifier(n_estimators=4, random_state=0), X, THREE, tolerance=1e-6)
    # Columns of several types
    for tag, opset in (("11", {"": 11, "ai.onnx.ml": 3}), ("21", {"": 21, "ai.onnx.ml": 5})):
        columns = ColumnTransformer([
            ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), ["level", "age"]),
            ("texts", OneHotEncoder(handle_unknown="ignore"), ["city", "kind"])])
        unknown = FRAME.copy()
        unknown.loc[::7, "city"] = "Oslo"
        for name, model, y in (("logistic", LogisticRegression(), TEXTS),
                               ("forest", RandomForestRegressor(**few), VALUES)):
            scikit(out, f"columns-{name}-{tag}", make_pipeline(columns, model), FRAME, y, types=COLUMNS,
                   rows=unknown, opset=opset, tolerance=1e-6)
    ordinal = ColumnTransformer([
        ("numbers", SimpleImputer(), ["level", "age"]),
        ("texts", OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1), ["city", "kind"])])
    scikit(out, "columns-ordinal", make_pipeline(ordinal, DecisionTreeClassifier(**tree)), FRAME, TEXTS,
           types=COLUMNS, rows=unknown)
    dropped = ColumnTransformer([("texts", OneHotEncoder(drop="first"), ["city", "kind"])], remainder="passthrough")
    three = FRAME[["level", "city", "kind"]]
    scikit(out, "columns-dropped", make_pipeline(dropped, LinearRegression()), three, VALUES,
           types=[COLUMNS[0], COLUMNS[2], COLUMNS[3]], tolerance=1e-6)
    counted = ColumnTransformer([("counts", OneHotEncoder(), [0, 1]), ("numbers", StandardScaler(), [2, 3, 4])],
                                remainder="passthrough")
    scikit(out, "columns-counts", make_pipeline(counted, LinearRegression()), COUNTS, VALUES, tolerance=1e-6)
    # Other libraries
    tools = f"onnxmltools {onnxmltools.__version__}"
    given = [("x", ToolsFloats([None, WIDTH]))]
    one = dict(n_estimators=20, max_depth=4, random_state=0)
    for name, model, y in (
            ("3", xgboost.XGBClassifier(nthread=1, **one), THREE),
            ("2", xgboost.XGBClassifier(nthread=1, **one), TWO),
            ("values", xgboost.XGBRegressor(nthread=1, **one), VALUES),
            ("poisson", xgboost.XGBRegressor(nthread=1, objective="count:poisson", **one), np.abs(VALUES)),
            ("forest", xgboost.XGBRFClassifier(nthread=1, **one), TWO)):
        model.fit(MISSING, y)
        write(out, f"xgboost-{name}", onnxmltools.convert_xgboost(model, initial_types=given), MISSING,
              f"{tools}, xgboost {xgboost.__version__}", 0 if name == "values" else 1e-6)
    quiet = dict(n_jobs=1, verbose=-1, **one)
    for name, model, y in (
            ("3", lightgbm.LGBMClassifier(**quiet), THREE),
            ("2", lightgbm.LGBMClassifier(**quiet), TWO),
            ("values", lightgbm.LGBMRegressor(**quiet), VALUES),
            ("poisson", lightgbm.LGBMRegressor(objective="poisson", **quiet), np.abs(VALUES)),
            ("forest", lightgbm.LGBMClassifier(boosting_type="rf", subsample=0.5, subsample_freq=1, **quiet), TWO)):
        model.fit(X, y)
        write(out, f"lightgbm-{name}", onnxmltools.convert_lightgbm(model, initial_types=given), X,
              f"{tools}, lightgbm {lightgbm.__version__}", 0 if name == "values" else 1e-6)
        if name == "3":
            write(out, "lightgbm-3-plain", onnxmltools.convert_lightgbm(model, initial_types=given, zipmap=False),
                  X, f"{tools}, lightgbm {lightgbm.__version__}", 1e-6)
        if name == "values":
            write(out, "lightgbm-split", onnxmltools.convert_lightgbm(model, initial_types=given, split=6), X,
                  f"{tools}, lightgbm {lightgbm.__version__}", 1e-6)
    categories = lightgbm.LGBMRegressor(min_child_samples=5, min_data_per_group=5, cat_smooth=1, **quiet)
    categories.fit(COUNTS, COUNTS[:, 0] % 3 + VALUES * 0.1, categorical_feature=[0, 1])
    write(out, "lightgbm-categories", onnxmltools.convert_lightgbm(categories, initial_types=given), COUNTS,
          f"{tools}, lightgbm {lightgbm.__version__}")
    for name, model, y in (
            ("3", catboost.CatBoostClassifier(iterations=20, depth=4, thread_count=1, verbose=0), TEXTS),
            ("2", catboost.CatBoostClassifier(iterations=20, depth=4, thread_count=1, verbose=0), TWO),
            ("values", catboost.CatBoostRegressor(iterations=20, depth=4, thread_count=1, verbose=0), VALUES)):
        model.fit(X, y)
        path = os.path.join(out, "catboost.onnx")
        model.save_model(path, format="onnx")
        with open(path, "rb") as file:
            write(out, f"catboost-{name}", file.read(), X, f"catboost {catboost.__version__}", 1e-6)
        os.remove(path)
    made_by_hand(out)


def made_by_hand(out):
    """What converters do not write yet: trees of version 3 and 5, and how two classes are decided."""
    random = np.random.default_rng(5)
    rows = COUNTS.copy()
    rows[RANDOM.random(rows.shape) < 0.1] = np.nan
    library = f"onnx {onnx.__version__}"

    def save(name, nodes, outputs, version, kind=TensorProto.FLOAT, tolerance=0.0):
        graph = helper.make_graph(
            nodes, name, [helper.make_tensor_value_info("x", kind, [None, WIDTH])],
            [helper.make_tensor_value_info(n, t, None) for n, t in outputs])
        imports = [helper.make_opsetid("ai.onnx.ml", version), helper.make_opsetid("", 18)]
        write(out, name, helper.make_model(graph, opset_imports=imports, ir_version=9), rows, library, tolerance)

    def shape(index, depth=3):
        """A full tree of mixed modes, in the lists of version 1."""
        modes = ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ"]
        inner, count = 2 ** depth - 1, 2 ** (depth + 1) - 1
        feature = random.integers(0, WIDTH, count)
        value = np.where(feature < 2, random.integers(0, 6, count), random.normal(size=count))
        return dict(
            nodes_treeids=[index] * count, nodes_nodeids=list(range(count)),
            nodes_featureids=[int(f) if n < inner else 0 for n, f in enumerate(feature)],
            nodes_modes=[modes[random.integers(6)] if n < inner else "LEAF" for n in range(count)],
            nodes_values=[float(v) if n < inner else 0.0 for n, v in enumerate(value)],
            nodes_truenodeids=[2 * n + 1 if n < inner else 0 for n in range(count)],
            nodes_falsenodeids=[2 * n + 2 if n < inner else 0 for n in range(count)],
            nodes_missing_value_tracks_true=[int(random.integers(2)) for _ in range(count)],
        ), list(range(inner, count))

    def joined(trees):
        return {key: sum((t[0][key] for t in trees), []) for key in trees[0][0]}

    def leaves(trees, kind, ids, weight):
        lists = {f"{kind}_treeids": [], f"{kind}_nodeids": [], f"{kind}_ids": [], f"{kind}_weights": []}
        for index, (_, nodes) in enumerate(trees):
            for node in nodes:
                for target in ids(index):
                    lists[f"{kind}_treeids"].append(index)
                    lists[f"{kind}_nodeids"].append(node)
                    lists[f"{kind}_ids"].append(target)
                    lists[f"{kind}_weights"].append(float(weight()))
        return lists

    mixed, share = random.normal, lambda: random.random() / 7
    for aggregate in ("SUM", "AVERAGE", "MIN", "MAX"):
        for targets in (1, 2):
            trees = [shape(i) for i in range(7)]
            node = helper.make_node(
                "TreeEnsembleRegressor", ["x"], ["y"], domain="ai.onnx.ml", n_targets=targets,
                aggregate_function=aggregate, base_values=[0.3, -0.7][:targets], **joined(trees),
                **leaves(trees, "target", lambda _: range(targets), mixed))
            save(f"hand-{aggregate.lower()}-{targets}", [node], [("y", TensorProto.FLOAT)], 3)
    cases = {
        "one-mixed": (lambda _: [0], mixed, [], "NONE"), "one-share": (lambda _: [0], share, [], "NONE"),
        "one-logistic": (lambda _: [0], mixed, [], "LOGISTIC"), "one-base": (lambda _: [0], mixed, [0.4], "LOGISTIC"),
        "both-mixed": (lambda _: [0, 1], mixed, [], "NONE"), "both-share": (lambda _: [0, 1], share, [], "NONE"),
        "both-softmax": (lambda _: [0, 1], mixed, [], "SOFTMAX"),
        "both-logistic": (lambda _: [0, 1], mixed, [], "LOGISTIC"),
        "both-one-base": (lambda _: [0, 1], mixed, [0.4], "NONE"),
        "turns": (lambda i: [i % 2], mixed, [], "NONE"),
        "one-softmax": (lambda _: [0], mixed, [], "SOFTMAX"),
        "share-logistic": (lambda _: [0], share, [], "LOGISTIC"),
        "share-softmax": (lambda _: [0], share, [], "SOFTMAX"),
        "share-base": (lambda _: [0], share, [-0.4], "NONE"),
    }
    for name, (ids, weight, base, transform) in cases.items():
        trees = [shape(i) for i in range(6)]
        node = helper.make_node(
            "TreeEnsembleClassifier", ["x"], ["label", "y"], domain="ai.onnx.ml", post_transform=transform,
            classlabels_strings=["no", "yes"], **({"base_values": base} if base else {}), **joined(trees),
            **leaves(trees, "class", ids, weight))
        save(f"hand-two-{name}", [node], [("label", TensorProto.STRING), ("y", TensorProto.FLOAT)], 3,
             tolerance=1e-6 if transform != "NONE" else 0)
    for name, transform in (("softmax", "SOFTMAX"), ("zero", "SOFTMAX_ZERO"), ("logistic", "LOGISTIC")):
        trees = [shape(i) for i in range(6)]
        node = helper.make_node(
            "TreeEnsembleClassifier", ["x"], ["label", "y"], domain="ai.onnx.ml", post_transform=transform,
            classlabels_int64s=[7, 5, 3, 9], **joined(trees), **leaves(trees, "class", lambda i: [i % 3], mixed))
        save(f"hand-four-{name}", [node], [("label", TensorProto.INT64), ("y", TensorProto.FLOAT)], 1,
             tolerance=1e-6)
    trees = [shape(i) for i in range(7)]
    lists, ends = joined(trees), leaves(trees, "target", lambda _: [0], mixed)
    tensor = lambda name, values: numpy_helper.from_array(np.array(values, dtype=np.float64), name)
    lists["nodes_values_as_tensor"] = tensor("v", lists.pop("nodes_values"))
    ends["target_weights_as_tensor"] = tensor("w", ends.pop("target_weights"))
    node = helper.make_node("TreeEnsembleRegressor", ["x"], ["y"], domain="ai.onnx.ml", n_targets=1, **lists, **ends)
    save("hand-tensors", [node], [("y", TensorProto.FLOAT)], 3, TensorProto.DOUBLE)
    for kind, real in ((TensorProto.FLOAT, np.float32), (TensorProto.DOUBLE, np.float64)):
        for targets, transform in ((1, 0), (3, 0)):
            tensor = lambda name, values: numpy_helper.from_array(np.array(values, dtype=real), name)
            count, size = 6, 7
            modes, features, splits, members = [], [], [], []
            for _ in range(count * size):
                mode = int(random.integers(7))
                feature = int(random.integers(2)) if mode in (4, 5, 6) else int(random.integers(WIDTH))
                modes.append(mode)
                features.append(feature)
                splits.append(0.0 if mode == 6 else float(random.integers(6)) if feature < 2 else random.normal())
                if mode == 6:
                    members += [float(v) for v in random.choice(5, 2, replace=False) + 1] + [float("nan")]
            inner = lambda n: n % size < size // 2
            first = lambda n: n - n % size
            child = lambda n, side: first(n) + 2 * (n % size) + side if inner(n) \
                else (n // size) * 8 + (n % size - 3) * 2 + side - 1
            node = helper.make_node(
                "TreeEnsemble", ["x"], ["y"], domain="ai.onnx.ml", n_targets=targets, post_transform=transform,
                aggregate_function=1, tree_roots=[size * t for t in range(count)], nodes_featureids=features,
                nodes_modes=numpy_helper.from_array(np.array(modes, dtype=np.uint8), "m"),
                nodes_splits=tensor("s", splits), membership_values=tensor("k", members),
                nodes_truenodeids=[child(n, 1) for n in range(count * size)],
                nodes_falsenodeids=[child(n, 2) for n in range(count * size)],
                nodes_trueleafs=[int(not inner(n)) for n in range(count * size)],
                nodes_falseleafs=[int(not inner(n)) for n in range(count * size)],
                nodes_missing_value_tracks_true=[int(v) for v in random.integers(0, 2, count * size)],
                leaf_targetids=[int(v) for v in random.integers(0, targets, count * 8)],
                leaf_weights=tensor("w", random.normal(size=count * 8)))
            name = f"hand-five-{targets}-{transform}-{np.dtype(real).name}"
            save(name, [node], [("y", kind)], 5, kind, 1e-6 if transform else 0)
    plain_operators(out)


def plain_operators(out):
    """Operators that converters seldom write, a number of each row from each."""
    random = np.random.default_rng(6)
    rows = COUNTS.copy()
    rows[RANDOM.random(rows.shape) < 0.05] = np.nan
    nodes, tensors, parts = [], [], []

    def constant(name, values, kind=np.float32):
        tensors.append(numpy_helper.from_array(np.array(values, dtype=kind), name))
        return name

    def step(kind, inputs, domain="", keep=True, **attributes):
        name = f"v{len(nodes)}"
        nodes.append(helper.make_node(kind, inputs, [name], domain=domain, **attributes))
        if keep:
            parts.append(name)
        return name

    ml = "ai.onnx.ml"
    missing = step("IsNaN", ["x"], keep=False)
    x = step("Where", [missing, constant("filler", [0.25]), "x"])
    step("Gemm", [x, constant("b", random.normal(size=(3, WIDTH))), constant("c", random.normal(size=3))],
         transB=1, alpha=0.5, beta=2.0)
    step("Gemm", [x, constant("d", random.normal(size=(WIDTH, 4)))])
    step("Flatten", [x], axis=1)
    three = step("Unsqueeze", [x, constant("last", [2], np.int64)], keep=False)
    turned = step("Transpose", [three], keep=False, perm=[0, 2, 1])
    step("Squeeze", [turned, constant("middle", [1], np.int64)])
    step("Slice", [x, constant("starts", [-3], np.int64), constant("ends", [9999], np.int64),
                   constant("axes", [1], np.int64)])
    step("Gather", [x, constant("places", [2, 0, -1], np.int64)], axis=1)
    step("ArrayFeatureExtractor", [x, constant("columns", [7, 1], np.int64)], ml)
    for kind in ("ReduceProd", "ReduceMax", "ReduceMin"):
        step(kind, [x, constant(kind + "axes", [1], np.int64)])
    step("Clip", [x, constant("low", -0.5), constant("high", 0.75)])
    root = step("Sqrt", [step("Abs", [x])])
    # Sums of numbers of one sign: several are added at once, in an order that is ONNX Runtime's own.
    step("ReduceMean", [root, constant("meanaxes", [1], np.int64)])
    step("ReduceSum", [root, constant("sumaxes", [-1], np.int64)])
    for kind in ("Floor", "Sign", "Neg"):
        step(kind, [x])
    for kind in ("Min", "Max", "Mean", "Sum"):
        step(kind, [x, root, constant(kind + "other", random.normal(size=WIDTH))])
    step("Pow", [root, constant("two", [2.0])])
    step("Div", [x, constant("seven", [7.0])])
    step("FeatureVectorizer", [x, root], ml, inputdimensions=[WIDTH, WIDTH])
    for kind in ("Less", "LessOrEqual", "Greater", "GreaterOrEqual", "Equal"):
        step("Cast", [step(kind, [x, constant(kind + "limit", [1.0])], keep=False)], to=TensorProto.FLOAT)
    both = step("And", [step("Less", [x, "seven"], keep=False), step("Not", [missing], keep=False)], keep=False)
    step("Cast", [step("Or", [both, missing], keep=False)], to=TensorProto.FLOAT)
    for kind in ("ArgMax", "ArgMin"):
        step("Cast", [step(kind, [x], keep=False, axis=1, keepdims=1)], to=TensorProto.FLOAT)
    whole = step("Cast", [step("Floor", [x], keep=False)], keep=False, to=TensorProto.INT64)
    filled = step("Imputer", [whole], ml, keep=False, imputed_value_int64s=[9], replaced_value_int64=0)
    step("Cast", [filled], to=TensorProto.FLOAT)
    step("LabelEncoder", [filled], ml, keys_tensor=numpy_helper.from_array(np.array([9, 1, -1]), "k"),
         values_tensor=numpy_helper.from_array(np.array([0.5, 1.5, 2.5], dtype=np.float32), "v"),
         default_tensor=numpy_helper.from_array(np.array([-3], dtype=np.float32), "o"))
    step("Normalizer", [x], ml, norm="MAX")
    step("Scaler", [x], ml, offset=[0.5], scale=[3.0])
    step("Softmax", [x], axis=1)
    shape = step("Shape", [x], keep=False)
    step("ConstantOfShape", [shape], value=numpy_helper.from_array(np.array([2.5], dtype=np.float32), "f"))
    nodes.append(helper.make_node("Concat", parts, ["y"], axis=1))
    graph = helper.make_graph(
        nodes, "plain", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [None, WIDTH])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)], tensors)
    imports = [helper.make_opsetid("", 18), helper.make_opsetid(ml, 4)]
    write(out, "hand-plain", helper.make_model(graph, opset_imports=imports, ir_version=9), rows,
          f"onnx {onnx.__version__}", 1e-6)


if __name__ == "__main__":
    main(sys.argv[1])
