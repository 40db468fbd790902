"""Compares the squared error that coremltools' quantisers and palettisers leave in every matrix of a model with ours.

usage: squared_errors.py theirs MODEL_DIR OUT.json [--width fp16|fp32] [--encoder-only] [--only PATTERN...]
       squared_errors.py ours MODEL_DIR OUT.json SCHEME=COMPRESSED...
       squared_errors.py compare THEIRS.json OURS.json
       squared_errors.py schemes

theirs: an ML program whose constants are the matrices, each the weight of a `linear` operation ([output, input]; tables
too), in fp16 (the default) or fp32; compressed with linear_quantize_weights and palettize_weights and decompressed with
decompress_weights, all of coremltools.optimize.coreml. What coremltools declines (groups, blocks and vectors that do
not divide, more than 256 values for `unique`: a warning in its log, then a normal return) is listed as skipped.
OUT.json grows scheme by scheme, and a scheme that is there is not run again. ours: COMPRESSED is a .safetensors that
`ingot compress` wrote, or an .mlpackage, which coremltools decompresses. compare: by scheme, the largest and the total
ratio ours / theirs, and how many are equal (to EQUAL) or larger; status 1 when one is larger. Compare packages with
fp16 and safetensors files with fp32: scales and tables are stored in that type, and its rounding moves errors a little.

Errors are sums of squares in float64 against the model's own float32 numbers, so that rounding to fp16 counts for both.
A compared scheme leaves out tensors that either side kept or skipped, and says how many.
"""
import fnmatch
import json
import logging
import os
import re
import sys
import time
from pathlib import Path

os.environ.setdefault("TQDM_DISABLE", "1")
logging.getLogger("coremltools").setLevel(logging.ERROR)

import numpy as np
from safetensors import safe_open

EQUAL = 1e-6
INTEGERS = ("int8", "uint8", "int4", "uint4")
MODES = {"symmetric": "linear_symmetric", "asymmetric": "linear"}
LINEAR = {"per tensor": {"granularity": "per_tensor"}, "per channel": {"granularity": "per_channel"},
          "in blocks of 32": {"granularity": "per_block", "block_size": 32}}
PALETTES = {"per tensor": {"granularity": "per_tensor"},
            "in groups of 16": {"granularity": "per_grouped_channel", "group_size": 16}}
BITS, VECTOR_BITS, VECTORS = (1, 2, 3, 4, 6, 8), (4, 6), (2, 4)


def schemes() -> dict[str, list[tuple[str, dict]]]:
    """Name of every scheme and the passes that make it, with their settings."""
    found = {f"{integers} {mode} {unit}": [("linear", {"mode": MODES[mode], "dtype": integers, **settings})]
             for integers in INTEGERS for mode in MODES for unit, settings in LINEAR.items()}
    for unit, settings in PALETTES.items():
        for bits in BITS:
            found[f"palette {bits} {unit}"] = [("palette", {"mode": "kmeans", "nbits": bits, **settings})]
        for width in VECTORS:
            for bits in VECTOR_BITS:
                found[f"palette {bits} {unit}, vectors of {width}"] = [
                    ("palette", {"mode": "kmeans", "nbits": bits, "cluster_dim": width, **settings})]
        found[f"palette 4 {unit}, int8 entries"] = [
            *found[f"palette 4 {unit}"], ("joint", {"mode": "linear_symmetric", "granularity": "per_tensor"})]
    found["unique"] = [("palette", {"mode": "unique"})]
    return found


def matrices(model: str) -> dict[str, np.ndarray]:
    """Every matrix of floats, by name."""
    with safe_open(Path(model) / "model.safetensors", framework="numpy") as file:
        tensors = {name: file.get_tensor(name) for name in sorted(file.keys())}
    return {name: value.astype(np.float32) for name, value in tensors.items()
            if value.ndim == 2 and value.dtype.kind == "f"}


def identifier(name: str) -> str:
    """A tensor's name as a package writes it."""
    return re.sub(r"[^A-Za-z0-9_]", "_", name)


def program(weights: dict[str, np.ndarray], width: str):
    """A package in memory of one linear operation for each matrix, named for it."""
    import coremltools as ct
    from coremltools.converters.mil import Builder as mb
    from coremltools.converters.mil.mil import types
    dtype = types.fp16 if width == "fp16" else types.fp32
    widths = sorted({value.shape[1] for value in weights.values()})

    def body(**inputs):
        return tuple(mb.linear(x=inputs[f"x{value.shape[1]}"],
                               weight=value.astype(np.float16 if width == "fp16" else np.float32),
                               name=identifier(name)) for name, value in weights.items())

    parameters = ", ".join(f"x{each}" for each in widths)
    build = eval(f"lambda {parameters}: body({', '.join(f'x{each}=x{each}' for each in widths)})", {"body": body})
    specs = [mb.TensorSpec(shape=(1, each), dtype=dtype) for each in widths]
    made = mb.program(input_specs=specs, opset_version=ct.target.iOS18)(build)
    return ct.convert(made, convert_to="mlprogram", compute_precision=ct.precision.FLOAT32, skip_model_load=True,
                      minimum_deployment_target=ct.target.iOS18)


def compressed(model, passes: list[tuple[str, dict]]):
    """coremltools' own compression."""
    import coremltools.optimize.coreml as cto
    for kind, settings in passes:
        configuration = cto.OpPalettizerConfig if kind == "palette" else cto.OpLinearQuantizerConfig
        config = cto.OptimizationConfig(global_config=configuration(weight_threshold=0, **settings))
        if kind == "palette":
            model = cto.palettize_weights(model, config)
        else:
            model = cto.linear_quantize_weights(model, config, joint_compression=kind == "joint")
    return model


def weights_of(model) -> dict:
    """The variable that is the weight of every linear operation, by the operation's name."""
    from coremltools.converters.mil.frontend.milproto.load import load
    spec = model.get_spec()
    loaded = load(spec, specification_version=spec.specificationVersion, file_weights_dir=model.weights_dir)
    return {op.name: op.weight for op in loaded.functions["main"].operations if op.op_type == "linear"}


def error(weight: np.ndarray, value: np.ndarray) -> float:
    """Sum of squares, a piece at a time."""
    pieces = zip(np.array_split(weight, max(1, weight.size >> 20)), np.array_split(value, max(1, weight.size >> 20)))
    return float(sum(np.square(a.astype(np.float64) - b.astype(np.float64)).sum() for a, b in pieces))


def theirs(model: str, output: str, *flags: str) -> None:
    """Runs every scheme in coremltools."""
    import coremltools.optimize.coreml as cto
    width = flags[flags.index("--width") + 1] if "--width" in flags else "fp16"
    patterns = flags[flags.index("--only") + 1:] if "--only" in flags else ("*",)
    weights = matrices(model)
    if "--encoder-only" in flags:
        weights = {name: value for name, value in weights.items() if "embeddings" not in name}
    path = Path(output)
    found = json.loads(path.read_text()) if path.exists() else {"width": width, "schemes": {}}
    if found["width"] != width:
        sys.exit(f"{output}: is of {found['width']}")
    plain = program(weights, width)
    for name, passes in schemes().items():
        if name in found["schemes"] or not any(fnmatch.fnmatchcase(name, each) for each in patterns):
            continue
        start = time.perf_counter()
        small = compressed(plain, passes)
        seconds = time.perf_counter() - start
        # An int8 palette is asked for by a second pass, which also quantises what the first one skipped.
        wanted = "constexpr_lut_to_dense" if passes[0][0] == "palette" else "constexpr_blockwise_shift_scale"
        skipped = [key for key, var in weights_of(small).items() if var.op.op_type != wanted]
        dense = {key: var.val for key, var in weights_of(cto.decompress_weights(small)).items()}
        found["schemes"][name] = {"seconds": round(seconds, 2), "tensors": {
            key: None if identifier(key) in skipped else error(value, dense[identifier(key)])
            for key, value in weights.items()}}
        path.write_text(json.dumps(found, indent=1))
        print(f"{name}: {seconds:.1f} s, {len(skipped)} skipped", file=sys.stderr, flush=True)


def values(path: str) -> tuple[dict[str, np.ndarray], set[str]]:
    """What a compressed model of ours stands for, by identifier, and which of it is kept."""
    if path.endswith(".safetensors"):
        from read_compressed import read
        with safe_open(path, framework="numpy") as file:
            entries = json.loads(file.metadata()["ingot.tensors"])
        kept = {identifier(name) for name, entry in entries.items() if entry["scheme"] == "kept"}
        return {identifier(name): value for name, value in read(path).items()}, kept
    from coreml_program import load
    dense = {var.name: np.asarray(value) for var, value in load(path).constants.items()}
    return dense, set()


def ours(model: str, output: str, *pairs: str) -> None:
    """Reads what Ingot made of the model."""
    weights, path = matrices(model), Path(output)
    found = json.loads(path.read_text()) if path.exists() else {"schemes": {}}
    for pair in pairs:
        name, file = pair.split("=", 1)
        if name not in schemes():
            sys.exit(f"{name}: no scheme of both; `schemes` lists them")
        dense, kept = values(file)
        found["schemes"][name] = {"tensors": {
            key: None if identifier(key) in kept or identifier(key) not in dense
            else error(value, dense[identifier(key)]) for key, value in weights.items()}}
    path.write_text(json.dumps(found, indent=1))


def compare(their_path: str, our_path: str) -> int:
    """Prints a Markdown table; 1 when an error of ours is larger."""
    their, our = (json.loads(Path(path).read_text())["schemes"] for path in (their_path, our_path))
    print("| scheme | tensors | worst ours / theirs | at | total ours / theirs | equal | larger "
          "| theirs skipped | ours kept |")
    print("|---|---|---|---|---|---|---|---|---|")
    status = 0
    for name in (each for each in their if each in our):
        a, b = our[name]["tensors"], their[name]["tensors"]
        both = [key for key in b if b[key] is not None and a.get(key) is not None]
        skipped, kept = sum(value is None for value in b.values()), sum(a.get(key) is None for key in b)
        if not both:
            print(f"| {name} | 0 | – | – | – | – | – | {skipped} | {kept} |")
            continue
        ratio = {key: a[key] / b[key] if b[key] else (1.0 if not a[key] else float("inf")) for key in both}
        worst = max(ratio, key=ratio.get)
        total = sum(a[key] for key in both) / (sum(b[key] for key in both) or 1)
        equal = sum(abs(value - 1) <= EQUAL for value in ratio.values())
        larger = sum(value > 1 + EQUAL for value in ratio.values())
        status |= larger > 0
        print(f"| {name} | {len(both)} | {ratio[worst]:.6f} | {worst} | {total:.6f} | {equal} | {larger} "
              f"| {skipped} | {kept} |")
    return int(status)


if __name__ == "__main__":
    actions = {"theirs": theirs, "ours": ours, "compare": compare, "schemes": lambda: print("\n".join(schemes()))}
    if len(sys.argv) < 2 or sys.argv[1] not in actions or (sys.argv[1] != "schemes" and len(sys.argv) < 4):
        sys.exit(__doc__)
    sys.exit(actions[sys.argv[1]](*sys.argv[2:]))
