"""Trains small models of tables, lets coremltools convert each, and writes them down for the tests.

usage: make_tabular_coreml.py OUT

Needs coremltools 9.0, numpy below 2.4 and the last scikit-learn that coremltools converts, 1.5.1; and XGBoost.
Writes for each a folder OUT/NAME:
  theirs.mlmodel   what coremltools makes of it
  model.json       the same estimator's numbers, for Ingot to make a Core ML model of: see `trees_of` and `chain`
  rows.f64         raw little-endian doubles, a row after another, NaN where missing; or rows.json, a list of objects
  expected.f64     what the library gives: of a classifier the place of the label and the probability of each
  about.json       {"library", "rows", "theirScale": what coremltools' probabilities are too large by, "tolerance"}
Features are 32-bit numbers, as libraries that compare in 32 bits get them.
"""
import json
import logging
import math
import sys
import warnings
from pathlib import Path

import numpy as np

logging.disable(logging.WARNING)
warnings.filterwarnings("ignore")
import coremltools as ct  # noqa: E402
import sklearn  # noqa: E402
import xgboost  # noqa: E402
from sklearn.ensemble import (GradientBoostingClassifier, GradientBoostingRegressor, RandomForestClassifier,  # noqa: E402
                              RandomForestRegressor)
from sklearn.feature_extraction import DictVectorizer  # noqa: E402
from sklearn.impute import SimpleImputer  # noqa: E402
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import Normalizer, OneHotEncoder, StandardScaler  # noqa: E402
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor  # noqa: E402

NAMES = ["battery", "hour", "signal", "speed"]
ROWS = 200
random = np.random.default_rng(19)
X = random.normal(size=(600, 4)).astype(np.float32).astype(np.float64)
NUMBER = X[:, 0] + X[:, 1] * X[:, 2] + 0.1 * random.normal(size=600)
TWO = (NUMBER > 0).astype(int)
THREE = TWO + (NUMBER > 1)
TEXTS = np.array(["high", "low", "middle"])[THREE]
HOLES = np.where(random.random(X.shape) < 0.2, math.nan, X)
CODES = random.integers(0, [3, 4], size=(600, 2)).astype(np.float64)


def node_lists(tree, value) -> dict:
    """A tree of scikit-learn; `value` makes the numbers of a leaf of what it has."""
    leaf = tree.children_left < 0
    return {"feature": np.where(leaf, -1, tree.feature).tolist(), "threshold": tree.threshold.tolist(),
            "left": tree.children_left.tolist(), "right": tree.children_right.tolist(),
            "missingLeft": [False] * len(leaf), "leaf": [value(v) for v in tree.value]}


def labels_of(model):
    return model.classes_.tolist() if hasattr(model, "classes_") else None


def trees_of(model) -> dict:
    """Trees as Ingot describes them: sums of leaves and base, over a divisor, and a transform."""
    result = {"kind": "trees", "strict": False, "base": [0.0], "divisor": 1, "transform": "identity", "leafWidth": 1,
              "labels": labels_of(model)}
    if hasattr(model, "tree_") or isinstance(model.estimators_, list):
        members = [model] if hasattr(model, "tree_") else model.estimators_
        classes = len(result["labels"] or [])
        wide = classes if classes > 2 else 1
        value = (lambda v: [v[0][0]]) if not classes else (
            lambda v: (v[0] / v[0].sum()).tolist()[-wide:])
        result |= {"divisor": len(members), "leafWidth": wide, "base": [0.0] * wide,
                   "trees": [{"output": 0} | node_lists(m.tree_, value) for m in members]}
        return result
    rate, first = model.learning_rate, model._raw_predict_init(np.zeros((1, model.n_features_in_)))[0]
    result |= {"base": first.tolist(), "trees": [
        {"output": output} | node_lists(m.tree_, lambda v: [v[0][0] * rate])
        for stage in model.estimators_ for output, m in enumerate(stage)]}
    if result["labels"]:
        result["transform"] = "sigmoid" if len(first) == 1 else "softmax"
    return result


def xgboost_trees(model, base: float) -> dict:
    """Trees of XGBoost's own JSON, whose numbers are 32-bit."""
    booster = model.get_booster()
    learner = json.loads(booster.save_raw("json"))["learner"]
    grown = learner["gradient_booster"]["model"]
    classes = getattr(model, "n_classes_", 0)
    outputs = classes if classes > 2 else 1
    trees = []
    for tree, output in zip(grown["trees"], grown["tree_info"]):
        numbers = [float(np.float32(x)) for x in tree["split_conditions"]]
        leaf = [child < 0 for child in tree["left_children"]]
        trees.append({"output": output, "threshold": numbers, "leaf": [[x] for x in numbers],
                      "feature": [-1 if l else f for l, f in zip(leaf, tree["split_indices"])],
                      "left": tree["left_children"], "right": tree["right_children"],
                      "missingLeft": [bool(x) for x in tree["default_left"]]})
    return {"kind": "trees", "strict": True, "base": [base] * outputs, "divisor": 1, "leafWidth": 1,
            "labels": list(range(classes)) if classes else None, "trees": trees,
            "transform": "identity" if not classes else "sigmoid" if outputs == 1 else "softmax"}


def linear(model) -> dict:
    coefficients = np.atleast_2d(model.coef_)
    offsets = np.broadcast_to(model.intercept_, len(coefficients))
    return {"kind": "linear", "weights": coefficients.tolist(), "offsets": offsets.tolist(), "labels": labels_of(model)}


def transform(step) -> dict:
    if isinstance(step, SimpleImputer):
        return {"imputer": step.statistics_.tolist()}
    if isinstance(step, StandardScaler):
        return {"shift": (-step.mean_).tolist(), "scale": (1 / step.scale_).tolist()}
    return {"norm": step.norm}


def chain(model, names: list[str]) -> dict:
    """Columns or a dictionary, transforms, and what predicts."""
    steps = [step for _, step in model.steps] if hasattr(model, "steps") else [model]
    result = {"columns": [{"name": name} for name in names], "transforms": []}
    if isinstance(steps[0], DictVectorizer):
        result = {"dictionary": names[0], "keys": steps.pop(0).feature_names_, "transforms": []}
    if isinstance(steps[0], OneHotEncoder):
        encoder = steps.pop(0)
        for column, categories in zip(result["columns"], encoder.categories_):
            column["categories"] = [int(x) for x in categories]
    result["transforms"] = [transform(step) for step in steps[:-1]]
    result["predictor"] = linear(steps[-1]) if hasattr(steps[-1], "coef_") else trees_of(steps[-1])
    return result


def write(folder: Path, theirs, model: dict, rows, expected: np.ndarray, scale: float, tolerance: float,
          library: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    theirs.save(str(folder / "theirs.mlmodel"))
    (folder / "model.json").write_text(json.dumps(model))
    if isinstance(rows, np.ndarray):
        rows.astype("<f8").tofile(folder / "rows.f64")
    else:
        (folder / "rows.json").write_text(json.dumps([{model["dictionary"]: row} for row in rows]))
    expected.astype("<f8").tofile(folder / "expected.f64")
    (folder / "about.json").write_text(json.dumps(
        {"library": library, "rows": len(rows), "theirScale": scale, "tolerance": tolerance}))


def expected_of(model, rows) -> np.ndarray:
    if not hasattr(model, "predict_proba"):
        return model.predict(rows).reshape(-1, 1)
    chances = model.predict_proba(rows)
    classes = list(model.classes_)
    places = np.array([classes.index(label) for label in model.predict(rows)])
    return np.column_stack([places, chances]).astype(np.float64)


def sklearn_case(out: Path, name: str, model, rows, target, names=NAMES) -> None:
    model.fit(rows, target)
    last = model.steps[-1][1] if hasattr(model, "steps") else model
    classifies = hasattr(last, "classes_")
    theirs = ct.converters.sklearn.convert(model, names if len(names) > 1 else names[0], "target")
    # coremltools does not divide the votes of forests of several classes (issue 1541 of coremltools).
    scale = last.n_estimators if isinstance(last, RandomForestClassifier) and len(last.classes_) > 2 else 1
    rows = rows[:ROWS]
    write(out / name, theirs, chain(model, names), rows, expected_of(model, rows), scale,
          # coremltools lowers leaves of one half by 1e-7, for ties.
          1e-6 if classifies else 1e-9, f"scikit-learn {sklearn.__version__}")


def xgboost_case(out: Path, name: str, model, target) -> None:
    model.fit(HOLES, target)
    mode = "classifier" if hasattr(model, "classes_") else "regressor"
    theirs = ct.converters.xgboost.convert(model, feature_names=NAMES, mode=mode, target="target")
    # coremltools begins with 0.5, or for classes with 0, whatever the model says: both are told so.
    base = 0.5 if mode == "regressor" else 0.0
    described = {"columns": [{"name": name} for name in NAMES], "transforms": [],
                 "predictor": xgboost_trees(model, base)}
    write(out / name, theirs, described, HOLES[:ROWS], expected_of(model, HOLES[:ROWS]), 1, 2e-6,
          f"xgboost {xgboost.__version__}")


def main(out: Path) -> None:
    one = {"n_jobs": 1, "random_state": 0}
    small = {"max_depth": 5, "random_state": 0}
    sklearn_case(out, "tree-regressor", DecisionTreeRegressor(**small), X, NUMBER)
    sklearn_case(out, "tree-two-classes", DecisionTreeClassifier(**small), X, TWO)
    sklearn_case(out, "tree-texts", DecisionTreeClassifier(**small), X, TEXTS)
    sklearn_case(out, "forest-regressor", RandomForestRegressor(10, max_depth=6, **one), X, NUMBER)
    sklearn_case(out, "forest-two-classes", RandomForestClassifier(10, **one), X, TWO)
    sklearn_case(out, "forest-texts", RandomForestClassifier(10, **one), X, TEXTS)
    sklearn_case(out, "boosting-regressor", GradientBoostingRegressor(n_estimators=20, random_state=0), X, NUMBER)
    sklearn_case(out, "boosting-two-classes", GradientBoostingClassifier(n_estimators=20, random_state=0), X, TWO)
    sklearn_case(out, "boosting-texts", GradientBoostingClassifier(n_estimators=20, random_state=0), X, TEXTS)
    sklearn_case(out, "linear", LinearRegression(), X, NUMBER)
    sklearn_case(out, "ridge", Ridge(), X, NUMBER)
    sklearn_case(out, "logistic-two-classes", LogisticRegression(multi_class="ovr"), X, TWO)
    sklearn_case(out, "logistic-texts", LogisticRegression(multi_class="ovr"), X, TEXTS)
    sklearn_case(out, "imputer-scaler-logistic",
                 make_pipeline(SimpleImputer(), StandardScaler(), LogisticRegression(multi_class="ovr")), HOLES, TEXTS)
    sklearn_case(out, "scaler-normalizer-linear",
                 make_pipeline(StandardScaler(), Normalizer("l2"), LinearRegression()), X, NUMBER)
    sklearn_case(out, "normalizer-l1-logistic",
                 make_pipeline(Normalizer("l1"), LogisticRegression(multi_class="ovr")), X, TWO)
    # A forest behind an imputer: the median of 32-bit features is one of them, or between two.
    sklearn_case(out, "imputer-forest",
                 make_pipeline(SimpleImputer(strategy="most_frequent"), RandomForestClassifier(10, **one)), HOLES, TWO)
    sklearn_case(out, "one-hot-linear", make_pipeline(OneHotEncoder(), LinearRegression()), CODES, NUMBER,
                 ["colour", "model"])
    dictionaries = [{"battery": float(row[0]), f"hour={int(code[0])}": 1.0} for row, code in zip(X, CODES)]
    sklearn_case(out, "dictionary-linear", make_pipeline(DictVectorizer(sparse=False), LinearRegression()),
                 dictionaries, NUMBER, ["facts"])
    sklearn_case(out, "imputer-linear", make_pipeline(SimpleImputer(), LinearRegression()), HOLES, NUMBER)
    sklearn_case(out, "scaler-imputer-ridge", make_pipeline(StandardScaler(), SimpleImputer(), Ridge()), HOLES, NUMBER)
    # Scaled features are compared in 32 bits by scikit-learn, in 64 by Core ML: thresholds lie between them.
    sklearn_case(out, "scaler-forest", make_pipeline(StandardScaler(), RandomForestClassifier(10, **one)), X, TWO)
    sklearn_case(out, "imputer-scaler-boosting",
                 make_pipeline(SimpleImputer(), StandardScaler(), GradientBoostingRegressor(n_estimators=20, random_state=0)),
                 HOLES, NUMBER)
    sklearn_case(out, "one-hot-forest", make_pipeline(OneHotEncoder(), RandomForestClassifier(10, max_depth=4, **one)),
                 CODES, TWO, ["colour", "model"])
    sklearn_case(out, "dictionary-tree", make_pipeline(DictVectorizer(sparse=False), DecisionTreeRegressor(**small)),
                 dictionaries, NUMBER, ["facts"])
    trees = {"n_estimators": 20, "max_depth": 4, "base_score": 0.5, "n_jobs": 1}
    xgboost_case(out, "xgboost-regressor", xgboost.XGBRegressor(**trees), NUMBER)
    xgboost_case(out, "xgboost-two-classes", xgboost.XGBClassifier(**trees), TWO)
    xgboost_case(out, "xgboost-three-classes", xgboost.XGBClassifier(**trees), THREE)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
