"""Proves what encoders cost elsewhere: ONNX Runtime runs them, coremltools converts and compresses them.

usage: encoder_peers.py run MODEL_DIR CACHE_DIR [THREADS [REPEATS]]
       encoder_peers.py compress MODEL_DIR OUT_DIR RECIPE...
       encoder_peers.py prepare MODEL_DIR OUT_DIR image|text
       encoder_peers.py only PACKAGE OUT_DIR RECIPE

MODEL_DIR is in a layout of peer_modules.py. `run` exports each encoder to ONNX once and prints images and texts per second in
fp32: batches of 8 images, and of 8 texts of the model's length, 128 tokens for sentence encoders. `compress` does what `ingot compress`
does, in one process: loads the model, traces each encoder named, converts it to an fp16 ML program and compresses it by each RECIPE:
image-int8, image-palettize4, text-int8, text-palettize4 (linear symmetric per channel; k-means per tensor). `prepare` stops at the
fp16 package, `only` starts from one. Packages are OUT_DIR/RECIPE.mlpackage. A recipe that fails says
why, and the others go on. Time and peak memory are the process's, measured from outside (measure.py); "seconds"
here are those of the steps. stderr has a line "failed: RECIPE: REASON" for each failure.
"""
import json
import logging
import os
import shutil
import sys
import time
import warnings
from pathlib import Path

os.environ["TQDM_DISABLE"] = "1"
warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)

import coremltools as ct
import coremltools.optimize.coreml as cto
import numpy as np
import torch

from peer_modules import Image, open_encoders

BATCH = 8
RECIPES = ("image-int8", "image-palettize4", "text-int8", "text-palettize4")


def convert(module):
    """The fp16 ML program of one encoder; a picture goes in as a picture."""
    with torch.inference_mode():
        traced = torch.jit.trace(module, module.examples, check_trace=False)
    if isinstance(module, Image):
        shape = tuple(module.examples[0].shape)
        inputs = [ct.ImageType(name="image", shape=shape, color_layout=ct.colorlayout.RGB)]
    else:
        inputs = [ct.TensorType(name=name, shape=tuple(example.shape), dtype=np.int32)
                  for name, example in zip(("input_ids", "attention_mask"), module.examples)]
    return ct.convert(traced, inputs=inputs, outputs=[ct.TensorType(name="embedding")], convert_to="mlprogram",
                      minimum_deployment_target=ct.target.iOS16, skip_model_load=True)


def save(package, target: Path) -> int:
    """Writes a package; its bytes."""
    shutil.rmtree(target, ignore_errors=True)
    package.save(str(target))
    return sum(file.stat().st_size for file in target.rglob("*") if file.is_file())


def compress(program, scheme: str):
    """The program with its weights compressed."""
    if scheme == "int8":
        settings = cto.OpLinearQuantizerConfig(mode="linear_symmetric", dtype="int8", granularity="per_channel")
        return cto.linear_quantize_weights(program, cto.OptimizationConfig(global_config=settings))
    settings = cto.OpPalettizerConfig(mode="kmeans", nbits=4, granularity="per_tensor")
    return cto.palettize_weights(program, cto.OptimizationConfig(global_config=settings))


def attempt(name: str, work) -> dict:
    """What one step gave, or how it failed; and its seconds."""
    start = time.perf_counter()
    try:
        found = work()
    except Exception as error:  # whatever it is, it is the finding
        found = {"failed": f"{type(error).__name__}: {(str(error).strip().splitlines() or ['no reason'])[0]}"}
        print(f"failed: {name}: {found['failed']}", file=sys.stderr)
    return {**found, "seconds": round(time.perf_counter() - start, 2)}


def compress_to(program, recipe: str, folder: Path) -> dict:
    """The bytes of the package that one recipe gives."""
    return {"bytes": save(compress(program, recipe.split("-")[1]), folder / f"{recipe}.mlpackage")}


def compress_all(source: Path, folder: Path, recipes: list[str]) -> dict:
    """Every recipe of one model."""
    folder.mkdir(parents=True, exist_ok=True)
    results, programs = {}, {}
    for kind, module in open_encoders(source).items():
        wanted = [recipe for recipe in recipes if recipe.startswith(kind)]
        if wanted:
            results[f"{kind}-convert"] = attempt(f"{kind}-convert", lambda: programs.update({kind: convert(module)}) or {})
        for recipe in wanted if kind in programs else []:
            results[recipe] = attempt(recipe, lambda: compress_to(programs[kind], recipe, folder))
    return results


def compress_only(package: Path, folder: Path, recipe: str) -> dict:
    """One recipe of a package that is there."""
    folder.mkdir(parents=True, exist_ok=True)
    program = ct.models.MLModel(str(package), skip_model_load=True)
    return {recipe: attempt(recipe, lambda: compress_to(program, recipe, folder))}


def prepare(source: Path, folder: Path, kind: str) -> dict:
    """The fp16 package of one encoder, unless it is there."""
    target = folder / f"{kind}.mlpackage"
    if target.exists():
        return {}
    return {kind: {"bytes": save(convert(open_encoders(source)[kind]), target)}}


def export(module: torch.nn.Module, target: Path) -> None:
    """An ONNX file, unless it is there; rows, and tokens beside a mask, are as many as come."""
    if target.exists():
        return
    unfinished = target.with_suffix(".unfinished")
    axes = {0: "rows", 1: "length"} if len(module.examples) == 2 else {0: "rows"}
    with torch.inference_mode():
        torch.onnx.export(module, tuple(example.repeat_interleave(2, dim=0) for example in module.examples), str(unfinished),
                          dynamo=False, opset_version=17, input_names=list(module.names), output_names=["embedding"],
                          dynamic_axes={**{name: axes for name in module.names}, "embedding": {0: "rows"}})
    unfinished.rename(target)


def inputs(module: torch.nn.Module) -> list[torch.Tensor]:
    """A batch of different rows."""
    chance = torch.Generator().manual_seed(1)
    first, *masks = module.examples
    top = 256 if isinstance(module, Image) else int(first.max()) + 1
    rows = torch.randint(0, top, (BATCH, *first.shape[1:]), generator=chance).to(first.dtype)
    if not isinstance(module, Image):
        rows[:, -1] = first[:, -1]
    return [rows, *(mask.repeat_interleave(BATCH, dim=0) for mask in masks)]


def run_one(module: torch.nn.Module, network: Path, threads: int, repeats: int) -> dict:
    """Rows per second, best of the repeats, and the smallest cosine to what torch computes."""
    from ort_bench import best, open_session

    export(module, network)
    batch = inputs(module)
    session, feed = open_session(network, threads), {name: rows.numpy() for name, rows in zip(module.names, batch)}
    embedding = session.run(["embedding"], feed)[0]
    with torch.inference_mode():
        wanted = module(*batch).numpy()
    return {"perSecond": round(BATCH / best(repeats, lambda: session.run(["embedding"], feed)), 2),
            "leastCosine": round(float((embedding * wanted).sum(axis=1).min()), 6)}


def run(source: Path, folder: Path, threads: int, repeats: int) -> dict:
    """Images and texts per second."""
    import onnxruntime

    folder.mkdir(parents=True, exist_ok=True)
    results = {"onnxruntime": onnxruntime.__version__, "threads": threads}
    for kind, module in open_encoders(source).items():
        results[kind] = attempt(kind, lambda: run_one(module, folder / f"{kind}.onnx", threads, repeats))
    return results


def main(arguments: list[str]) -> dict | None:
    """What the arguments ask for; nothing when they are no usage."""
    match arguments:
        case ["run", model, cache, *numbers] if len(numbers) <= 2:
            threads, repeats = (int(number) for number in numbers + ["2", "5"][len(numbers):])
            return run(Path(model), Path(cache), threads, repeats)
        case ["compress", model, folder, *recipes] if recipes and set(recipes) <= set(RECIPES):
            return compress_all(Path(model), Path(folder), recipes)
        case ["prepare", model, folder, ("image" | "text") as kind]:
            return prepare(Path(model), Path(folder), kind)
        case ["only", package, folder, recipe] if recipe in RECIPES:
            return compress_only(Path(package), Path(folder), recipe)


if __name__ == "__main__":
    results = main(sys.argv[1:])
    if results is None:
        sys.exit(__doc__)
    print(json.dumps(results))
