"""Trains small models with XGBoost, and writes what it predicts, for Ingot to be judged by.

usage: make_xgboost.py OUT_DIR

Writes a folder NAME/ for each model: the file as `save_model` writes it, rows.f64 and expected.f64 (raw doubles, lowest
byte first, NaN where missing), and about.json, which says what they are. Seeds are fixed.
"""
import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import xgboost as xgb

ROWS, FEATURES, CATEGORIES = 1000, 6, 12
COMMON = {"nthread": 1, "seed": 7, "max_depth": 5, "eta": 0.4}
random = np.random.default_rng(7)


def rows() -> np.ndarray:
    """Numbers of several sizes, some whole, some missing; the last column holds categories."""
    x = random.normal(size=(ROWS, FEATURES)) * np.array([1, 100, 1e-3, 1, 5, 1])
    x[:, 3] = np.round(x[:, 3])
    x[:, 5] = random.integers(0, CATEGORIES, ROWS)
    x[random.random(x.shape) < 0.08] = np.nan
    return x


X = rows()
CLEAN = np.nan_to_num(X)
SCORE = CLEAN[:, 0] + CLEAN[:, 1] / 80 - (CLEAN[:, 5] % 3) + random.normal(size=ROWS) / 4
Y = (SCORE > np.median(SCORE)).astype(int)
Y4 = np.digitize(SCORE, np.quantile(SCORE, [0.3, 0.5, 0.8]))
POSITIVE = np.exp(SCORE / 3)
WIDE = np.stack([SCORE, CLEAN[:, 0] - SCORE ** 2, CLEAN[:, 3]], axis=1)
CATEGORICAL = ["q"] * 5 + ["c"]


class Folder:
    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, name: str, save, expected: np.ndarray, of: str, tolerance: float, file: str, held: np.ndarray = X):
        folder = self.root / name
        folder.mkdir(parents=True)
        save(str(folder / file))
        expected = np.asarray(expected, dtype="<f8").reshape(len(held), -1)
        np.asarray(held, dtype="<f8").tofile(folder / "rows.f64")
        expected.tofile(folder / "expected.f64")
        about = {"library": f"xgboost {xgb.__version__}", "file": file, "rows": len(held), "features": held.shape[1],
                 "outputs": expected.shape[1], "of": of, "tolerance": tolerance}
        (folder / "about.json").write_text(json.dumps(about))

    def booster(self, name: str, parameters: dict, label: np.ndarray, rounds: int = 20, types=None, **matrix) -> xgb.Booster:
        """Both forms with sums, bit for bit, and one with outputs."""
        data = xgb.DMatrix(X, label, feature_types=types, enable_categorical=types is not None, **matrix)
        model = xgb.train(COMMON | parameters, data, rounds)
        held = xgb.DMatrix(X, feature_types=types, enable_categorical=types is not None)
        sums = model.predict(held, output_margin=True)
        for form in ["json", "ubj"]:
            self.write(f"{name}-{form}", model.save_model, sums, "sums", 0, f"model.{form}")
        outputs = model.predict(held)
        if not parameters["objective"].endswith(":softmax"):
            self.write(f"{name}-outputs", model.save_model, outputs, "outputs", 1e-6, "model.ubj")
        return model


def boosters(out: Folder) -> None:
    for objective in ["reg:squarederror", "reg:squaredlogerror", "reg:pseudohubererror", "reg:absoluteerror", "rank:pairwise",
                      "rank:ndcg"]:
        grouped = {"qid": np.arange(ROWS) // 50} if objective.startswith("rank:") else {}
        label = np.abs(SCORE) if "log" in objective else Y4 if grouped else SCORE
        out.booster(objective.replace(":", "-"), {"objective": objective}, label, **grouped)
    for objective in ["count:poisson", "reg:gamma", "reg:tweedie", "survival:cox"]:
        out.booster(objective.replace(":", "-"), {"objective": objective}, POSITIVE)
    for objective in ["binary:logistic", "binary:logitraw", "reg:logistic"]:
        out.booster(objective.replace(":", "-"), {"objective": objective}, Y)
    for objective in ["multi:softprob", "multi:softmax"]:
        out.booster(objective.replace(":", "-"), {"objective": objective, "num_class": 4}, Y4)
    out.booster("aft", {"objective": "survival:aft"}, POSITIVE, label_lower_bound=POSITIVE, label_upper_bound=POSITIVE * 2)
    out.booster("quantiles", {"objective": "reg:quantileerror", "quantile_alpha": [0.1, 0.5, 0.9]}, SCORE)
    out.booster("deep", {"objective": "reg:squarederror", "max_depth": 14, "min_child_weight": 0}, SCORE, 60)
    out.booster("one-tree", {"objective": "reg:squarederror", "base_score": 0}, SCORE, 1)
    out.booster("base-score", {"objective": "binary:logistic", "base_score": 0.125}, Y)
    out.booster("dart", {"objective": "binary:logistic", "booster": "dart", "rate_drop": 0.3, "one_drop": 1}, Y)
    out.booster("dart-classes", {"objective": "multi:softprob", "num_class": 4, "booster": "dart", "rate_drop": 0.4}, Y4)
    out.booster("forests", {"objective": "multi:softprob", "num_class": 4, "num_parallel_tree": 3, "subsample": 0.7}, Y4, 6)
    out.booster("pruned", {"objective": "reg:squarederror", "tree_method": "exact", "gamma": 30}, SCORE)
    out.booster("categories", {"objective": "binary:logistic", "max_cat_to_onehot": 1}, Y, types=CATEGORICAL)
    out.booster("one-hot", {"objective": "binary:logistic", "max_cat_to_onehot": 100}, Y, types=CATEGORICAL)
    out.booster("targets", {"objective": "reg:squarederror"}, WIDE)
    out.booster("labels", {"objective": "binary:logistic"}, (WIDE > 0).astype(int))
    vectors = {"objective": "reg:squarederror", "multi_strategy": "multi_output_tree"}
    out.booster("vectors", vectors, WIDE)
    out.booster("vector-classes", vectors | {"objective": "multi:softprob", "num_class": 4}, Y4)


def odd_categories(out: Folder) -> None:
    """Categories that training saw none of, and numbers between them."""
    data = xgb.DMatrix(X, Y, feature_types=CATEGORICAL, enable_categorical=True)
    model = xgb.train(COMMON | {"objective": "binary:logistic", "max_cat_to_onehot": 1}, data, 10)
    held = X.copy()
    held[:, 5] = random.choice([-7, -1, -0.5, 0.5, 2.99, 11, 12, 31, 32, 64, 1000, 16777215, 16777216, 1e20], ROWS)
    # A matrix refuses what is negative; its owner does not.
    sums = model.inplace_predict(held, predict_type="margin", validate_features=False)
    out.write("odd-categories", model.save_model, sums, "sums", 0, "model.json", held)


def estimators(out: Folder) -> None:
    common = {"n_estimators": 30, "max_depth": 4, "n_jobs": 1, "random_state": 7}
    kept, held = slice(0, 600), slice(600, None)
    stopped = xgb.XGBClassifier(**common, early_stopping_rounds=3, learning_rate=0.9)
    stopped.fit(X[kept], Y4[kept], eval_set=[(X[held], Y4[held])], verbose=False)
    assert stopped.best_iteration + 1 < stopped.get_booster().num_boosted_rounds()
    out.write("stopped", stopped.save_model, stopped.predict(X, output_margin=True), "sums", 0, "model.json")
    booster = stopped.get_booster()
    out.write("stopped-booster", booster.save_model, booster.predict(xgb.DMatrix(X), output_margin=True), "sums", 0,
              "model.ubj")
    forest = xgb.XGBRFRegressor(**common).fit(X, SCORE)
    out.write("forest", forest.save_model, forest.predict(X, output_margin=True), "sums", 0, "model.json")
    classifier = xgb.XGBClassifier(**common).fit(X, Y)
    out.write("classifier", classifier.save_model, classifier.predict_proba(X)[:, 1], "outputs", 1e-6, "model.json")


def frames(out: Folder) -> None:
    """Data frames: names and types of columns, and the names of categories."""
    frame = pd.DataFrame(X[:, :4], columns=["level", "a b", "größe", "\"quoted\"\\n"])
    frame["on"] = X[:, 4] > 0
    codes = pd.Series(X[:, 5]).fillna(-1).astype(int)
    frame["town"] = pd.Categorical.from_codes(codes, ["Ulm", "Zürich", "", *(f"t{i}" for i in range(CATEGORIES - 3))])
    frame["year"] = pd.Categorical.from_codes(codes, np.arange(CATEGORIES) * 3 - 7)
    held = X[:, [0, 1, 2, 3, 4, 5, 5]].copy()
    held[:, 4] = X[:, 4] > 0
    model = xgb.XGBClassifier(n_estimators=20, max_depth=5, n_jobs=1, enable_categorical=True, max_cat_to_onehot=2)
    model.fit(frame, Y)
    sums = model.get_booster().predict(xgb.DMatrix(frame, enable_categorical=True), output_margin=True)
    for form in ["json", "ubj"]:
        out.write(f"frame-{form}", model.save_model, sums, "sums", 0, f"model.{form}", held)


if __name__ == "__main__":
    folder = Folder(Path(sys.argv[1]))
    for make in [boosters, odd_categories, estimators, frames]:
        make(folder)
    print(f"{len(list(folder.root.iterdir()))} models in {folder.root}")
