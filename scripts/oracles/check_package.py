"""Proves that coremltools accepts a Core ML package, and says what is in it.

usage: check_package.py PACKAGE...                       one JSON object per line and package
       check_package.py PACKAGE --values OUT.npz         also every float constant, dequantised, by its name

The package is opened with Apple's package library, loaded, parsed to a typed program (every declared type is inferred
again and compared, every blob read), decompressed and listed with coremltools. Two things its loader does not look at
are compared here: names and types in the description with the program's, and identifiers.
`weights` has every float constant of two or more elements and every constexpr; `listed` says that
get_weights_metadata has it (for a constexpr, its codes), and `nbits` is what one code takes. OUT has the same, as
float32. A package that does not load gives {"error": ...} and status 1.
"""
import json
import re
import sys
from collections import Counter
from pathlib import Path

import coremltools_alone  # noqa: F401
import coremltools.libmodelpackage as modelpackage
import coremltools.optimize.coreml as cto
import numpy as np
from coremltools.converters.mil.mil import types
from coremltools.proto import FeatureTypes_pb2 as feature_types

from coreml_program import Package, dtype_name, load

CODES = ("quantized_data", "data", "indices", "nonzero_data", "indices_nonzero_data", "source_val")
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_@]*")
ELEMENTS = {"FLOAT16": "fp16", "FLOAT32": "fp32", "DOUBLE": "fp64", "INT32": "int32", "INT8": "int8"}
FLOATS = (np.float16, np.float32)


def feature(description) -> dict:
    """One input or output as the package describes it."""
    kind = description.type.WhichOneof("Type")
    result = {"name": description.name, "type": kind.removesuffix("Type"), "description": description.shortDescription}
    if kind == "multiArrayType":
        array = description.type.multiArrayType
        result["type"] = feature_types.ArrayFeatureType.ArrayDataType.Name(array.dataType)
        result["shape"] = list(array.shape)
        flexible = array.WhichOneof("ShapeFlexibility")
        if flexible == "enumeratedShapes":
            result["enumeratedShapes"] = [list(each.shape) for each in array.enumeratedShapes.shapes]
        elif flexible == "shapeRange":
            result["shapeRange"] = [[each.lowerBound, each.upperBound] for each in array.shapeRange.sizeRanges]
    elif kind == "imageType":
        image = description.type.imageType
        colours = feature_types.ImageFeatureType.ColorSpace.Name(image.colorSpace)
        result["type"] = f"{colours} {image.width} x {image.height}"
    elif kind == "dictionaryType":
        result["type"] = description.type.dictionaryType.WhichOneof("KeyType").removesuffix("KeyType") + "Dictionary"
    return result


def disagreements(package: Package) -> list[str]:
    """Features whose name, type or shape is not that of the program's value."""
    description, main = package.spec.description, package.main
    pairs = [(description.input, list(main.inputs.items())), (description.output, [(v.name, v) for v in main.outputs])]
    found = []
    for features, values in pairs:
        if [each.name for each in features] != [name for name, _ in values]:
            found.append(f"{[each.name for each in features]} for {[name for name, _ in values]}")
            continue
        found += [name for each, (name, var) in zip(features, values) if not agrees(feature(each), var)]
    return found


def agrees(described: dict, var) -> bool:
    """True when a described multi-array has the value's type and, where both are fixed, its shape."""
    if "shape" not in described:
        return True
    shape = described["shape"]
    flexible = not shape or not all(isinstance(size, (int, np.integer)) for size in var.shape)
    return ELEMENTS.get(described["type"]) == dtype_name(var) and (flexible or tuple(shape) == tuple(var.shape))


def element(value: np.ndarray) -> str:
    """The type of a listed constant, sub-byte ones too."""
    return types.builtin_to_string(types.numpy_type_to_builtin_type(value.dtype))


def parts_of(listed: dict) -> dict[str, dict[str, np.ndarray]]:
    """What the metadata lists, by the name of the operation that takes it and by parameter."""
    found: dict[str, dict[str, np.ndarray]] = {}
    for name, entry in listed.items():
        for child in entry.child_ops:
            taken = {parameter: entry.val for parameter, const in child.params_name_mapping.items() if const == name}
            found.setdefault(child.name, {}).update(taken)
    return found


def compressed(op, parts: dict[str, np.ndarray]) -> dict:
    """A constexpr: what it is made of, as the metadata lists it (scalars are not listed)."""
    parameters, entry = {}, {"name": op.outputs[-1].name, "op": op.op_type, "shape": list(op.outputs[-1].shape)}
    for parameter, value in parts.items():
        parameters[parameter] = {"dtype": element(value), "shape": list(value.shape)}
        if parameter in CODES:
            entry["nbits"] = int(re.search(r"\d+$", element(value)).group())
    entry["listed"] = "nbits" in entry
    if "shape" in parameters and "lut" in parameters:  # the older form keeps its codes in flat bytes
        entry["nbits"] = int(np.log2(parameters["lut"]["shape"][0]))
    return {**entry, "parameters": parameters}


def floats(package: Package) -> list:
    """The const operations of two or more floats that are weights themselves and not parts of one."""
    def is_weight(op) -> bool:
        value = op.outputs[0].val if op.op_type == "const" else None
        inside = any(child.op_type.startswith("constexpr_") for child in op.outputs[0].child_ops)
        return isinstance(value, np.ndarray) and value.dtype in FLOATS and value.size >= 2 and not inside

    return [op for op in package.main.operations if is_weight(op)]


def metadata(package: Package) -> dict:
    """coremltools' own listing; without single numbers where some are joined by concat, which it stumbles over."""
    try:
        return cto.get_weights_metadata(package.model, weight_threshold=0)
    except AttributeError:
        return cto.get_weights_metadata(package.model, weight_threshold=2)


def weights(package: Package) -> list[dict]:
    """Every weight, with what coremltools' own listing says of it."""
    listed = metadata(package)
    plain = [{"name": op.outputs[0].name, "op": "const", "shape": list(op.outputs[0].shape),
              "nbits": 8 * op.outputs[0].val.itemsize, "listed": op.name in listed} for op in floats(package)]
    parts, operations = parts_of(listed), package.main.operations
    return plain + [compressed(op, parts.get(op.name, {})) for op in operations if op.op_type.startswith("constexpr_")]


def values(package: Package) -> dict[str, np.ndarray]:
    """Every weight as float32, by name."""
    plain = {op.outputs[0].name: op.outputs[0].val for op in floats(package)}
    dense = {var.name: value for var, value in package.constants.items()}
    return {name: np.asarray(value, dtype=np.float32) for name, value in {**plain, **dense}.items()}


def non_finite(package: Package) -> list[str]:
    """Names of constants, scalars too, that hold an infinity or a NaN."""
    consts = [(op.outputs[0].name, op.outputs[0].val) for op in package.main.operations if op.op_type == "const"]
    every = consts + [(var.name, value) for var, value in package.constants.items()]
    floating = [(name, value) for name, value in every if getattr(value, "dtype", np.dtype(bool)).kind == "f"]
    return [name for name, value in floating if not np.isfinite(value).all()]


def bad_identifiers(spec) -> list[str]:
    """Names of values and functions that are no identifiers, or are given twice."""
    function = spec.mlProgram.functions["main"]
    block = function.block_specializations[function.opset]
    names = [each.name for each in function.inputs] + [each.name for op in block.operations for each in op.outputs]
    return sorted({name for name, count in Counter(names).items() if count > 1 or not IDENTIFIER.fullmatch(name)})


def decompresses(package: Package) -> str | None:
    """None when decompress_weights works, else what it said."""
    try:
        cto.decompress_weights(package.model)
    except Exception as error:  # whatever it is, it is the finding
        return f"{type(error).__name__}: {error}"
    return None


def report(path: str, package: Package) -> dict:
    """All that is said of one package."""
    spec, function = package.spec, package.spec.mlProgram.functions["main"]
    block, metadata = function.block_specializations[function.opset], spec.description.metadata
    error = decompresses(package)
    return {
        "package": Path(path).name,
        "bytes": sum(file.stat().st_size for file in Path(path).rglob("*") if file.is_file()),
        "isValid": bool(modelpackage.ModelPackage.isValid(path)),
        "specificationVersion": spec.specificationVersion,
        "opset": function.opset,
        "inputs": [feature(each) for each in spec.description.input],
        "outputs": [feature(each) for each in spec.description.output],
        "predictedFeatureName": spec.description.predictedFeatureName,
        "predictedProbabilitiesName": spec.description.predictedProbabilitiesName,
        "metadata": {
            "author": metadata.author, "license": metadata.license, "version": metadata.versionString,
            "description": metadata.shortDescription, "userDefined": dict(metadata.userDefined),
        },
        "operations": dict(sorted(Counter(op.type for op in block.operations).items())),
        "weights": weights(package),
        "nonFinite": non_finite(package),
        "decompresses": error is None,
        "decompressError": error,
        "disagreements": disagreements(package),
        "badIdentifiers": bad_identifiers(spec),
    }


def main(paths: list[str], output: str | None) -> int:
    """Reports every package; 1 when one does not load."""
    status = 0
    for path in paths:
        try:
            package = load(path)
            found = report(path, package)
            if output is not None:
                np.savez(output, **values(package))
        except Exception as error:  # a damaged package may raise anything
            found, status = {"package": Path(path).name, "error": f"{type(error).__name__}: {error}"}, 1
        print(json.dumps(found, sort_keys=True), flush=True)
    return status


if __name__ == "__main__":
    arguments, output = sys.argv[1:], None
    if len(arguments) == 3 and arguments[1] == "--values":
        arguments, output = arguments[:1], arguments[2]
    if not arguments or any(argument.startswith("--") for argument in arguments):
        sys.exit(__doc__)
    sys.exit(main(arguments, output))
