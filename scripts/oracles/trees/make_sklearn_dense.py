"""Linear models, networks and k-means of scikit-learn, saved as specs/examples/sklearn/README.md says.

usage: make_sklearn_dense.py OUT

Writes a folder OUT/NAME for each: model.json with its arrays, references.jsonl with inputs, expected.npy with
scikit-learn's own outputs in float32, terms.npy with the sum of the sizes of the terms that the last layer adds up for
each output and, of classifiers, labels.json with what it predicts. Fails where numpy, doing what
specs/formats/dense-model.md says, gives other numbers or labels.
"""
import json
import pathlib
import sys
import warnings

import snippets

import numpy as np
import sklearn
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs, make_classification, make_regression
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import (ElasticNet, LinearRegression, LogisticRegression, LogisticRegressionCV, Perceptron,
                                  Ridge, RidgeClassifier, SGDClassifier, SGDRegressor)
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, RobustScaler, StandardScaler
from sklearn.svm import LinearSVC, LinearSVR

ROWS, FEATURES = 400, 6
VERSION = tuple(int(part) for part in sklearn.__version__.split(".")[:2])
CLASSIFIERS, REGRESSORS, NETWORKS = "Linear classifiers", "Linear regression", "Networks"
ACTIVATIONS = {
    "identity": lambda x: x,
    "relu": lambda x: np.maximum(x, 0),
    "tanh": np.tanh,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "softmax": lambda x: np.exp(x - x.max(axis=1, keepdims=True)) / np.exp(
        x - x.max(axis=1, keepdims=True)).sum(axis=1, keepdims=True),
    "one-vs-rest": lambda x: (1 / (1 + np.exp(-x))) / (1 / (1 + np.exp(-x))).sum(axis=1, keepdims=True),
}


def run(folder: pathlib.Path, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, list | None]:
    """The outputs of a saved model, the sizes of the terms of its last layer, and its labels."""
    model = json.loads((folder / "model.json").read_text())
    if scaling := model.get("standardize"):
        x = (x - np.load(folder / scaling["mean"])) / np.load(folder / scaling["scale"])
    for layer in model["layers"]:
        weight = np.load(folder / layer["weight"])
        weight = weight if layer.get("layout") == "in,out" else weight.T
        bias = np.load(folder / layer["bias"])
        terms = abs(x) @ abs(weight) + abs(bias)
        x = ACTIVATIONS[layer.get("activation", "identity")](x @ weight + bias)
    labels = model["output"].get("labels")
    if labels is None:
        return x, terms, None
    limit = 0 if model["layers"][-1].get("activation", "identity") == "identity" else 0.5
    chosen = x.argmax(axis=1) if x.shape[1] > 1 else (x[:, 0] > limit).astype(int)
    return x, terms, [labels[place] for place in chosen]


def write(path: pathlib.Path, name: str, title: str, model, x: np.ndarray, y: np.ndarray | None) -> None:
    """Fits, saves by a block of the page, and compares."""
    folder, x = path / name, x.astype(np.float32).astype(float)
    folder.mkdir(parents=True)
    names = [f"x{number}" for number in range(x.shape[1])]
    model.fit(x, y)
    last = model[-1] if hasattr(model, "steps") else model
    snippets.save(title, last, names, folder)
    if last is not model:
        snippets.save("A scaler in front", model, names, folder)
    expected = outputs(model, last, x)
    predicted = model.predict(x).tolist() if hasattr(last, "classes_") or title == "K-means" else None
    ours, terms, labels = run(folder, x)
    assert ours.shape == expected.shape and np.allclose(ours, expected, 1e-4, 1e-4), f"{name}: other outputs"
    assert labels == predicted, f"{name}: other labels"
    lines = [json.dumps({"input": {"values": row}}) for row in x.tolist()]
    (folder / "references.jsonl").write_text("\n".join(lines) + "\n")
    np.save(folder / "expected.npy", expected.astype(np.float32))
    np.save(folder / "terms.npy", terms.astype(np.float32))
    if predicted is not None:
        (folder / "labels.json").write_text(json.dumps([str(label) for label in predicted]))


def outputs(model, last, x: np.ndarray) -> np.ndarray:
    """Probabilities, of two classes the second; else scores; else numbers."""
    if isinstance(last, KMeans):
        seen = model[:-1].transform(x) if last is not model else x
        return 0.5 * (seen**2).sum(axis=1, keepdims=True) - 0.5 * last.transform(seen) ** 2
    if hasattr(last, "predict_proba") and getattr(last, "loss", "") != "modified_huber":
        found = model.predict_proba(x)
        return found[:, 1:] if found.shape[1] == 2 else found
    found = model.decision_function(x) if hasattr(last, "classes_") else model.predict(x)
    return found.reshape(len(x), -1)


def classes(count: int, labels=None) -> tuple[np.ndarray, np.ndarray]:
    """Rows, and a class of each."""
    x, y = make_classification(n_samples=ROWS, n_features=FEATURES, n_informative=4, n_redundant=0, n_classes=count,
                               n_clusters_per_class=1, class_sep=0.8, random_state=count)
    return x, y + 3 if labels is None else np.array(labels)[y]


def numbers(targets: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Rows, and numbers of each."""
    x, y = make_regression(n_samples=ROWS, n_features=FEATURES, n_targets=targets, noise=3, random_state=targets)
    return x, y / 50


def linear(path: pathlib.Path) -> None:
    """Classifiers and regressors of one layer."""
    words = ["no", "yes"]
    kinds = {"logistic": LogisticRegression(), "logistic-cv": LogisticRegressionCV(Cs=3, cv=3),
             "sgd-log": SGDClassifier(loss="log_loss", random_state=0), "sgd-hinge": SGDClassifier(random_state=0),
             "sgd-huber": SGDClassifier(loss="modified_huber", random_state=0), "svc": LinearSVC(random_state=0),
             "ridge-classifier": RidgeClassifier(), "perceptron": Perceptron(random_state=0),
             "discriminant": LinearDiscriminantAnalysis()}
    for name, model in kinds.items():
        for count, labels in ((2, words), (4, None)):
            write(path, f"{name}-of-{count}", CLASSIFIERS, sklearn.base.clone(model), *classes(count, labels))
    write(path, "liblinear", CLASSIFIERS, LogisticRegression(solver="liblinear"), *classes(2))
    if VERSION < (1, 8):
        write(path, "logistic-each", CLASSIFIERS, LogisticRegression(multi_class="ovr"), *classes(4))
        write(path, "liblinear-of-3", CLASSIFIERS, LogisticRegression(solver="liblinear"), *classes(3))
    write(path, "unbiased", CLASSIFIERS, LogisticRegression(fit_intercept=False), *classes(3))
    write(path, "least-squares", REGRESSORS, LinearRegression(), *numbers())
    write(path, "ridge-of-3", REGRESSORS, Ridge(), *numbers(3))
    write(path, "elastic-net", REGRESSORS, ElasticNet(alpha=0.01, fit_intercept=False), *numbers())
    write(path, "sgd-regressor", REGRESSORS, SGDRegressor(random_state=0), *numbers())
    write(path, "svr", REGRESSORS, LinearSVR(random_state=0), *numbers())


def deeper(path: pathlib.Path) -> None:
    """Networks, clusters, and scalers in front."""
    few = {"hidden_layer_sizes": (8, 5), "max_iter": 60, "random_state": 0}
    write(path, "network-of-2", NETWORKS, MLPClassifier(activation="tanh", **few), *classes(2, ["no", "yes"]))
    write(path, "network-of-4", NETWORKS, MLPClassifier(activation="logistic", **few), *classes(4))
    write(path, "network-regressor", NETWORKS, MLPRegressor(**few), *numbers(2))
    x, _ = make_blobs(n_samples=ROWS, n_features=FEATURES, centers=5, cluster_std=3, random_state=4)
    write(path, "clusters", "K-means", KMeans(5, n_init=2, random_state=0), x, None)
    write(path, "standard-clusters", "K-means", make_pipeline(StandardScaler(), KMeans(5, n_init=2, random_state=0)),
          x, None)
    x, y = classes(3)
    x = x * [1, 10, 100, 1, 0.1, 5] + 3
    for name, scaler in {"standard": StandardScaler(), "centred": StandardScaler(with_std=False),
                         "scaled": StandardScaler(with_mean=False), "min-max": MinMaxScaler((-1, 2)),
                         "max-abs": MaxAbsScaler(), "robust": RobustScaler()}.items():
        write(path, f"{name}-logistic", CLASSIFIERS, make_pipeline(scaler, LogisticRegression()), x, y)
    write(path, "standard-network", NETWORKS, make_pipeline(StandardScaler(), MLPClassifier(**few)), x, y)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for part in (linear, deeper):
        part(pathlib.Path(sys.argv[1]))
