"""Proves what the same compression costs in coremltools: seconds and peak memory of a whole process.

usage: coremltools_bench.py prepare MODEL_DIR OUT.mlpackage      trace and convert to an fp16 ML program, unless it is there
       coremltools_bench.py prepare18 MODEL_DIR OUT.mlpackage    the same for iOS 18, which groups need
       coremltools_bench.py int8 IN.mlpackage OUT.mlpackage      linear, symmetric, per channel
       coremltools_bench.py palettize4 IN.mlpackage OUT.mlpackage    k-means, 4 bits, per tensor
       coremltools_bench.py palettize4-groups16 IN.mlpackage OUT.mlpackage    in groups of 16 channels; IN is of iOS 18

Prints its own seconds (imports included) and peak resident memory as JSON; run it as a process of its own.
"""
import time

START = time.perf_counter()

import json
import logging
import resource
import shutil
import sys
from pathlib import Path

LENGTH = 128
ACTIONS = ("prepare", "prepare18", "int8", "palettize4", "palettize4-groups16")


def prepare(model: Path, target: Path, system: str) -> None:
    """Traces the encoder with a finite mask (an infinite one runs to NaN in fp16) and converts it."""
    if target.exists():
        return
    import coremltools as ct
    import numpy as np
    import torch

    from reference_encoder import ExportableEncoder, ReferenceEncoder
    ids = torch.ones((1, LENGTH), dtype=torch.int32)
    with torch.inference_mode():
        traced = torch.jit.trace(ExportableEncoder(ReferenceEncoder(model)).eval(), (ids, torch.ones_like(ids)))
    inputs = [ct.TensorType(name=name, shape=(1, LENGTH), dtype=np.int32) for name in ("ids", "mask")]
    program = ct.convert(traced, inputs=inputs, outputs=[ct.TensorType(name="embedding")], convert_to="mlprogram",
                         minimum_deployment_target=getattr(ct.target, system), compute_precision=ct.precision.FLOAT16)
    program.save(str(target))


def compress(source: Path, target: Path, scheme: str) -> None:
    """Compresses the weights of a package."""
    import coremltools as ct
    import coremltools.optimize.coreml as cto
    model = ct.models.MLModel(str(source), skip_model_load=True)
    if scheme == "int8":
        config = cto.OpLinearQuantizerConfig(mode="linear_symmetric", granularity="per_channel")
        result = cto.linear_quantize_weights(model, cto.OptimizationConfig(global_config=config))
    else:
        groups = {"granularity": "per_grouped_channel", "group_size": 16}
        config = cto.OpPalettizerConfig(mode="kmeans", nbits=4, **groups if scheme.endswith("groups16") else {})
        result = cto.palettize_weights(model, cto.OptimizationConfig(global_config=config))
    shutil.rmtree(target, ignore_errors=True)
    result.save(str(target))


def main(action: str, source: str, target: str) -> None:
    """Runs one action and prints what it cost."""
    logging.disable(logging.WARNING)
    if action.startswith("prepare"):
        prepare(Path(source), Path(target), "iOS18" if action == "prepare18" else "iOS17")
    else:
        compress(Path(source), Path(target), action)
    print(json.dumps({
        "action": action,
        "bytes": sum(file.stat().st_size for file in Path(target).rglob("*") if file.is_file()),
        "peakBytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        "seconds": time.perf_counter() - START,
    }, sort_keys=True))


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in ACTIONS:
        sys.exit(__doc__)
    main(*sys.argv[1:])
