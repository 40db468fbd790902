"""Judges project files and customer lists by a JSON Schema.

    judge_projects.py SCHEMA FILE...

Prints a line of JSON for each file: its name, whether the schema accepts it, and the first fault.
YAML is read by the core schema of YAML 1.2, as editors do: `yes` is a text and `1e-3` a number.
"""

import json
import pathlib
import re
import sys

import yaml
from jsonschema import Draft202012Validator


class CoreLoader(yaml.SafeLoader):
    """Plain scalars mean what the core schema of YAML 1.2 says."""


CoreLoader.yaml_implicit_resolvers = {}
for tag, pattern in [
    ("null", r"~|null|Null|NULL|"),
    ("bool", r"true|True|TRUE|false|False|FALSE"),
    ("int", r"[-+]?[0-9]+"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"),
]:
    CoreLoader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"^({pattern})$"), None)
CoreLoader.add_constructor(
    "tag:yaml.org,2002:int", lambda loader, node: int(loader.construct_scalar(node)))


def read(path: pathlib.Path):
    text = path.read_text(encoding="utf-8")
    return json.loads(text) if path.suffix == ".json" else yaml.load(text, CoreLoader)


def judge(validator: Draft202012Validator, path: pathlib.Path) -> dict:
    fault = next(iter(validator.iter_errors(read(path))), None)
    return {
        "name": path.name, "accepted": fault is None,
        "fault": "" if fault is None else f"{fault.json_path}: {fault.message}"[:200],
    }


schema = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
Draft202012Validator.check_schema(schema)
for name in sys.argv[2:]:
    print(json.dumps(judge(Draft202012Validator(schema), pathlib.Path(name))))
