"""Proves that what scikit-learn trained gives the same numbers and labels as a `dense` model of Ingot.

usage: make_sklearn.py OUT_DIR

Trains one model of each kind on made data (fixed seeds) and writes a folder NAME/ for each: model.json with its arrays,
as specs/formats/dense-model.md says, references.jsonl with inputs, expected.npy with scikit-learn's own outputs in
float32, and labels.json with what it predicts.
"""
import json
import sys
from pathlib import Path

import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs, make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

FEATURES = 6
TRAINED, HELD_OUT = 400, 64


def data(classes: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Features and whole-number classes."""
    return make_classification(n_samples=TRAINED + HELD_OUT, n_features=FEATURES, n_informative=4, n_redundant=0,
                               n_classes=classes, n_clusters_per_class=1, class_sep=0.8, random_state=seed)


def plain(labels: np.ndarray) -> list:
    """Labels as JSON has them: integers stay integers."""
    return [label.item() for label in labels]


class Folder:
    """One model and what scikit-learn says of it."""

    def __init__(self, root: Path, name: str) -> None:
        self.path, self.layers, self.more = root / name, [], {}
        self.path.mkdir(parents=True)

    def array(self, name: str, values: np.ndarray) -> str:
        """Writes an array in float32 and gives its name."""
        np.save(self.path / f"{name}.npy", np.asarray(values, dtype=np.float32))
        return f"{name}.npy"

    def layer(self, weight: np.ndarray, bias: np.ndarray, **more: str) -> None:
        """Adds a layer."""
        number = len(self.layers)
        self.layers.append({"weight": self.array(f"w{number}", weight), "bias": self.array(f"b{number}", bias), **more})

    def write(self, x: np.ndarray, output: dict, expected: np.ndarray, predicted: np.ndarray) -> None:
        """Writes the description and the expectations."""
        inputs = [{"name": f"x{number}"} for number in range(x.shape[1])]
        model = {"architecture": "dense", "inputs": inputs, **self.more, "layers": self.layers, "output": output}
        (self.path / "model.json").write_text(json.dumps(model))
        x32 = x.astype(np.float32)
        lines = [json.dumps({"input": {"values": [float(value) for value in row]}}) for row in x32]
        (self.path / "references.jsonl").write_text("\n".join(lines) + "\n")
        np.save(self.path / "expected.npy", np.asarray(expected, dtype=np.float32).reshape(len(x), -1))
        (self.path / "labels.json").write_text(json.dumps([str(label) for label in plain(predicted)]))


def linear(root: Path, name: str, model, classes: int, scores, activation: str, **more) -> None:
    """A linear model: coef_ and intercept_, or those of one model per class."""
    x, y = data(classes, seed=classes)
    train, held_out = slice(TRAINED), slice(TRAINED, None)
    model.fit(x[train], y[train] + 3)
    each = getattr(model, "estimators_", None)
    weight = np.vstack([one.coef_ for one in each]) if each else model.coef_
    bias = np.concatenate([one.intercept_ for one in each]) if each else model.intercept_
    folder = Folder(root, name)
    folder.layer(weight, bias, activation=activation)
    output = {"name": "label", "kind": "classifier", "labels": plain(model.classes_), **more}
    folder.write(x[held_out], output, scores(model, x[held_out]), model.predict(x[held_out]))


def network(root: Path) -> None:
    """Standardised features and one hidden layer."""
    x, y = data(3, seed=11)
    scaler = StandardScaler().fit(x[:TRAINED])
    model = MLPClassifier((8,), max_iter=200, random_state=1).fit(scaler.transform(x[:TRAINED]), y[:TRAINED] * 10)
    folder = Folder(root, "network")
    folder.more = {"standardize": {"mean": folder.array("mean", scaler.mean_), "scale": folder.array("scale", scaler.scale_)}}
    for index, (weight, bias) in enumerate(zip(model.coefs_, model.intercepts_, strict=True)):
        folder.layer(weight, bias, layout="in,out", activation="softmax" if index else "relu")
    held_out = scaler.transform(x[TRAINED:])
    folder.write(x[TRAINED:], {"kind": "classifier", "labels": plain(model.classes_)}, model.predict_proba(held_out),
                 model.predict(held_out))


def clusters(root: Path) -> None:
    """K-means: of all centres c the nearest to x has the largest c·x − ½‖c‖²."""
    x, _ = make_blobs(n_samples=TRAINED + HELD_OUT, n_features=FEATURES, centers=5, cluster_std=3, random_state=4)
    model = KMeans(5, n_init=2, random_state=0).fit(x[:TRAINED])
    centres, held_out = model.cluster_centers_, x[TRAINED:]
    folder = Folder(root, "clusters")
    folder.layer(centres, -0.5 * (centres**2).sum(axis=1))
    nearness = 0.5 * (held_out**2).sum(axis=1, keepdims=True) - 0.5 * model.transform(held_out) ** 2
    folder.write(held_out, {"name": "cluster", "kind": "classifier", "labels": list(range(5))}, nearness,
                 model.predict(held_out))


def main(out: str) -> None:
    """Every kind."""
    root = Path(out)
    linear(root, "multinomial", LogisticRegression(), 3, lambda m, x: m.predict_proba(x), "softmax")
    linear(root, "binary", LogisticRegression(), 2, lambda m, x: m.predict_proba(x)[:, 1], "sigmoid")
    linear(root, "binary-columns", LogisticRegression(), 2, lambda m, x: m.predict_proba(x), "sigmoid", columns=2)
    linear(root, "binary-scores", LinearSVC(random_state=0), 2, lambda m, x: m.decision_function(x), "identity")
    linear(root, "scores", LinearSVC(random_state=0), 4, lambda m, x: m.decision_function(x), "identity")
    linear(root, "one-vs-rest", OneVsRestClassifier(LogisticRegression()), 4, lambda m, x: m.predict_proba(x),
           "one-vs-rest")
    network(root)
    clusters(root)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
