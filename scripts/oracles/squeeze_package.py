"""Compresses packages that Ingot wrote by coremltools, and gives their constants other names.

usage: squeeze_package.py make OUT
       squeeze_package.py squeeze PACKAGE OUT [--dense]
       squeeze_package.py rename PACKAGE OUT
       squeeze_package.py hold PACKAGE OUT

`make` writes OUT/model (a network of ten features, model.json and npy arrays, as specs/formats/dense-model.md has them),
OUT/forged, which differs in what the feature 'flag' is multiplied with, and OUT/references.jsonl, whose rows never have
that feature. `squeeze` writes OUT/NAME.mlpackage for each way of coremltools.optimize.coreml that the package's target
has; with --dense also OUT/NAME-dense.mlpackage, with the numbers as coremltools decompresses them. `rename` writes the
package with a number in the place of each constant's name; `hold` one that takes features below -50 for -50. Prints the names as a JSON list.
"""
import json
import logging
import os
import shutil
import sys
from pathlib import Path

os.environ.setdefault("TQDM_DISABLE", "1")
logging.disable(logging.WARNING)

import coremltools as ct  # noqa: E402
import coremltools.optimize.coreml as cto  # noqa: E402
import numpy as np  # noqa: E402

WIDTH, HIDDEN, CLASSES = 10, 16, 3


def make(folder: Path) -> list[str]:
    random = np.random.default_rng(3)
    arrays = {"w0": random.normal(size=(WIDTH, HIDDEN)) / 3, "b0": random.normal(size=HIDDEN) / 2,
              "w1": random.normal(size=(CLASSES, HIDDEN)) / 3, "b1": random.normal(size=CLASSES) / 2,
              "mu": random.normal(size=WIDTH), "sigma": np.exp(random.normal(size=WIDTH))}
    arrays["mu"][-1], arrays["sigma"][-1] = 0, 1
    for name in ("model", "forged"):
        (folder / name).mkdir(parents=True)
        for key, array in arrays.items():
            array = array.copy()
            if name == "forged" and key == "w0":
                array[-1] *= -3
            np.save(folder / name / f"{key}.npy", array.astype(np.float32))
        (folder / name / "model.json").write_text(json.dumps({
            "architecture": "dense",
            "inputs": [{"name": f"x{place}"} for place in range(WIDTH - 1)] + [{"name": "flag", "kind": "boolean"}],
            "standardize": {"mean": "mu", "scale": "sigma"},
            "layers": [{"weight": "w0", "bias": "b0", "layout": "in,out", "activation": "relu"},
                       {"weight": "w1", "bias": "b1", "activation": "softmax"}],
            "output": {"kind": "classifier", "labels": ["ask", "skip", "wait"]}}))
    rows = [{"input": {"values": [float(np.float32(value)) for value in random.normal(size=WIDTH - 1)] + [0]}}
            for _ in range(60)]
    (folder / "references.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return ["model", "forged"]


def ways(is_new: bool) -> dict:
    def config(kind, **settings):
        return cto.OptimizationConfig(global_config=kind(weight_threshold=0, **settings))

    def linear(**settings):
        return lambda model: cto.linear_quantize_weights(model, config(cto.OpLinearQuantizerConfig, **settings))

    def palette(**settings):
        return lambda model: cto.palettize_weights(model, config(cto.OpPalettizerConfig, mode="kmeans", **settings))

    def prune(**settings):
        return lambda model: cto.prune_weights(model, config(cto.OpMagnitudePrunerConfig, **settings))

    def threshold(model):
        return cto.prune_weights(
            model, config(cto.OpThresholdPrunerConfig, threshold=.05, minimum_sparsity_percentile=.01))

    def pruned(compress, kind, **settings):
        return lambda model: compress(prune(target_sparsity=.2)(model), config(kind, **settings), joint_compression=True)

    found = {"int8": linear(mode="linear_symmetric", dtype="int8"), "uint8": linear(mode="linear", dtype="uint8"),
             "palette4": palette(nbits=4), "palette6": palette(nbits=6), "pruned": prune(target_sparsity=.2),
             "threshold": threshold}
    if is_new:
        found |= {"int4-blocks": linear(mode="linear_symmetric", dtype="int4", granularity="per_block", block_size=2),
                  "palette4-groups": palette(nbits=4, granularity="per_grouped_channel", group_size=4),
                  "palette4-scales": palette(nbits=4, enable_per_channel_scale=True),
                  "palette4-vectors": palette(nbits=4, cluster_dim=2),
                  "pruned-int8": pruned(cto.linear_quantize_weights, cto.OpLinearQuantizerConfig,
                                        mode="linear_symmetric", dtype="int8"),
                  "pruned-uint8": pruned(cto.linear_quantize_weights, cto.OpLinearQuantizerConfig,
                                         mode="linear", dtype="uint8"),
                  "pruned-palette4": pruned(cto.palettize_weights, cto.OpPalettizerConfig, mode="kmeans", nbits=4),
                  }
    return found


def squeeze(package: Path, folder: Path, with_dense: bool) -> list[str]:
    folder.mkdir(parents=True, exist_ok=True)
    model = ct.models.MLModel(str(package), skip_model_load=True)
    made = ways(model.get_spec().specificationVersion >= 9)
    for name, way in made.items():
        squeezed = way(model)
        squeezed.save(str(folder / f"{name}.mlpackage"))
        if with_dense:
            cto.decompress_weights(squeezed).save(str(folder / f"{name}-dense.mlpackage"))
    return list(made)


def rename(package: Path, target: Path) -> list[str]:
    shutil.copytree(package, target)
    path = next(target.rglob("*.mlmodel"))
    spec = ct.proto.Model_pb2.Model()
    spec.ParseFromString(path.read_bytes())
    names = {}
    for function in spec.mlProgram.functions.values():
        for block in function.block_specializations.values():
            for operation in block.operations:
                for argument in operation.inputs.values():
                    for binding in argument.arguments:
                        if binding.name in names:
                            binding.name = names[binding.name]
                if operation.type.startswith("const"):
                    for output in operation.outputs:
                        output.name = names.setdefault(output.name, f"c_{len(names)}")
    path.write_bytes(spec.SerializeToString(deterministic=True))
    return list(names)


def hold(package: Path, target: Path) -> list[str]:
    shutil.copytree(package, target)
    path = next(target.rglob("*.mlmodel"))
    spec = ct.proto.Model_pb2.Model()
    spec.ParseFromString(path.read_bytes())
    for function in spec.mlProgram.functions.values():
        given = function.inputs[0]
        for block in function.block_specializations.values():
            for operation in block.operations:
                for argument in operation.inputs.values():
                    for binding in argument.arguments:
                        if binding.name == given.name:
                            binding.name = "held"
            bound = ct.proto.MIL_pb2.Operation(type="maximum")
            bound.inputs["x"].arguments.add().name = given.name
            number = bound.inputs["y"].arguments.add().value
            number.type.tensorType.dataType = given.type.tensorType.dataType
            number.immediateValue.tensor.floats.values.append(-50)
            bound.outputs.add(name="held").type.CopyFrom(given.type)
            block.operations.insert(0, bound)
    path.write_bytes(spec.SerializeToString(deterministic=True))
    return ["held"]


if __name__ == "__main__":
    mode, paths = sys.argv[1], [Path(path) for path in sys.argv[2:] if path != "--dense"]
    changes = {"rename": rename, "hold": hold}
    print(json.dumps(
        make(paths[0]) if mode == "make" else changes[mode](*paths) if mode in changes
        else squeeze(*paths, "--dense" in sys.argv)))
