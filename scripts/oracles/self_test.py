"""Runs the inputs of a self-test on the model as trained, by transformers: MODEL_FOLDER SELF_TEST.

Prints the least cosine between what it gives (the mean of the tokens' vectors) and the outputs in the file.
"""
import base64
import json
import sys

import numpy
import torch
from transformers import AutoModel


def tensor(entry: dict) -> numpy.ndarray:
    data = numpy.frombuffer(base64.b64decode(entry["data"]), entry["type"])
    return data.reshape(entry["shape"])


model = AutoModel.from_pretrained(sys.argv[1]).eval()
least = 1.0
with open(sys.argv[2], encoding="utf-8") as file:
    cases = json.load(file)["cases"]
for case in cases:
    inputs = {entry["name"]: torch.from_numpy(tensor(entry).astype("int64")) for entry in case["inputs"]}
    with torch.no_grad():
        states = model(**inputs).last_hidden_state
    mask = inputs["attention_mask"].unsqueeze(-1).to(states.dtype)
    found = ((states * mask).sum(1) / mask.sum(1)).numpy().ravel()
    expected = tensor(case["output"]).ravel()
    product = float(found @ expected)
    least = min(least, product / float(numpy.linalg.norm(found) * numpy.linalg.norm(expected)))
print(f"{len(cases)} {least:.6f}")
