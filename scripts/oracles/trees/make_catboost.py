"""Trains small models with CatBoost, and writes what it predicts, for Ingot to be judged by.

usage: make_catboost.py OUT_DIR

Writes a folder NAME/ for each model: the file as `save_model` writes it, rows.f64 and expected.f64 (raw doubles, lowest
byte first, NaN where missing, a category as its place in the file's list), and about.json, which says what they are.
Seeds are fixed.
"""
import json
import sys
from pathlib import Path

import catboost
import numpy as np
import pandas as pd
from catboost import CatBoostClassifier, CatBoostRanker, CatBoostRegressor, Pool

ROWS, FEATURES = 1000, 6
COMMON = {"iterations": 20, "depth": 5, "learning_rate": 0.3, "random_seed": 7, "thread_count": 1, "verbose": 0,
          "allow_writing_files": False}
random = np.random.default_rng(7)


def rows() -> np.ndarray:
    """Numbers of several sizes, some whole, many zero, some missing."""
    x = random.normal(size=(ROWS, FEATURES)) * np.array([1, 100, 1e-3, 1, 5, 1])
    x[:, 3] = np.round(x[:, 3])
    x[:, 4] *= random.random(ROWS) < 0.4
    x[random.random(x.shape) < 0.08] = np.nan
    x[:, 2] = np.nan_to_num(x[:, 2])
    return x


X = rows()
CLEAN = np.nan_to_num(X)
COLOURS = np.array(["red", "green", "blue", "höhe"])[random.integers(0, 4, ROWS)]
SIZES = random.integers(0, 3, ROWS)
SCORE = (CLEAN[:, 0] + CLEAN[:, 1] / 80 + (CLEAN[:, 4] == 0) + np.isnan(X[:, 0]) + (COLOURS == "red") - (SIZES == 1)
         + random.normal(size=ROWS) / 4)
Y = (SCORE > np.median(SCORE)).astype(int)
Y4 = np.digitize(SCORE, np.quantile(SCORE, [0.3, 0.5, 0.8]))
POSITIVE = np.exp(SCORE / 3)


def held(borders: np.ndarray) -> np.ndarray:
    """Rows to judge by: those of training, some with what training did not meet, and the borders themselves."""
    x = X.copy()
    x[:100, 2] = np.nan
    odd = np.concatenate([np.array([0, -0.0, 1e300, np.inf, -np.inf, 1e-45, 3.4028235e38, -3.4028235e38]), borders])
    odd = np.concatenate([odd, np.nextafter(odd, np.inf), np.nextafter(odd, -np.inf)])
    x[100:400] = np.where(random.random((300, FEATURES)) < 0.5, random.choice(odd, (300, FEATURES)), x[100:400])
    return x


class Folder:
    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, name: str, model, kind: str, pool=None, rows=None, table=None) -> None:
        folder = self.root / name
        folder.mkdir(parents=True)
        model.save_model(str(folder / "model.json"), format="json", pool=pool)
        text = json.loads((folder / "model.json").read_text())
        if rows is None:
            rows = held(np.concatenate([f["borders"] for f in text["features_info"]["float_features"]]))
            table = rows
        elif callable(rows):
            rows = rows([entry["value"] for entry in text["features_info"]["cat_features_hash"]])
        expected = catboost.CatBoost.predict(model, table, prediction_type=kind)
        if kind == "Probability" and len(text["scale_and_bias"][1]) == 1:
            expected = expected[:, 1]
        expected = np.asarray(expected, dtype="<f8").reshape(len(rows), -1)
        np.asarray(rows, dtype="<f8").tofile(folder / "rows.f64")
        expected.tofile(folder / "expected.f64")
        about = {"library": f"catboost {catboost.__version__}", "file": "model.json", "rows": len(rows),
                 "features": rows.shape[1], "outputs": expected.shape[1],
                 "of": "sums" if kind == "RawFormulaVal" else "outputs", "tolerance": 1e-12}
        (folder / "about.json").write_text(json.dumps(about))

    def both(self, name: str, model, kind: str) -> None:
        self.write(f"{name}-sums", model, "RawFormulaVal")
        self.write(name, model, kind)

    def classifier(self, name: str, label, **options) -> None:
        self.both(name, CatBoostClassifier(**COMMON | options).fit(X, label), "Probability")

    def regressor(self, name: str, label, kind: str = "RawFormulaVal", **options) -> None:
        model = CatBoostRegressor(**COMMON | options).fit(X, label)
        self.write(name, model, kind)


def write_categories(folder: Folder) -> None:
    """A data frame whose categories are asked for one by one; some of the rows have categories of their own."""
    table = pd.DataFrame(X[:, :3], columns=["age", "weight", "a b"])
    table["colour"], table["size"] = COLOURS, SIZES
    pool = Pool(table, Y, cat_features=["colour", "size"])
    asked = table.copy()
    asked.loc[:99, "colour"], asked.loc[50:149, "size"] = "mauve", 17
    def places(texts: list[str]) -> np.ndarray:
        found = {text: place for place, text in enumerate(texts)}
        column = [[found.get(str(text), len(texts)) for text in asked[name]] for name in ["colour", "size"]]
        return np.column_stack([X[:, :3], *column])
    for name, options in [("categories", {}), ("categories-lossguide", {"grow_policy": "Lossguide"})]:
        model = CatBoostClassifier(**COMMON | {"one_hot_max_size": 10} | options).fit(pool)
        folder.write(name, model, "Probability", pool, places, asked)


def main(root: Path) -> None:
    folder = Folder(root)
    folder.classifier("logloss", np.array(["no", "yes"])[Y])
    folder.classifier("logloss-max", Y == 1, nan_mode="Max")
    folder.classifier("cross-entropy", Y * 0.8 + 0.1, loss_function="CrossEntropy")
    folder.classifier("multiclass", np.array(["a", "b", "c", "d"])[Y4], loss_function="MultiClass")
    folder.classifier("one-vs-all", Y4 + 5, loss_function="MultiClassOneVsAll")
    folder.classifier("multilabel", np.stack([Y, Y4 > 1], axis=1).astype(int), loss_function="MultiLogloss")
    folder.classifier("depthwise", Y4, grow_policy="Depthwise", loss_function="MultiClass", nan_mode="Max")
    folder.classifier("lossguide", Y, grow_policy="Lossguide", max_leaves=40, depth=12)
    for loss in ["RMSE", "MAE", "Quantile:alpha=0.3", "MAPE", "Huber:delta=1", "LogCosh", "Expectile:alpha=0.3"]:
        folder.regressor(loss.split(":")[0].lower(), SCORE, loss_function=loss)
    for loss in ["Poisson", "Tweedie:variance_power=1.5"]:
        folder.regressor(loss.split(":")[0].lower(), POSITIVE, "Exponent", loss_function=loss)
    folder.regressor("multi-rmse", np.stack([SCORE, CLEAN[:, 3]], axis=1), loss_function="MultiRMSE")
    folder.regressor("multi-quantile", SCORE, loss_function="MultiQuantile:alpha=0.1,0.9")
    folder.regressor("ordered", SCORE, boosting_type="Ordered")
    folder.regressor("depth-0", SCORE, grow_policy="Lossguide", min_data_in_leaf=999)
    scaled = CatBoostRegressor(**COMMON).fit(X, SCORE)
    scaled.set_scale_and_bias(0.3, 2.5)
    folder.write("scaled", scaled, "RawFormulaVal")
    halves = [CatBoostRegressor(**COMMON).fit(X, label) for label in [SCORE, POSITIVE]]
    folder.write("sum", catboost.sum_models(halves, [0.5, 0.25]), "RawFormulaVal")
    early = CatBoostClassifier(**COMMON | {"iterations": 200, "learning_rate": 1, "early_stopping_rounds": 5})
    early.fit(X[:600], Y[:600], eval_set=(X[600:], Y[600:]))
    assert early.tree_count_ < 200
    folder.both("early-stopping", early, "Probability")
    ranker = CatBoostRanker(**COMMON | {"loss_function": "YetiRank"}).fit(X, Y4, group_id=np.arange(ROWS) // 20)
    folder.write("ranker", ranker, "RawFormulaVal")
    write_categories(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
