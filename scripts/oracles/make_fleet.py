"""Writes a project of many customers who share few models, to measure releases at scale.

usage: make_fleet.py FOLDER CUSTOMERS [--version 1.0.0] [--retrained NAME] [--sign]

Every customer gets the quickstart's sentence encoder and three of 40 flows. A flow is a classifier of 24 numbers
with two hidden layers, 20 to 60 kB of weights, and 96 reference inputs. Everything follows from names and numbers
alone: writing a larger fleet changes nothing about the customers before. --retrained gives one flow a second version,
which all its customers get. --sign names the key keys/release, made when it is missing.
"""
import argparse
import json
import random
import shutil
import struct
import subprocess
from pathlib import Path

MODELS = 40
FLOWS_EACH = 3
INPUTS = 24
QUICKSTART = Path(__file__).parents[2] / "specs" / "examples" / "quickstart"

CONTRACT = """ingot: 1
models:
  sentence-encoder:
    source: models/sentence-encoder
    compress: {{scheme: int8}}
    gate: {{references: references/pairs.jsonl, limits: strict}}
customModels:
  source: flows/{{flowName}}/v{{modelVersion}}
  compress: {{scheme: int8}}
  gate: {{references: "flows/{{flowName}}/references.jsonl"}}
customers: customers.json
release:
  version: {version}
  sdk: ">=3.2.0 <5.0.0"
{sign}"""


def flow_name(number: int) -> str:
    """The name of a flow, from 0."""
    return f"flow_{number:02}"


def npy(rows: list[list[float]]) -> bytes:
    """A version 1.0 file of little-endian float32, [rows, columns]."""
    shape = f"({len(rows)}, {len(rows[0])})"
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    values = [value for row in rows for value in row]
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(
        f"<{len(values)}f", *values)


def write_flow(folder: Path, number: int, version: int) -> None:
    """One version of a flow; weights are normal with the spread that keeps activations level."""
    folder.mkdir(parents=True, exist_ok=True)
    numbers = random.Random(f"flow {number} version {version}")
    hidden = 58 + (number * 50) // MODELS
    layers = []
    for index, (fan_in, fan_out) in enumerate([(INPUTS, hidden), (hidden, hidden), (hidden, 1)]):
        rows = [[numbers.gauss(0, fan_in ** -0.5) for _ in range(fan_in)] for _ in range(fan_out)]
        (folder / f"w{index}.npy").write_bytes(npy(rows))
        layers.append({"weight": f"w{index}.npy", "activation": "relu" if index < 2 else "sigmoid"})
    description = {"architecture": "dense", "inputs": [{"name": f"signal_{i}"} for i in range(INPUTS)],
                   "layers": layers, "output": {"name": "moment", "kind": "classifier", "labels": ["no", "yes"]}}
    (folder / "model.json").write_text(json.dumps(description, indent=1) + "\n")


def write_references(path: Path, number: int) -> None:
    """96 inputs of a flow."""
    numbers = random.Random(f"references {number}")
    lines = [{"input": {"values": [round(numbers.gauss(0, 1), 4) for _ in range(INPUTS)]}} for _ in range(96)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def customer(number: int, retrained: str | None) -> dict:
    """One entry of the customer list."""
    numbers = random.Random(f"customer {number}")
    digits = f"{numbers.getrandbits(128):032x}"
    app = f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"
    flows = [flow_name(flow) for flow in numbers.sample(range(MODELS), FLOWS_EACH)]
    return {"app_id": app, "bundle_identifiers": [f"com.example.app{number}"],
            "customModels": [{"flowId": 1000 + 10 * number + place, "flowName": name,
                              "modelVersion": 2 if name == retrained else 1}
                             for place, name in enumerate(flows)]}


def write_models(folder: Path) -> None:
    """The shared encoder and version 1 of every flow."""
    shutil.copytree(QUICKSTART / "models", folder / "models", dirs_exist_ok=True)
    shutil.copytree(QUICKSTART / "references", folder / "references", dirs_exist_ok=True)
    for number in range(MODELS):
        write_flow(folder / "flows" / flow_name(number) / "v1", number, 1)
        write_references(folder / "flows" / flow_name(number) / "references.jsonl", number)


def main() -> None:
    """Writes what the arguments ask for; models that are there are left alone."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("customers", type=int)
    parser.add_argument("--version", default="1.0.0")
    parser.add_argument("--retrained")
    parser.add_argument("--sign", action="store_true")
    arguments = parser.parse_args()
    folder = arguments.folder
    if not (folder / "models").exists():
        write_models(folder)
    if arguments.retrained:
        number = int(arguments.retrained.removeprefix("flow_"))
        write_flow(folder / "flows" / arguments.retrained / "v2", number, 2)
    sign = "  sign: keys/release\n" if arguments.sign else ""
    (folder / "ingot.yaml").write_text(CONTRACT.format(version=arguments.version, sign=sign))
    customers = [customer(number, arguments.retrained) for number in range(arguments.customers)]
    (folder / "customers.json").write_text(json.dumps(customers, indent=1) + "\n")
    key = folder / "keys" / "release"
    if arguments.sign and not key.exists():
        key.parent.mkdir()
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "release", "-f", key], check=True)


main()
