"""Prints what the safetensors package finds in a file: metadata, then a line of JSON per tensor.

usage: read_safetensors.py FILE
"""

import json
import sys

import safetensors

with safetensors.safe_open(sys.argv[1], framework="numpy") as file:
    print(json.dumps(file.metadata(), sort_keys=True))
    for name in sorted(file.keys()):
        array = file.get_tensor(name)
        print(json.dumps([name, array.dtype.name, list(array.shape), array.tolist()]))
