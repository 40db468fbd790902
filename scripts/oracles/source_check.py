"""Runs the scripts of specs/examples/source-check for a test.

    source_check.py probabilities FOLDER SCRIPT
    source_check.py sentences FOLDER SCRIPT MODEL TEXTS

The first fits a classifier with scikit-learn, writes it to FOLDER as joblib and as a dense model,
and runs SCRIPT on it. The second runs SCRIPT with sentence-transformers or, where that is not
installed, with a module of that name which does what it does for a mean-pooled, normalised BERT.
"""

import json
import os
import runpy
import sys
import types

import numpy as np


def fit(folder):
    import joblib
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    random = np.random.RandomState(3)
    features = random.randn(60, 4) * [1, 10, 0.1, 3] + [0, 5, 2, -1]
    labels = (features @ [1, 0.2, 5, -0.5] + random.randn(60) > 12).astype(int)
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(features, labels)
    joblib.dump(model, f"{folder}/model.joblib")
    np.save(f"{folder}/X.npy", features)
    scaler, regression = model[0], model[-1]
    os.makedirs(f"{folder}/model")
    for name, array in [
        ("mean", scaler.mean_), ("scale", scaler.scale_), ("coef", regression.coef_),
        ("intercept", regression.intercept_),
    ]:
        np.save(f"{folder}/model/{name}.npy", array.astype("float32"))
    with open(f"{folder}/model/model.json", "w") as file:
        json.dump(
            {
                "architecture": "dense",
                "inputs": [{"name": name} for name in "abcd"],
                "standardize": {"mean": "mean.npy", "scale": "scale.npy"},
                "layers": [
                    {"weight": "coef.npy", "bias": "intercept.npy", "activation": "sigmoid"}
                ],
                "output": {"name": "p", "kind": "classifier", "labels": ["no", "yes"]},
            },
            file,
        )


def stand_in():
    import torch
    from transformers import AutoModel, AutoTokenizer

    class SentenceTransformer:
        def __init__(self, path, device=None):
            self.tokenizer = AutoTokenizer.from_pretrained(path)
            self.model = AutoModel.from_pretrained(path).eval()
            with open(f"{path}/sentence_bert_config.json") as file:
                self.length = json.load(file)["max_seq_length"]

        def float(self):
            self.model.float()
            return self

        def encode(self, texts, batch_size=32):
            starts = range(0, len(texts), batch_size)
            return np.concatenate(
                [self.embed(texts[start : start + batch_size]) for start in starts])

        def embed(self, texts):
            batch = self.tokenizer(
                texts, padding=True, truncation=True, max_length=self.length,
                return_tensors="pt")
            with torch.no_grad():
                hidden = self.model(**batch).last_hidden_state
            mask = batch["attention_mask"].unsqueeze(-1)
            mean = (hidden * mask).sum(1) / mask.sum(1)
            return torch.nn.functional.normalize(mean, dim=1).numpy()

    module = types.ModuleType("sentence_transformers")
    module.SentenceTransformer = SentenceTransformer
    sys.modules["sentence_transformers"] = module


def main():
    kind, folder, script, *rest = sys.argv[1:]
    script, rest = os.path.abspath(script), [os.path.abspath(path) for path in rest]
    if kind == "probabilities":
        fit(folder)
        rest = ["model.joblib", "X.npy"]
    else:
        try:
            import sentence_transformers  # noqa: F401
        except ImportError:
            stand_in()
    os.chdir(folder)
    sys.argv = [script, *rest]
    runpy.run_path(script, run_name="__main__")


main()
