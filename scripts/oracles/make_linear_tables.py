"""Trains linear models over tables with scikit-learn and writes them down for Ingot, with rows and its numbers.

usage: make_linear_tables.py OUT

Writes for each model a folder OUT/NAME:
  model/            model.json and npy arrays, as specs/formats/dense-model.md has them
  references.jsonl  rows by names, as an app of Ingot's gives them
  rows.json         the same rows as Core ML takes them: an empty text or NaN where a value is missing
  expected.f64      raw little-endian doubles: of a classifier the place of the label and the probability of each
Prints the names as a JSON list.
"""
import json
import sys
from pathlib import Path

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

ROWS = 60
random = np.random.default_rng(7)
NETWORKS, FLOORS = ["none", "mobile", "wifi"], [3, -1, 7]
network = random.choice(NETWORKS, 400)
hour = np.where(random.random(400) < 0.2, np.nan, random.uniform(0, 24, 400))
charging = random.integers(0, 2, 400)
floor = random.choice(FLOORS, 400)
X = np.empty((400, 4), object)
X[:, 0], X[:, 1], X[:, 2], X[:, 3] = network, hour, charging, floor
NUMBER = (network == "wifi") + np.nan_to_num(hour, nan=11) / 8 - charging * floor / 5 + random.normal(size=400) / 5
TEXTS = np.array(["ask", "skip", "wait"])[np.digitize(NUMBER, [0.8, 2])]
PLAIN = np.column_stack([np.nan_to_num(hour, nan=11), floor, random.normal(size=400)]).astype(float)


def numbers(array):
    return np.asarray(array, np.float64)


def transformer(is_open: bool) -> ColumnTransformer:
    """The columns in the order of the features."""
    encoder = OneHotEncoder(categories=[NETWORKS], handle_unknown="ignore" if is_open else "error")
    filled = encoder if is_open else make_pipeline(
        SimpleImputer(missing_values="", strategy="constant", fill_value="mobile"), encoder)
    return ColumnTransformer([
        ("network", filled, [0]),
        ("hour", make_pipeline(FunctionTransformer(numbers), SimpleImputer(), StandardScaler()), [1]),
        ("charging", FunctionTransformer(numbers), [2]),
        ("floor", OneHotEncoder(categories=[FLOORS]), [3])], sparse_threshold=0)


def features(columns: ColumnTransformer, is_open: bool) -> list[dict]:
    _, imputer, _ = [step for _, step in columns.named_transformers_["hour"].steps]
    unknown = {"unknown": 9, "missing": 9} if is_open else {"unknown": "refused", "missing": 1}
    return [{"name": "network", "kind": "category", "categories": NETWORKS, "encoding": "one-hot"} | unknown,
            {"name": "hour", "missing": float(imputer.statistics_[0])},
            {"name": "charging", "kind": "boolean"},
            {"name": "floor", "kind": "category", "categories": FLOORS, "encoding": "one-hot"}]


def write(folder: Path, inputs: list[dict], standard, model, rows: list[dict], expected: np.ndarray) -> None:
    (folder / "model").mkdir(parents=True)
    arrays = {"weight": np.atleast_2d(model.coef_), "bias": np.atleast_1d(model.intercept_)}
    labels = getattr(model, "classes_", None)
    activation = "identity" if labels is None else "softmax"
    described = {"architecture": "dense", "inputs": inputs,
                 "layers": [{"weight": "weight.npy", "bias": "bias.npy", "activation": activation}],
                 "output": {"name": "action", "kind": "regressor"} if labels is None
                 else {"name": "action", "kind": "classifier", "labels": labels.tolist()}}
    if standard:
        described["standardize"] = {"mean": "mean.npy", "scale": "scale.npy"}
        arrays |= dict(zip(["mean", "scale"], standard))
    for name, array in arrays.items():
        np.save(folder / "model" / f"{name}.npy", np.ascontiguousarray(array))
    (folder / "model" / "model.json").write_text(json.dumps(described))
    (folder / "rows.json").write_text(json.dumps(rows))
    kinds = {feature["name"]: feature.get("kind") for feature in inputs}

    def own(name, value):
        if value == "":
            return None
        return bool(value) if kinds[name] == "boolean" else value
    (folder / "references.jsonl").write_text("".join(
        json.dumps({"input": {name: own(name, value) for name, value in row.items()}}) + "\n" for row in rows))
    expected.astype("<f8").tofile(folder / "expected.f64")


def expected_of(model, rows) -> np.ndarray:
    if not hasattr(model, "predict_proba"):
        return model.predict(rows).reshape(-1, 1)
    places = np.searchsorted(model.classes_, model.predict(rows))
    return np.column_stack([places, model.predict_proba(rows)])


def named_case(out: Path, name: str, model, target, is_open: bool) -> None:
    columns = transformer(is_open)
    whole = make_pipeline(columns, model).fit(X, target)
    scaler = columns.named_transformers_["hour"].steps[2][1]
    mean, scale = np.zeros(8), np.ones(8)
    mean[3], scale[3] = scaler.mean_[0], scaler.scale_[0]
    rows = X[:ROWS].copy()
    rows[::6, 0] = "fax" if is_open else ""
    objects = [{"network": a, "hour": None if b != b else float(b), "charging": int(c), "floor": int(d)}
               for a, b, c, d in rows]
    write(out / name, features(columns, is_open), (mean, scale), model, objects, expected_of(whole, rows))


def plain_case(out: Path, name: str, model, target) -> None:
    model.fit(PLAIN, target)
    rows = PLAIN[:ROWS]
    objects = [dict(zip(["hour", "floor", "noise"], map(float, row))) for row in rows]
    write(out / name, [{"name": key} for key in objects[0]], None, model, objects, expected_of(model, rows))


def main(out: Path) -> None:
    plain_case(out, "linear", LinearRegression(), NUMBER)
    plain_case(out, "logistic-texts", LogisticRegression(max_iter=1000), TEXTS)
    named_case(out, "named-logistic", LogisticRegression(max_iter=1000), TEXTS, True)
    named_case(out, "named-linear", LinearRegression(), NUMBER, False)
    print(json.dumps(sorted(path.name for path in out.iterdir())))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
