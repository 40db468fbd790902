"""Trains the quickstart's flows with scikit-learn and exports them as npy beside a model.json.

usage: train_flows.py QUICKSTART_DIR

Writes flows/NAME/vVERSION/ and flows/NAME/references.jsonl (held-out samples). Then runs every flow with INT8 weights
(symmetric, one scale per output) and fails unless `standard` refuses exactly the one that is meant to be refused:
churn_risk, whose scaler is folded into its weights, so that it takes raw units and its small coefficients (per
millisecond) vanish beside its large ones (per fraction). Same bytes on every run.
"""
import json
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Callable

import numpy as np
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

import signals

sys.path.append(str(Path(__file__).resolve().parent.parent / "oracles"))
from dense_numpy import read_inputs, run

TRAINING, HELD_OUT = 4000, 96
MEAN_LIMIT, MAX_LIMIT = 0.01, 0.05  # of `standard`


@dataclass(frozen=True)
class Flow:
    """One custom model of one or more customers."""
    name: str
    version: int
    seed: int
    data: Callable[..., signals.Data]
    inputs: str
    output: str
    model: LogisticRegression | LinearRegression | MLPClassifier
    labels: tuple[str, ...] = ()
    folded: bool = False  # the scaler is folded into the weights
    dtype: type = np.float32
    references: bool = True
    refused: bool = False


UPSELL = "battery_level hour_of_day sessions_this_week goals_set tutorial_done trial_active"
FLOWS = (
    Flow("onboarding_upsell", 73, 73, partial(signals.onboarding_upsell, tutorial_effect=1.6), UPSELL, "accepts",
         LogisticRegression(tol=1e-8, max_iter=1000), ("no", "yes")),
    Flow("onboarding_upsell", 81, 81, partial(signals.onboarding_upsell, tutorial_effect=0.7), UPSELL, "accepts",
         LogisticRegression(tol=1e-8, max_iter=1000), ("no", "yes"), references=False),
    Flow("notification_timing", 12, 12, signals.notification_timing,
         "wake_hour commute_minutes morning_share is_weekend battery_level opened_share last_open_hour", "part_of_day",
         MLPClassifier((16, 8), alpha=0.05, max_iter=400, random_state=12), ("morning", "noon", "evening")),
    Flow("session_length", 5, 5, signals.session_length,
         "last_session_minutes sessions_this_week resting_heart_rate hour_of_day sleep_hours is_raining", "minutes",
         LinearRegression(), dtype=np.float64),
    Flow("habit_suggestion", 21, 21, signals.habit_suggestion,
         "steps_per_day sleep_hours screen_hours meals_logged stress_level age_years", "habit",
         LogisticRegression(tol=1e-8, max_iter=1000), ("move", "sleep", "eat", "calm")),
    Flow("churn_risk", 9, 9, signals.churn_risk,
         "milliseconds_since_boot milliseconds_since_session milliseconds_since_install storage_used crash_rate", "outcome",
         LogisticRegression(tol=1e-8, max_iter=1000), ("stays", "leaves"), folded=True, dtype=np.float64, refused=True),
)


def rounded(data: signals.Data) -> signals.Data:
    """Features as the reference lines show them: five significant digits."""
    return np.vectorize(lambda value: float(f"{value:.5g}"))(data[0]), data[1]


Layer = tuple[np.ndarray, np.ndarray, str]  # weight, bias, activation


def network_layers(model: MLPClassifier) -> list[Layer]:
    """The layers as scikit-learn keeps them, weights [in, out]."""
    names = [model.activation] * (len(model.coefs_) - 1) + ["softmax"]
    return list(zip(model.coefs_, model.intercepts_, names))


def linear_layer(flow: Flow, scaler: StandardScaler) -> Layer:
    """The one layer of a linear model, weight [out, in], with the scaler folded in where the flow asks for it."""
    weight, bias = np.atleast_2d(flow.model.coef_), np.atleast_1d(flow.model.intercept_)
    if flow.folded:
        weight = weight / scaler.scale_
        bias = bias - weight @ scaler.mean_
    return weight, bias, "identity" if not flow.labels else "sigmoid" if len(flow.labels) == 2 else "softmax"


def export(flow: Flow, scaler: StandardScaler, folder: Path) -> None:
    """Writes model.json and its arrays."""
    folder.mkdir(parents=True, exist_ok=True)

    def save(name: str, values: np.ndarray) -> str:
        np.save(folder / name, np.ascontiguousarray(values, dtype=flow.dtype))
        return name
    model: dict = {"architecture": "dense", "inputs": [{"name": name} for name in flow.inputs.split()]}
    if not flow.folded:
        model["standardize"] = {"mean": save("mean.npy", scaler.mean_), "scale": save("scale.npy", scaler.scale_)}
    is_network = isinstance(flow.model, MLPClassifier)
    layers = network_layers(flow.model) if is_network else [linear_layer(flow, scaler)]
    names = ("coefs_{}.npy", "intercepts_{}.npy", "in,out") if is_network else ("coef.npy", "intercept.npy", "out,in")
    model["layers"] = [
        {"weight": save(names[0].format(i), weight), "bias": save(names[1].format(i), bias),
         "layout": names[2], "activation": activation}
        for i, (weight, bias, activation) in enumerate(layers)]
    model["output"] = {"name": flow.output, "kind": "classifier" if flow.labels else "regressor"}
    if flow.labels:
        model["output"]["labels"] = list(flow.labels)
    (folder / "model.json").write_text(json.dumps(model, indent=2) + "\n", encoding="utf-8")


def known_output(flow: Flow, truth: float) -> list[float]:
    """What is known to be right, in the form the model gives it."""
    if len(flow.labels) > 2:
        return [float(index == truth) for index in range(len(flow.labels))]
    return [float(truth) if flow.labels else round(float(truth), 2)]


def write_references(flow: Flow, data: signals.Data, path: Path) -> None:
    """One line per held-out sample."""
    samples = zip(data[0].tolist(), data[1])
    lines = [{"input": {"values": values}, "output": known_output(flow, truth)} for values, truth in samples]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def predicted(flow: Flow, x: np.ndarray) -> np.ndarray:
    """scikit-learn's own output, [rows, outputs]."""
    if not flow.labels:
        return flow.model.predict(x)[:, None]
    found = flow.model.predict_proba(x)
    return found[:, 1:] if len(flow.labels) == 2 else found


def train(flow: Flow, root: Path) -> None:
    """Fits, exports and compares the export with scikit-learn."""
    folder = root / "flows" / flow.name / f"v{flow.version}"
    chance = np.random.default_rng(flow.seed)
    x, truth = rounded(flow.data(chance, TRAINING))
    scaler = StandardScaler().fit(x)
    flow.model.fit(scaler.transform(x), truth)
    export(flow, scaler, folder)
    held_out = rounded(flow.data(chance, HELD_OUT))
    if flow.references:
        write_references(flow, held_out, folder.parent / "references.jsonl")
    scaled = scaler.transform(held_out[0])
    np.testing.assert_allclose(run(folder, held_out[0]), predicted(flow, scaled), rtol=1e-4, atol=1e-5)
    print(f"{flow.name} v{flow.version}: held-out score {flow.model.score(scaled, held_out[1]):.3f}", end=", ")


def int8(folder: Path, model: dict) -> Callable[[str], np.ndarray]:
    """Reads an array, weights as INT8 would leave them: scale = absmax / 127 per output, rounded half to even."""
    axes = {layer["weight"]: 0 if layer["layout"] == "in,out" else 1 for layer in model["layers"]}

    def read(name: str) -> np.ndarray:
        values = np.load(folder / name).astype(np.float64)
        if name not in axes:
            return values
        scale = np.abs(values).max(axis=axes[name], keepdims=True) / 127
        return np.clip(np.rint(values / scale), -127, 127) * scale
    return read


def drift(flow: Flow, root: Path) -> tuple[float, float, int]:
    """Output drift mean and max, and the flips that count, of the flow with INT8 weights."""
    folder = root / "flows" / flow.name / f"v{flow.version}"
    x = read_inputs(folder.parent / "references.jsonl")
    before = run(folder, x)
    after = run(folder, x, int8(folder, json.loads((folder / "model.json").read_text())))
    moved = np.abs(after - before) / (1 if flow.labels else np.ptp(before))
    return float(moved.mean()), float(moved.max()), flips(before, after) if flow.labels else 0


def flips(before: np.ndarray, after: np.ndarray) -> int:
    """Inputs whose label changes although the baseline was further than the mean limit from the boundary."""
    if before.shape[1] == 1:
        before, after = np.hstack([1 - before, before]), np.hstack([1 - after, after])
    top = np.sort(before, axis=1)
    clear = (top[:, -1] - top[:, -2]) / 2 > MEAN_LIMIT
    return int((clear & (before.argmax(axis=1) != after.argmax(axis=1))).sum())


def main(root: Path) -> None:
    """Trains all flows; exit status 1 when the gate would not decide as meant."""
    wrong = []
    for flow in FLOWS:
        train(flow, root)
        mean, largest, changed = drift(flow, root)
        refused = not (mean <= MEAN_LIMIT and largest <= MAX_LIMIT and changed == 0)
        print(f"INT8 output drift mean {mean:.5f}, max {largest:.5f}, flips {changed}: {'refused' if refused else 'passed'}")
        wrong += [flow.name] if refused != flow.refused else []
    if wrong:
        sys.exit(f"not as meant: {', '.join(wrong)}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with threadpool_limits(1):
        main(Path(sys.argv[1]))
