"""Trees that scikit-learn grew, saved as specs/examples/sklearn/README.md says, with its own outputs and labels.

usage: make_sklearn.py OUT

Writes a folder OUT/NAME for each estimator: model.json with its arrays, about.json, rows.f64 (doubles, NaN where a
value is missing; a category is its number), expected.f64 (of two classes only the second) and, of classifiers,
labels.json with what `predict` says.
"""
import json
import pathlib
import sys
import warnings

import snippets

import numpy as np
import sklearn
from sklearn.datasets import make_classification, make_regression
from sklearn.ensemble import (AdaBoostClassifier, BaggingClassifier, BaggingRegressor, ExtraTreesClassifier,
                              ExtraTreesRegressor, GradientBoostingClassifier, GradientBoostingRegressor,
                              HistGradientBoostingClassifier, HistGradientBoostingRegressor, IsolationForest,
                              RandomForestClassifier, RandomForestRegressor)
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier, ExtraTreeRegressor

ROWS, FEATURES = 1000, 6
VERSION = tuple(int(part) for part in sklearn.__version__.split(".")[:2])
COLOURS = np.array(["blue", "green", "red", "white"])
FOREST, BOOSTED = "Trees and forests", "Gradient boosting"
HISTOGRAMS = "Histogram gradient boosting"


def classes(count: int, labels=None) -> tuple[np.ndarray, np.ndarray]:
    """Rows, and a class of each: a number from 3 on, or one of the labels."""
    x, y = make_classification(n_samples=ROWS, n_features=FEATURES, n_informative=4, n_redundant=0, n_classes=count,
                               n_clusters_per_class=1, class_sep=0.7, flip_y=0.1, random_state=count)
    return x, y + 3 if labels is None else np.array(labels)[y]


def numbers(targets: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Rows, and numbers of each."""
    return make_regression(n_samples=ROWS, n_features=FEATURES, n_targets=targets, noise=3, random_state=targets)


def holed(x: np.ndarray) -> np.ndarray:
    """A tenth of the values is missing."""
    return np.where(np.random.default_rng(5).random(x.shape) < 0.1, np.nan, x)


def second(values: np.ndarray) -> np.ndarray:
    """Of two classes the second."""
    return values[:, 1:] if values.ndim == 2 and values.shape[1] == 2 else values


def at_thresholds(model, x: np.ndarray) -> np.ndarray:
    """Rows of which every third lies just above thresholds, closer than 32 bits can tell."""
    random, x = np.random.default_rng(3), x.copy()
    trees = [one.tree_ for one in getattr(model, "estimators_", [model])]
    for column in range(x.shape[1]):
        found = np.concatenate([tree.threshold[tree.feature == column] for tree in trees])
        thresholds = found[np.isfinite(found)]  # all that is not missing is below an infinite one
        if len(thresholds):
            x[::3, column] = np.nextafter(random.choice(thresholds, len(x[::3])), np.inf)
    return x


class Out:
    """The folder of the models."""

    def __init__(self, path: str) -> None:
        self.path = pathlib.Path(path)

    def write(self, name: str, title: str, model, rows: np.ndarray, expected: np.ndarray, labels=None, *,
              names=None, tolerance: float = 1e-12, **changed: str) -> None:
        """Saves a fitted model by a block of the page, and what it says of the rows."""
        folder, expected = self.path / name, np.asarray(expected, float).reshape(len(rows), -1)
        folder.mkdir(parents=True)
        snippets.save(title, model, names or [f"x{number}" for number in range(rows.shape[1])], folder, **changed)
        rows.astype("<f8").tofile(folder / "rows.f64")
        expected.astype("<f8").tofile(folder / "expected.f64")
        about = {"library": f"scikit-learn {sklearn.__version__}", "file": "model.json", "rows": len(rows),
                 "features": rows.shape[1], "outputs": expected.shape[1], "of": "outputs", "tolerance": tolerance}
        (folder / "about.json").write_text(json.dumps(about, indent=1))
        if labels is not None:
            (folder / "labels.json").write_text(json.dumps(labels.tolist()))

    def classifier(self, name: str, title: str, model, x: np.ndarray, y: np.ndarray) -> None:
        """Fits on every other row; the rows are all."""
        model.fit(x[::2], y[::2])
        x = at_thresholds(model, x) if title == FOREST else x
        self.write(name, title, model, x, second(model.predict_proba(x)), model.predict(x))

    def regressor(self, name: str, title: str, model, x: np.ndarray, y: np.ndarray) -> None:
        """As `classifier`."""
        model.fit(x[::2], y[::2])
        x = at_thresholds(model, x) if title == FOREST else x
        self.write(name, title, model, x, model.predict(x))


def forests(out: Out) -> None:
    """Single trees and forests."""
    out.classifier("tree", FOREST, DecisionTreeClassifier(max_depth=5, random_state=0), *classes(2, ["no", "yes"]))
    out.classifier("tree-of-5", FOREST, DecisionTreeClassifier(max_depth=6, random_state=0), *classes(5))
    out.classifier("extra-tree", FOREST, ExtraTreeClassifier(max_depth=7, random_state=0), *classes(3, ["a", "b", "c"]))
    out.regressor("tree-regressor", FOREST, DecisionTreeRegressor(max_depth=6, random_state=0), *numbers())
    out.regressor("extra-tree-regressor", FOREST, ExtraTreeRegressor(max_depth=6, random_state=0), *numbers(2))
    out.classifier("forest", FOREST, RandomForestClassifier(20, random_state=0), *classes(2))
    out.classifier("forest-of-4", FOREST, RandomForestClassifier(20, max_depth=6, class_weight="balanced",
                   random_state=0), *classes(4, ["wait", "ask", "skip", "go"]))
    x, y = classes(3)
    out.classifier("forest-missing", FOREST, RandomForestClassifier(15, max_depth=6, random_state=0), holed(x), y)
    out.regressor("forest-regressor", FOREST, RandomForestRegressor(15, max_depth=7, random_state=0), *numbers(3))
    out.classifier("extra-trees", FOREST, ExtraTreesClassifier(20, max_depth=8, random_state=0), *classes(3))
    out.regressor("extra-trees-regressor", FOREST, ExtraTreesRegressor(15, max_depth=7, random_state=0), *numbers())
    several_classes(out)


def several_classes(out: Out) -> None:
    """A forest that gives two classes of each row: a model for each."""
    x, y = classes(3, ["low", "middle", "high"])
    model = RandomForestClassifier(10, max_depth=5, random_state=0)
    both = np.column_stack([y, np.where(x[:, 0] > 0, "up", "down")])
    model.fit(x[::2], both[::2])
    for which, shares in enumerate(model.predict_proba(x)):
        out.write(f"forest-output-{which}", FOREST, model, x, second(shares), model.predict(x)[:, which],
                  which=str(which))


def boosting(out: Out) -> None:
    """Gradient boosting and AdaBoost."""
    out.classifier("boosting", BOOSTED, GradientBoostingClassifier(n_estimators=25, random_state=0),
                   *classes(2, ["no", "yes"]))
    out.classifier("boosting-of-3", BOOSTED, GradientBoostingClassifier(n_estimators=12, subsample=0.7, random_state=0),
                   *classes(3))
    out.classifier("boosting-exponential", BOOSTED, GradientBoostingClassifier(n_estimators=15, loss="exponential",
                   random_state=0), *classes(2))
    out.classifier("boosting-from-zero", BOOSTED, GradientBoostingClassifier(n_estimators=8, init="zero",
                   random_state=0), *classes(4))
    out.regressor("boosting-regressor", BOOSTED, GradientBoostingRegressor(n_estimators=25, random_state=0), *numbers())
    out.regressor("boosting-quantile", BOOSTED, GradientBoostingRegressor(n_estimators=10, loss="quantile", alpha=0.8,
                  random_state=0), *numbers())
    ways = ["SAMME", "SAMME.R"] if VERSION < (1, 6) else [None]
    for way in ways:
        more = {"algorithm": way} if way else {}
        for count, labels in [(2, ["no", "yes"]), (4, None)]:
            name = f"adaboost-of-{count}" + ("-real" if way == "SAMME.R" else "")
            out.classifier(name, "AdaBoost", AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=20,
                           random_state=0, **more), *classes(count, labels))


def tables() -> tuple[np.ndarray, np.ndarray]:
    """Numbers with holes between two columns of categories: the second, of colours, and the last, 2, 5, 7 or 11."""
    random = np.random.default_rng(9)
    x, _ = classes(3)
    x = holed(x)
    x[:, 1] = np.where(np.isnan(x[:, 1]), np.nan, random.integers(0, 4, ROWS))
    x[:, 5] = np.where(np.isnan(x[:, 5]), np.nan, random.integers(0, 4, ROWS))
    score = np.nan_to_num(x[:, 0]) + np.isin(x[:, 1], [0, 3]) * 2 - (x[:, 5] == 2) + np.isnan(x[:, 2])
    return x, score + random.normal(size=ROWS) / 3


def as_categories(x: np.ndarray) -> np.ndarray:
    """Colours and sizes for the numbers of the categories; what has no such number is a category never seen."""
    found = x.astype(object)
    for column, words in ((1, COLOURS), (5, np.array([2.0, 5.0, 7.0, 11.0]))):
        unseen = "violet" if column == 1 else 6.0
        for row, value in enumerate(x[:, column]):
            found[row, column] = np.nan if np.isnan(value) else words[int(value)] if 0 <= value < 4 else unseen
    return found


def histograms(out: Out) -> None:
    """Histogram gradient boosting, with missing values and categories."""
    few = {"max_iter": 15, "max_leaf_nodes": 12, "random_state": 0}
    x, y = classes(2, ["no", "yes"])
    out.classifier("histograms", HISTOGRAMS, HistGradientBoostingClassifier(**few), holed(x), y)
    x, y = numbers()
    out.regressor("histograms-regressor", HISTOGRAMS, HistGradientBoostingRegressor(**few), holed(x), y)
    out.regressor("histograms-poisson", HISTOGRAMS, HistGradientBoostingRegressor(loss="poisson", **few), holed(x),
                  np.exp(y / 200))
    x, score = tables()
    targets = {"histograms-categories": np.where(score > 1, 7, 5),
               "histograms-categories-of-3": np.array(["low", "middle", "high"])[np.digitize(score, [0, 2])],
               "histograms-categories-regressor": score}
    for name, target in targets.items():
        kind = HistGradientBoostingRegressor if target is score else HistGradientBoostingClassifier
        model = kind(categorical_features=[1, 5], **few).fit(as_categories(x)[::2], target[::2])
        rows = x.copy()
        rows[::17, 1], rows[::19, 5], rows[::23, 1], rows[::29, 5] = 4, 9, -1, 300
        asked = as_categories(rows)
        expected = model.predict(asked) if target is score else second(model.predict_proba(asked))
        out.write(name, HISTOGRAMS, model, rows, expected, None if target is score else model.predict(asked))


def others(out: Out) -> None:
    """Bagging and isolation forests."""
    x, y = classes(4, ["a", "b", "c", "rare"])
    y = np.where(y == "rare", np.where(np.arange(ROWS) % 60 == 0, "rare", "a"), y)
    out.classifier("bagging", "Bagging", BaggingClassifier(DecisionTreeClassifier(max_depth=5), 12, max_samples=0.1,
                   max_features=4, random_state=0), x, y)
    out.regressor("bagging-regressor", "Bagging", BaggingRegressor(DecisionTreeRegressor(max_depth=5), 12,
                  max_features=0.6, random_state=0), *numbers())
    x, _ = classes(2)
    model = IsolationForest(n_estimators=30, max_samples=100, max_features=4, contamination=0.07, random_state=0).fit(x)
    out.write("isolation", "Isolation forest: scores", model, x, model.score_samples(x))
    depth = np.log2(-model.offset_) - np.log2(-model.score_samples(x))
    out.write("isolation-labels", "Isolation forest: labels", model, x, depth, model.predict(x), tolerance=1e-9)
    model = IsolationForest(n_estimators=10, random_state=0).fit(x)
    out.write("isolation-auto", "Isolation forest: labels", model, x, -1 - np.log2(-model.score_samples(x)),
              model.predict(x), tolerance=1e-9)


def main(out: str) -> None:
    """Every kind."""
    warnings.simplefilter("ignore")
    for part in (forests, boosting, histograms, others):
        part(Out(out))


if __name__ == "__main__":
    main(sys.argv[1])
