"""Trains the quickstart's forest with scikit-learn and saves it by the lines of specs/examples/sklearn/README.md.

usage: train_forest.py QUICKSTART_DIR [PROBABILITIES.npy]

Writes flows/workout_tonight/v4/ and flows/workout_tonight/references.jsonl (held-out samples, missing values as null),
and scikit-learn's own probabilities of these samples where a file is named. Same bytes on every run.
"""
import json
import math
import shutil
import sys
from pathlib import Path

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from threadpoolctl import threadpool_limits

import signals

sys.path.append(str(Path(__file__).resolve().parent.parent / "oracles" / "trees"))
import snippets

NAME, VERSION, SEED, TRAINING, HELD_OUT = "workout_tonight", 4, 4, 4000, 96
FEATURES = "battery_level hour_of_day days_since_workout resting_heart_rate sleep_hours is_raining".split()


def rounded(data: signals.Data) -> signals.Data:
    """Features as the reference lines show them: five significant digits."""
    return np.vectorize(lambda value: float(f"{value:.5g}"))(data[0]), data[1]


def save(forest: RandomForestClassifier, folder: Path) -> None:
    """The model's folder, with the smallest types that hold the arrays."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    snippets.save("Trees and forests", forest, FEATURES, folder)
    for path in folder.glob("*.npy"):
        array = np.load(path)
        if array.dtype == np.int64:
            np.save(path, array.astype(np.int16 if abs(array).max() < 2**15 else np.int32))


def main(root: Path, probabilities: str | None = None) -> None:
    """Trains, saves, and says how good the forest is on what it did not see."""
    chance = np.random.default_rng(SEED)
    x, truth = rounded(signals.workout_tonight(chance, TRAINING))
    forest = RandomForestClassifier(40, max_depth=6, min_samples_leaf=20, random_state=SEED)
    forest.fit(x, np.array(["no", "yes"])[truth])
    save(forest, root / "flows" / NAME / f"v{VERSION}")
    held_out, truth = rounded(signals.workout_tonight(chance, HELD_OUT))
    lines = (
        {"input": {"values": [None if math.isnan(value) else value for value in row]}, "output": [float(label)]}
        for row, label in zip(held_out.tolist(), truth))
    (root / "flows" / NAME / "references.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    if probabilities:
        np.save(probabilities, forest.predict_proba(held_out)[:, 1:])
    print(f"{NAME} v{VERSION}: held-out score {forest.score(held_out, np.array(['no', 'yes'])[truth]):.3f}")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    with threadpool_limits(1):
        main(Path(sys.argv[1]), *sys.argv[2:])
