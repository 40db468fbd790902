"""What a Core ML package says of itself, as coremltools reads it.

usage: read_metadata.py PACKAGE

Prints a line for each of author, license, shortDescription and versionString, for each key about preparation in the user-defined
metadata, and for each input the bounds of its range of shapes.
"""
import sys

import coremltools_alone  # noqa: F401
from coremltools.models.utils import load_spec


def main(path: str) -> None:
    """Prints the lines."""
    description = load_spec(path).description
    for field in ("author", "license", "shortDescription", "versionString"):
        print(field, getattr(description.metadata, field))
    for key, value in sorted(description.metadata.userDefined.items()):
        if any(word in key for word in ("padding", "length", "truncation", "prompt")):
            print(key, value)
    for feature in sorted(description.input, key=lambda each: each.name):
        bounds = feature.type.multiArrayType.shapeRange.sizeRanges
        print(feature.name, *(f"{each.lowerBound}...{each.upperBound}" for each in bounds))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
