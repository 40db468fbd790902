"""Reads every blob of a Core ML weights file with Apple's own blob reader.

usage: read_blobs.py PACKAGE...

Proves that each record the program refers to is found by coremltools' C++ reader under the program's type, and that
the records fill the file as the format says: on 64-byte boundaries, in order, as many as the header counts, nothing
after the last. Prints {"blobs": ..., "types": ..., "bytes": ...} as JSON for each; anything wrong is an error.
"""
import json
import struct
import sys
from collections import Counter
from pathlib import Path

import coremltools_alone  # noqa: F401
import numpy as np
from coremltools.libmilstoragepython import _BlobStorageReader
from coremltools.models.utils import load_spec
from coremltools.proto import MIL_pb2

SENTINEL, ALIGNMENT, RECORD = 0xDEADBEEF, 64, struct.Struct("<IIQQQ")
CODES = {1: "FLOAT16", 2: "FLOAT32", 3: "UINT8", 4: "INT8", 6: "INT16", 7: "UINT16", 8: "INT4", 9: "UINT1",
         10: "UINT2", 11: "UINT4", 12: "UINT3", 13: "UINT6", 14: "INT32", 15: "UINT32"}
READERS = {name: name.lower() for name in CODES.values()} | {"FLOAT16": "fp16", "FLOAT32": "float"}
PACKED = {"INT4": 4, "UINT1": 1, "UINT2": 2, "UINT3": 3, "UINT4": 4, "UINT6": 6}


def references(spec) -> list[tuple[int, str, int]]:
    """(offset, type, number of elements) of every blob the program names, in the order of the offsets."""
    function = spec.mlProgram.functions["main"]
    found = set()
    for op in function.block_specializations[function.opset].operations:
        inline = [binding.value for argument in op.inputs.values() for binding in argument.arguments
                  if binding.WhichOneof("binding") == "value"]
        for value in [*op.attributes.values(), *inline]:
            if value.WhichOneof("value") == "blobFileValue":
                tensor = value.type.tensorType
                count = int(np.prod([each.constant.size for each in tensor.dimensions], dtype=np.int64))
                found.add((value.blobFileValue.offset, MIL_pb2.DataType.Name(tensor.dataType), count))
    return sorted(found)


def check(condition: bool, message: str) -> None:
    """Stops with a message."""
    if not condition:
        sys.exit(message)


def walk(data: bytes) -> dict[int, tuple[str, int]]:
    """(type, bytes) of every record by its offset, read without the library."""
    count, version = struct.unpack_from("<II", data)
    check(version == 2 and not any(data[8:ALIGNMENT]), f"header: {data[:ALIGNMENT].hex()}")
    found, place = {}, ALIGNMENT
    for _ in range(count):
        sentinel, code, size, start, padding = RECORD.unpack_from(data, place)
        check(sentinel == SENTINEL and start == place + ALIGNMENT, f"record at {place}: {sentinel:x}, data at {start}")
        check(padding < 8 and code in CODES, f"record at {place}: type {code}, {padding} bits of padding")
        check(start + size <= len(data), f"record at {place}: {size} bytes from {start} in {len(data)}")
        found[place] = (CODES[code], size)
        end = start + size
        place = -(-end // ALIGNMENT) * ALIGNMENT
        check(not any(data[end:place]), f"record at {found and max(found)}: padding is not zero")
    check(end == len(data), f"{len(data) - end} bytes after the last blob")
    return found


def main(path: str) -> None:
    """Reads everything and prints what there was."""
    file = Path(path) / "Data/com.apple.CoreML/weights/weight.bin"
    records, reader, counts = walk(file.read_bytes()), _BlobStorageReader(str(file)), Counter()
    named = references(load_spec(path))
    check([offset for offset, _, _ in named] == sorted(records), "records and references are not the same")
    for offset, kind, count in named:
        check(records[offset][0] == kind, f"record at {offset}: {records[offset][0]}, the program says {kind}")
        read = np.asarray(getattr(reader, f"read_{READERS[kind]}_data")(offset))
        bits = PACKED.get(kind, 8 * read.itemsize)
        check(read.size == count, f"record at {offset}: {read.size} elements, the program says {count}")
        check(records[offset][1] == -(-count * bits // 8), f"record at {offset}: {records[offset][1]} bytes")
        counts[kind] += 1
    print(json.dumps({"blobs": len(records), "types": dict(counts), "bytes": file.stat().st_size}, sort_keys=True))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    for package in sys.argv[1:]:
        main(package)
