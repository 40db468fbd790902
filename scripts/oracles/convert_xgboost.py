"""Trains models of XGBoost and converts them by coremltools.

usage: convert_xgboost.py OUT

Writes OUT/NAME.json (XGBoost's own file), OUT/NAME.mlmodel (coremltools' converter) and OUT/NAME.jsonl (references) for a
regression and for classifiers of two and three classes. coremltools begins sums with 0.5, or for classes with 0,
whatever the model says, so the models are trained with these. Prints the names as a JSON list.
"""
import json
import logging
import sys
from pathlib import Path

import numpy as np
import xgboost

logging.disable(logging.WARNING)
import coremltools as ct  # noqa: E402

out = Path(sys.argv[1])
out.mkdir(parents=True)
random = np.random.default_rng(4)
rows = random.normal(size=(600, 5)).astype(np.float32)
score = rows[:, 0] - rows[:, 1] * rows[:, 2]
names = [f"x{place}" for place in range(rows.shape[1])]
shared = {"n_estimators": 6, "max_depth": 3, "n_jobs": 1, "base_score": 0.5}
models = {"regression": xgboost.XGBRegressor(**shared).fit(rows, score),
          "two": xgboost.XGBClassifier(**shared).fit(rows, (score > 0).astype(int)),
          "three": xgboost.XGBClassifier(**shared).fit(rows, np.digitize(score, [-.5, .5]))}
for name, model in models.items():
    model.get_booster().feature_names = names
    model.save_model(out / f"{name}.json")
    mode = {"mode": "regressor"} if name == "regression" else {"mode": "classifier", "n_classes": len(model.classes_)}
    ct.converters.xgboost.convert(model, feature_names=names, target="y", **mode).save(str(out / f"{name}.mlmodel"))
    (out / f"{name}.jsonl").write_text(
        "".join(json.dumps({"input": {"values": [float(value) for value in row]}}) + "\n" for row in rows[:60]))
print(json.dumps(list(models)))
