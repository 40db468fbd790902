"""Trains small models with LightGBM, and writes what it predicts, for Ingot to be judged by.

usage: make_lightgbm.py OUT_DIR

Writes a folder NAME/ for each model: the file as the library writes it, rows.f64 and expected.f64 (raw doubles, lowest
byte first, NaN where missing), and about.json, which says what they are. Seeds are fixed.
"""
import json
import sys
from pathlib import Path

import lightgbm as lgb
import numpy as np
import pandas as pd

ROWS, FEATURES, CATEGORIES = 1000, 7, 40
ZERO = float(np.float32(1e-35))
COMMON = {"num_threads": 1, "seed": 7, "verbose": -1, "num_leaves": 15, "min_data_in_leaf": 5, "learning_rate": 0.3,
          "deterministic": True, "force_row_wise": True}
random = np.random.default_rng(7)


def rows() -> np.ndarray:
    """Numbers of several sizes, some whole, many zero, some missing; the last two columns hold categories."""
    x = random.normal(size=(ROWS, FEATURES)) * np.array([1, 100, 1e-3, 1, 5, 1, 1])
    x[:, 3] = np.round(x[:, 3])
    x[:, 4] *= random.random(ROWS) < 0.4
    x[:, 5] = random.integers(0, CATEGORIES, ROWS)
    x[:, 6] = random.integers(0, 3, ROWS)
    x[random.random(x.shape) < 0.08] = np.nan
    x[:, 2] = np.nan_to_num(x[:, 2])
    return x


X = rows()
CLEAN = np.nan_to_num(X)
SCORE = (CLEAN[:, 0] + CLEAN[:, 1] / 80 - (CLEAN[:, 5] % 3) + (CLEAN[:, 4] == 0) + np.isnan(X[:, 0])
         + random.normal(size=ROWS) / 4)
Y = (SCORE > np.median(SCORE)).astype(int)
Y4 = np.digitize(SCORE, np.quantile(SCORE, [0.3, 0.5, 0.8]))
POSITIVE = np.exp(SCORE / 3)


def held() -> np.ndarray:
    """Rows to judge by: those of training, some with what training did not meet."""
    x = X.copy()
    x[:100, 2] = np.nan
    x[100:200] = np.where(random.random((100, FEATURES)) < 0.5, 0, x[100:200])
    tiny = np.array([ZERO, -ZERO, np.nextafter(ZERO, 1), -np.nextafter(ZERO, 1), 1e-35, -1e-35, 5e-324, -0.0, 1e300,
                     np.inf, -np.inf])
    x[200:300] = np.where(random.random((100, FEATURES)) < 0.5, random.choice(tiny, (100, FEATURES)), x[200:300])
    odd = np.array([-1, -0.5, 0.5, 38.9, 39, 40, 41, 63, 64, 1e6, 3e9, np.nan])
    x[300:500, 5] = random.choice(odd, 200)
    x[300:400, 6] = random.choice(odd, 100)
    return x


HELD = held()


class Folder:
    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, name: str, file: str, save, expected, of: str, data: np.ndarray) -> None:
        folder = self.root / name
        folder.mkdir(parents=True)
        save(str(folder / file))
        expected = np.asarray(expected, dtype="<f8").reshape(len(data), -1)
        np.asarray(data, dtype="<f8").tofile(folder / "rows.f64")
        expected.tofile(folder / "expected.f64")
        about = {"library": f"lightgbm {lgb.__version__}", "file": file, "rows": len(data), "features": data.shape[1],
                 "outputs": expected.shape[1], "of": of, "tolerance": 0 if of == "sums" else 1e-12}
        (folder / "about.json").write_text(json.dumps(about))

    def booster(self, name: str, model: lgb.Booster, data=None, frame=None, has_sums: bool = True) -> None:
        """The text with outputs, and the JSON with sums, which are exact."""
        data = HELD if data is None else data
        frame = data if frame is None else frame
        self.write(f"{name}-text", "model.txt", model.save_model, model.predict(frame), "outputs", data)
        expected, of = (model.predict(frame, raw_score=True), "sums") if has_sums else (model.predict(frame), "outputs")
        self.write(f"{name}-json", "model.json", lambda path: Path(path).write_text(json.dumps(model.dump_model())),
                   expected, of, data)

    def train(self, name: str, parameters: dict, label, rounds: int = 20, categories=(5, 6), has_sums: bool = True,
              **extra) -> None:
        data = lgb.Dataset(X, label, categorical_feature=list(categories), free_raw_data=False, **extra)
        self.booster(name, lgb.train(COMMON | parameters, data, rounds), has_sums=has_sums)


def frame(x: np.ndarray) -> pd.DataFrame:
    names = np.array(["red", "green", "blue"], dtype=object)
    table = pd.DataFrame(x, columns=["age", "höhe", "a b", "n", "zero", "city", "colour"])
    table["colour"] = pd.Categorical([None if np.isnan(v) else names[int(v)] for v in x[:, 6]])
    table["city"] = pd.Categorical(pd.array(x[:, 5], dtype="Int64"))
    return table


def write_frame(folder: Folder) -> None:
    """A data frame, whose categories are numbered in their order: blue, green, red."""
    table = frame(X)
    model = lgb.train(COMMON | {"objective": "binary"}, lgb.Dataset(table, Y), 20)
    codes = X.copy()
    codes[:, 6] = np.where(np.isnan(X[:, 6]), np.nan, 2 - CLEAN[:, 6])
    codes[:, 6] = table["colour"].cat.codes.replace({-1: np.nan})
    folder.booster("frame", model, codes, table)


def write_early(folder: Folder) -> None:
    data = lgb.Dataset(X[:600], Y4[:600], categorical_feature=[5, 6], free_raw_data=False)
    watched = lgb.Dataset(X[600:], Y4[600:], reference=data)
    model = lgb.train(COMMON | {"objective": "multiclass", "num_class": 4, "metric": "multi_logloss", "learning_rate": 1}, data, 50,
                      valid_sets=[watched], callbacks=[lgb.early_stopping(5, verbose=False)])
    assert 0 < model.best_iteration < 50
    folder.booster("early-stopping", model)


def write_estimators(folder: Folder) -> None:
    options = {"n_jobs": 1, "random_state": 7, "verbose": -1, "n_estimators": 20}
    model = lgb.LGBMClassifier(**options).fit(X, np.array(["no", "yes"])[Y])
    folder.booster("classifier", model.booster_)
    model = lgb.LGBMRegressor(boosting_type="dart", **options).fit(X, SCORE)
    folder.booster("regressor-dart", model.booster_)
    model = lgb.LGBMRanker(**options).fit(X, Y4, group=[20] * 50)
    folder.booster("ranker", model.booster_)


def squared(score: np.ndarray, data: lgb.Dataset):
    return score - data.get_label(), np.ones(len(score))


def main(root: Path) -> None:
    folder = Folder(root)
    folder.train("binary", {"objective": "binary"}, Y)
    folder.train("binary-sigmoid", {"objective": "binary", "sigmoid": 0.7}, Y, has_sums=False)
    folder.train("multiclass", {"objective": "multiclass", "num_class": 4}, Y4)
    folder.train("multiclassova", {"objective": "multiclassova", "num_class": 4, "sigmoid": 1.0}, Y4)
    folder.train("cross-entropy", {"objective": "cross_entropy"}, Y * 0.8 + 0.1)
    for objective in ["regression", "regression_l1", "huber", "fair", "quantile", "mape", "poisson", "gamma", "tweedie"]:
        folder.train(objective.replace("_", "-"), {"objective": objective}, POSITIVE)
    folder.train("custom", {"objective": squared}, SCORE)
    forest = {"boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.6}
    folder.train("forest", forest | {"objective": "binary"}, Y, has_sums=False)
    folder.train("forest-multiclass", forest | {"objective": "multiclass", "num_class": 4}, Y4, has_sums=False)
    folder.train("dart", {"objective": "binary", "boosting": "dart", "drop_rate": 0.5}, Y)
    folder.train("zero-as-missing", {"objective": "binary", "zero_as_missing": True}, Y)
    folder.train("missing-unused", {"objective": "regression", "use_missing": False}, SCORE)
    folder.train("one-hot-categories", {"objective": "regression", "max_cat_to_onehot": 64}, SCORE)
    folder.train("numbers-only", {"objective": "regression"}, SCORE, categories=())
    folder.train("single-leaves", {"objective": "regression", "min_data_in_leaf": 900}, SCORE, rounds=3)
    folder.train("deep", {"objective": "regression", "num_leaves": 400, "min_data_in_leaf": 1}, 2.0 ** (np.argsort(X[:, 1].argsort()) / 8), rounds=2)
    write_frame(folder)
    write_early(folder)
    write_estimators(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
