"""Models whose training stopped early, as libraries save them, and what libraries then predict.

usage: early_stopping.py OUT_DIR

Writes the files, rows.json, and expected.json: for each file the probabilities of the second class by the object that
Ingot follows; `other.json` has what the scikit-learn estimators make of the file of a booster, and the other way round.
"""
import json
import sys
import warnings
from pathlib import Path

import catboost
import lightgbm as lgb
import numpy as np
import xgboost as xgb

warnings.filterwarnings("ignore")
out = Path(sys.argv[1])
random = np.random.default_rng(0)
x = random.normal(size=(600, 5)).astype("f4")
y = (x[:, 0] + random.normal(size=600) * 2 > 0).astype(int)
fit, held = slice(0, 300), slice(300, None)
expected, other, trees = {}, {}, {}


def xgboost_files() -> None:
    data, watched, rows = xgb.DMatrix(x[fit], y[fit]), xgb.DMatrix(x[held], y[held]), xgb.DMatrix(x)
    booster = xgb.train({"objective": "binary:logistic", "max_depth": 4, "eta": 0.5, "nthread": 1}, data, 60,
                        evals=[(watched, "held")], early_stopping_rounds=5, verbose_eval=False)
    for name in ["native.json", "native.ubj"]:
        booster.save_model(out / name)
        expected[name] = xgb.Booster(model_file=out / name).predict(rows)
        loaded = xgb.XGBClassifier()
        loaded.load_model(out / name)
        other[name] = loaded.predict_proba(x)[:, 1]
    booster[:booster.best_iteration + 1].save_model(out / "native-best.json")
    expected["native-best.json"] = xgb.Booster(model_file=out / "native-best.json").predict(rows)
    model = xgb.XGBClassifier(n_estimators=60, max_depth=4, learning_rate=0.5, early_stopping_rounds=5, n_jobs=1)
    model.fit(x[fit], y[fit], eval_set=[(x[held], y[held])], verbose=False)
    model.save_model(out / "estimator.json")
    expected["estimator.json"] = model.predict_proba(x)[:, 1]
    other["estimator.json"] = xgb.Booster(model_file=out / "estimator.json").predict(rows)
    model.get_booster().save_model(out / "estimator-all.json")
    expected["estimator-all.json"] = xgb.Booster(model_file=out / "estimator-all.json").predict(rows)
    trees["best"], trees["all"] = booster.best_iteration + 1, booster.num_boosted_rounds()


def lightgbm_files() -> None:
    model = lgb.train({"objective": "binary", "verbose": -1, "num_leaves": 15, "learning_rate": 0.5, "num_threads": 1},
                      lgb.Dataset(x[fit], y[fit]), 60, valid_sets=[lgb.Dataset(x[held], y[held])],
                      callbacks=[lgb.early_stopping(5, verbose=False)], keep_training_booster=True)
    assert model.best_iteration < model.current_iteration()
    model.save_model(out / "lightgbm.txt")
    model.save_model(out / "lightgbm-all.txt", num_iteration=-1)
    for name in ["lightgbm.txt", "lightgbm-all.txt"]:
        expected[name] = lgb.Booster(model_file=out / name).predict(x)
    assert np.array_equal(expected["lightgbm.txt"], model.predict(x))
    assert not np.array_equal(expected["lightgbm.txt"], expected["lightgbm-all.txt"])


def catboost_files() -> None:
    for name, best in [("catboost.json", True), ("catboost-all.json", False)]:
        model = catboost.CatBoostClassifier(
            iterations=60, learning_rate=0.5, depth=4, verbose=False, early_stopping_rounds=5, use_best_model=best,
            thread_count=1, allow_writing_files=False)
        model.fit(x[fit], y[fit], eval_set=(x[held], y[held]))
        model.save_model(str(out / name), format="json")
        loaded = catboost.CatBoostClassifier()
        loaded.load_model(str(out / name), format="json")
        expected[name] = loaded.predict_proba(x)[:, 1]
    assert not np.array_equal(expected["catboost.json"], expected["catboost-all.json"])


xgboost_files()
lightgbm_files()
catboost_files()
assert trees["best"] < trees["all"]
for name, values in [("rows", x), ("expected", expected), ("other", other), ("trees", trees)]:
    if isinstance(values, dict):
        values = {key: np.asarray(value).tolist() for key, value in values.items()}
    else:
        values = values.tolist()
    (out / f"{name}.json").write_text(json.dumps(values))
