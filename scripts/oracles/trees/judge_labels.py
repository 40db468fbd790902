"""Judges true labels of a table: accuracy by scikit-learn, the expected calibration error by numpy, decisions by XGBoost.

usage: judge_labels.py MODEL_FOLDER OUT_DIR

MODEL_FOLDER is a classifier that make_xgboost.py wrote. Writes candidate.json, the same trees with other leaves, and
data.csv: an id, the features in another order (an empty field where one is missing) and a label for each row, drawn by
the model's own probabilities. Prints both models' figures, and how many rows went from which class to which.
"""
import json
import sys
from pathlib import Path

import numpy as np
import xgboost as xgb
from sklearn.metrics import accuracy_score, confusion_matrix

BINS = 15
random = np.random.default_rng(11)
folder, out = Path(sys.argv[1]), Path(sys.argv[2])
about = json.loads((folder / "about.json").read_text())
rows = np.fromfile(folder / "rows.f64", "<f8").reshape(about["rows"], about["features"])

document = json.loads((folder / about["file"]).read_text())
for tree in document["learner"]["gradient_booster"]["model"]["trees"]:
    for node, child in enumerate(tree["left_children"]):
        if child == -1:
            moved = tree["split_conditions"][node] * (1 + random.normal() * 0.4)
            tree["split_conditions"][node] = float(np.float32(moved))
(out / "candidate.json").write_text(json.dumps(document))


def probabilities(path: Path) -> np.ndarray:
    booster = xgb.Booster()
    booster.load_model(path)
    found = booster.predict(xgb.DMatrix(rows)).astype(float)
    return np.stack([1 - found, found], axis=1) if found.ndim == 1 else found


def calibration_error(found: np.ndarray, labels: np.ndarray) -> float:
    confidence, right = found.max(axis=1), found.argmax(axis=1) == labels
    bins = np.clip(np.ceil(confidence * BINS).astype(int) - 1, 0, BINS - 1)
    used = [bins == one for one in range(BINS) if (bins == one).any()]
    return sum(of.mean() * abs(right[of].mean() - confidence[of].mean()) for of in used)


models = [probabilities(folder / about["file"]), probabilities(out / "candidate.json")]
share = np.cumsum(models[0], axis=1)
labels = (random.random((len(rows), 1)) > share[:, :-1]).sum(axis=1)
order = random.permutation(about["features"])
with open(out / "data.csv", "w") as file:
    print("id", *[f"f{column}" for column in order[:2]], "class", *[f"f{column}" for column in order[2:]], sep=",", file=file)
    for number, (row, label) in enumerate(zip(rows, labels)):
        texts = ["" if np.isnan(row[column]) else repr(float(row[column])) for column in order]
        print(f"row-{number}", *texts[:2], label, *texts[2:], sep=",", file=file)
decisions = [found.argmax(axis=1) for found in models]
print(json.dumps({
    "accuracy": [accuracy_score(labels, decided) for decided in decisions],
    "calibrationError": [calibration_error(found, labels) for found in models],
    "moves": confusion_matrix(*decisions, labels=range(models[0].shape[1])).tolist()}))
