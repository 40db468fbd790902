"""Writes a project of one customer with a real sentence encoder, and retrains it as far as deltas are concerned.

  retrain_encoder.py FOLDER VERSION MODEL REFERENCES [--noise SHARE] [--seed SEED] [--head SEED]

MODEL is a folder of sentence-transformers, REFERENCES a file of pairs for the gate. --noise adds noise of a normal
distribution to each weight, of so many parts of its own size: 0.003 for 0.3 %; SEED draws it. --head gives the frozen model a
linear head of its width, whose weights depend on SEED.
"""
import argparse
import json
import shutil
from pathlib import Path

import numpy
from safetensors.numpy import load_file, save_file

CONTRACT = """ingot: 1
models:
  encoder:
    source: model
    compress: {{scheme: int8}}
    gate: {{references: pairs.jsonl}}
customers: customers.json
release: {{version: {version}, sdk: ">=1.0.0 <2.0.0"}}
"""
CUSTOMERS = [{"app_id": "c2d67cdb-e117-4c3e-acca-2ae7f1a42210", "bundle_identifiers": ["com.example.app"]}]


def add_noise(folder: Path, share: float, seed: int) -> None:
    """Moves every weight a little, as a short training does."""
    numbers = numpy.random.default_rng(seed)
    weights = load_file(folder / "model.safetensors")
    for name in sorted(weights):
        values = weights[name]
        if values.dtype == numpy.float32:
            weights[name] = values * (1 + share * numbers.standard_normal(values.shape, dtype=numpy.float32))
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


def add_head(folder: Path, seed: int) -> None:
    """A linear head behind the pooling."""
    modules = json.loads((folder / "modules.json").read_text())
    width = json.loads((folder / "config.json").read_text())["hidden_size"]
    numbers = numpy.random.default_rng(seed)
    head = numpy.eye(width, dtype=numpy.float32) + numbers.normal(0, 0.02, (width, width)).astype(numpy.float32)
    place = folder / "2_Dense"
    place.mkdir()
    save_file({"linear.weight": head}, place / "model.safetensors", metadata={"format": "pt"})
    (place / "config.json").write_text(json.dumps({
        "in_features": width, "out_features": width, "bias": False,
        "activation_function": "torch.nn.modules.linear.Identity"}))
    modules.insert(2, {"idx": 2, "name": "2", "path": "2_Dense", "type": "sentence_transformers.models.Dense"})
    for place, module in enumerate(modules):
        module.update(idx=place, name=str(place))
    modules[3]["path"] = "3_Normalize"
    (folder / "modules.json").write_text(json.dumps(modules))


parser = argparse.ArgumentParser()
for name in ("folder", "version", "model", "references"):
    parser.add_argument(name)
parser.add_argument("--noise", type=float)
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--head", type=int)
options = parser.parse_args()
project = Path(options.folder)
shutil.copytree(options.model, project / "model", ignore=shutil.ignore_patterns(".*", "data_config.json"))
if options.noise:
    add_noise(project / "model", options.noise, options.seed)
if options.head is not None:
    add_head(project / "model", options.head)
shutil.copy(options.references, project / "pairs.jsonl")
(project / "customers.json").write_text(json.dumps(CUSTOMERS))
(project / "ingot.yaml").write_text(CONTRACT.format(version=options.version))
