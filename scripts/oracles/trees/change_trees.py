"""Changes one thing of a model of XGBoost's at a time, and counts the rows that XGBoost itself then sends elsewhere.

usage: change_trees.py MODEL_FOLDER OUT_DIR

Writes leaf.json (one leaf is 0.25 more), threshold.json (the node below the root, to the left, has another threshold),
fewer.json (without the last tree) and rows.jsonl. Prints what was changed, and how many rows move.
"""
import json
import sys
from pathlib import Path

import numpy as np
import xgboost as xgb

folder, out = Path(sys.argv[1]), Path(sys.argv[2])
about = json.loads((folder / "about.json").read_text())
rows = np.fromfile(folder / "rows.f64", "<f8").reshape(about["rows"], about["features"])[:400]
matrix = xgb.DMatrix(rows)
with open(out / "rows.jsonl", "w") as file:
    for row in rows:
        print(json.dumps({"input": {"values": [None if np.isnan(value) else float(value) for value in row]}}), file=file)


def booster(path: Path) -> xgb.Booster:
    found = xgb.Booster()
    found.load_model(path)
    return found


model = booster(folder / about["file"])
leaves = model.predict(matrix, pred_leaf=True).astype(int)
text = (folder / about["file"]).read_text()


def changed(name: str, change) -> None:
    document = json.loads(text)
    change(document["learner"]["gradient_booster"]["model"]["trees"])
    (out / name).write_text(json.dumps(document))


TREE = 3
(leaf, count), = [max(zip(*np.unique(leaves[:, TREE], return_counts=True)), key=lambda pair: pair[1])]


def raise_leaf(trees) -> None:
    trees[TREE]["split_conditions"][leaf] += 0.25


def move_threshold(trees) -> None:
    tree = trees[TREE]
    node = tree["left_children"][0]
    assert node == 1 and tree["left_children"][1] != -1
    # The median of the rows that reach it, were they all known, is another number than the best split.
    values = rows[:, tree["split_indices"][1]]
    tree["split_conditions"][1] = float(np.float32(np.nanquantile(values, 0.8)))
    global moved
    moved = {"feature": f"f{tree['split_indices'][1]}", "candidate": tree["split_conditions"][1]}


changed("leaf.json", raise_leaf)
changed("threshold.json", move_threshold)
model[:model.num_boosted_rounds() - 1].save_model(out / "fewer.json")
elsewhere = booster(out / "threshold.json").predict(matrix, pred_leaf=True).astype(int)
margins = [one.predict(matrix, output_margin=True) for one in [model, booster(out / "fewer.json")]]
print(json.dumps({
    "tree": TREE, "trees": model.num_boosted_rounds(), "leafRows": int(count),
    "thresholdRows": int((leaves[:, TREE] != elsewhere[:, TREE]).sum()), **moved,
    "baseline": json.loads(text)["learner"]["gradient_booster"]["model"]["trees"][TREE]["split_conditions"][1],
    "lastRows": int((margins[0] != margins[1]).sum())}))
