"""A Core ML package as a typed program, and a numpy executor for it: the shared part of the Core ML oracles.

load() proves that coremltools accepts the package: it parses every operation, infers every type again, compares it
with the declared one and reads every blob. run() computes what the program says, in one of two roundings:

fp32    values declared fp16 are computed and kept in float32: shows that graph and weights are right
fp16    every value declared fp16 is rounded to float16 once it is computed, as a device in half precision would
        keep it; sums inside one operation stay in float32. NaNs, overflows and the largest magnitude are counted

Shapes are checked wherever the program declares a number. An operation or parameter that is not here is an error.
"""
import logging
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

os.environ.setdefault("TQDM_DISABLE", "1")
logging.getLogger("coremltools").setLevel(logging.ERROR)

import coremltools_alone  # noqa: F401
import coremltools as ct
import numpy as np
from coremltools.converters.mil.frontend.milproto.load import load as program_of
from coremltools.converters.mil.mil import types
from threadpoolctl import threadpool_limits

from coreml_operations import OPERATIONS

threadpool_limits(1, user_api="blas")  # two threads gain little and stall each other on a busy machine

WEIGHTS = "Data/com.apple.CoreML/weights"
DTYPES = {  # fp16 is computed in float32
    "fp16": np.float32, "fp32": np.float32, "fp64": np.float64, "bool": np.bool_, "int8": np.int8, "uint8": np.uint8,
    "int16": np.int16, "uint16": np.uint16, "int32": np.int32, "uint32": np.uint32, "int64": np.int64,
}


@dataclass
class Facts:
    """What a run in fp16 met, over all samples; `largest` is of finite values only."""
    nan: int = 0
    overflow: int = 0
    overflows: dict[str, int] = field(default_factory=dict)
    largest: float = 0.0
    largest_name: str = ""


@dataclass
class Step:
    """One operation, ready to run: its literal parameters and, by parameter, the values it takes."""
    name: str
    kind: str
    literals: dict[str, Any]
    values: dict[str, Any]
    outputs: list


@dataclass
class Package:
    """A loaded package: coremltools' model, its specification, the typed function and the steps to run."""
    model: ct.models.MLModel
    spec: Any
    main: Any
    constants: dict[Any, np.ndarray]
    steps: list[Step]


def load(path: str | Path) -> Package:
    """Parses a package and dequantises its constants; raises what coremltools raises."""
    model = ct.models.MLModel(str(path), skip_model_load=True)
    spec = model.get_spec()
    weights = os.path.join(path, WEIGHTS)
    program = program_of(spec, specification_version=spec.specificationVersion, file_weights_dir=weights)
    main = program.functions["main"]
    constants: dict[Any, np.ndarray] = {}
    steps = []
    for op in main.operations:
        if op.op_type.startswith("constexpr_"):
            constants.update(zip(op.outputs, map(widened, dequantised(op, constants)), strict=True))
        elif op.op_type != "const":
            steps.append(step_of(op, constants))
    return Package(model, spec, main, constants, steps)


def dequantised(op: Any, constants: dict) -> tuple:
    """The outputs of a constexpr operation, as coremltools computes them."""
    lut = op.inputs.get("lut")
    if op.op_type == "constexpr_lut_to_dense" and lut in constants:  # a quantised palette: not followed by coremltools
        axis = None if op.vector_axis is None else op.vector_axis.val
        found = type(op).decompress(op.indices.val, constants[lut].astype(types.nptype_from_builtin(lut.dtype)), axis)
    else:
        found = op.materialized_val_inference()
    return found if isinstance(found, tuple) else (found,)


def widened(value: Any) -> Any:
    """A constant as the executor takes it: float16 in float32, everything else as it is."""
    value = np.asarray(value) if isinstance(value, (np.ndarray, np.generic)) else value
    return value.astype(np.float32) if isinstance(value, np.ndarray) and value.dtype == np.float16 else value


def is_const(var: Any) -> bool:
    """True for the output of a const operation."""
    return var.op is not None and var.op.op_type == "const"


def step_of(op: Any, constants: dict) -> Step:
    """An operation with its constant parameters looked up."""
    def known(var: Any) -> Any:
        return widened(var.val) if is_const(var) else constants.get(var)

    literals, values = {}, {}
    for parameter, bound in op.inputs.items():
        if isinstance(bound, (list, tuple)) and any(known(var) is None for var in bound):
            values[parameter] = [(var, known(var)) for var in bound]
        elif isinstance(bound, (list, tuple)):
            literals[parameter] = [known(var) for var in bound]
        elif bound is not None and known(bound) is None:
            values[parameter] = bound
        elif bound is not None:
            literals[parameter] = known(bound)
    return Step(op.name, op.op_type, literals, values, op.outputs)


def dtype_name(var: Any) -> str:
    """The declared element type, as in "fp16"; "" for what is no tensor."""
    return "" if types.is_dict(var.sym_type) else types.builtin_to_string(var.dtype)


def settled(name: str, value: Any, var: Any, rounding: str, facts: Facts) -> Any:
    """A computed value in its declared type and, when that is fp16 and the rounding says so, rounded to it."""
    declared = dtype_name(var)
    if declared not in DTYPES:
        return value
    value = np.asarray(value).astype(DTYPES[declared], copy=False)
    if len(var.shape) != value.ndim or any(
            isinstance(want, (int, np.integer)) and want != found for want, found in zip(var.shape, value.shape)):
        raise ValueError(f"value \"{name}\": declared {tuple(var.shape)}, computed {value.shape}")
    if rounding != "fp16" or declared != "fp16" or value.size == 0:
        return value
    return rounded(name, value, facts)


def rounded(name: str, value: np.ndarray, facts: Facts) -> np.ndarray:
    """To float16 and back, counted."""
    result = value.astype(np.float16).astype(np.float32)
    top = max(float(result.max()), -float(result.min()))
    if not np.isfinite(top):
        facts.nan += int(np.isnan(result).sum())
        lost = int((np.isinf(result) & np.isfinite(value)).sum())
        if lost:
            facts.overflow += lost
            facts.overflows[name] = facts.overflows.get(name, 0) + lost
        top = float(np.abs(result[np.isfinite(result)]).max(initial=0))
    if top > facts.largest:
        facts.largest, facts.largest_name = top, name
    return result


@np.errstate(all="ignore")
def run(package: Package, feeds: dict[str, np.ndarray], rounding: str = "fp32", facts: Facts | None = None) -> dict:
    """The outputs of one sample, by name; adds what it met to `facts`."""
    facts = Facts() if facts is None else facts
    known: dict[Any, Any] = {}
    for name, var in package.main.inputs.items():
        known[var] = settled(name, feeds[name], var, rounding, facts)
    for step in package.steps:
        arguments = dict(step.literals)
        for parameter, bound in step.values.items():
            listed = isinstance(bound, list)
            arguments[parameter] = [known[v] if c is None else c for v, c in bound] if listed else known[bound]
        if step.kind not in OPERATIONS:
            raise NotImplementedError(f"operation \"{step.name}\": unknown type \"{step.kind}\"")
        results = OPERATIONS[step.kind](**arguments)
        results = results if isinstance(results, tuple) else (results,)
        for var, result in zip(step.outputs, results, strict=True):
            known[var] = settled(var.name, result, var, rounding, facts)
    return {var.name: known[var] if var in known else package.constants[var] for var in package.main.outputs}
