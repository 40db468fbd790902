"""Reads records of a weights file with Apple's own blob reader.

usage: read_records.py FILE TYPE:OFFSET...

Prints one JSON list of numbers per record, in the order asked for; TYPE is a name of read_blobs.py, such as UINT3.
"""
import json
import sys

import coremltools_alone  # noqa: F401
import numpy as np
from coremltools.libmilstoragepython import _BlobStorageReader

from read_blobs import READERS


def numbers(reader: _BlobStorageReader, kind: str, offset: int) -> list:
    """The elements of a record; float16 comes as its bits."""
    found = np.asarray(getattr(reader, f"read_{READERS[kind]}_data")(offset))
    return (found.view(np.float16) if kind == "FLOAT16" else found).tolist()


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    blobs = _BlobStorageReader(sys.argv[1])
    for place in sys.argv[2:]:
        name, offset = place.split(":")
        print(json.dumps(numbers(blobs, name, int(offset))))
