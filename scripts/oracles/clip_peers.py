"""Proves what CLIP's encoders cost elsewhere: ONNX Runtime runs them, coremltools converts and compresses them.

usage: clip_peers.py run MODEL_DIR CACHE_DIR [THREADS [REPEATS]]
       clip_peers.py compress MODEL_DIR OUT_DIR RECIPE...
       clip_peers.py prepare MODEL_DIR OUT_DIR image|text
       clip_peers.py only PACKAGE OUT_DIR RECIPE

MODEL_DIR is in OpenCLIP layout. `run` exports both encoders to ONNX once and prints images and texts per second in
fp32: batches of 8 images, and of 8 texts of all ids. `compress` does what `ingot compress` does, in one process: loads
the model, traces each encoder named, converts it to an fp16 ML program and compresses it by each RECIPE: image-int8,
image-palettize4, text-int8, text-palettize4 (linear symmetric per channel; k-means per tensor). `prepare` stops at the
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

BATCH = 8
RECIPES = ("image-int8", "image-palettize4", "text-int8", "text-palettize4")


def open_model(folder: Path) -> tuple:
    """The model and its settings; traced with the fast path, its attention is one operation that nobody converts."""
    import open_clip
    from safetensors.torch import load_file

    torch.backends.mha.set_fastpath_enabled(False)
    config = json.loads((folder / "open_clip_config.json").read_text())
    model = open_clip.CLIP(**config["model_cfg"]).eval()
    tensors = load_file(folder / "open_clip_model.safetensors")
    model.load_state_dict({name: tensor for name, tensor in tensors.items() if name != "attn_mask"})
    return model.requires_grad_(False), config


class Image(torch.nn.Module):
    """[rows, 3, height, width] of 0…255 to embeddings of length one."""

    def __init__(self, model: torch.nn.Module, config: dict):
        super().__init__()
        self.model, settings = model, config["preprocess_cfg"]
        self.mean, self.std = (torch.tensor(settings[key]).reshape(1, 3, 1, 1) for key in ("mean", "std"))
        side = config["model_cfg"]["vision_cfg"]["image_size"]
        self.example = torch.full((1, 3, side, side), 100.0)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        return self.model.encode_image((image / 255 - self.mean) / self.std, normalize=True)


class Text(torch.nn.Module):
    """[rows, context] ids to embeddings of length one."""

    def __init__(self, model: torch.nn.Module, config: dict):
        super().__init__()
        self.model = model
        self.example = torch.ones((1, model.context_length), dtype=torch.int32)
        self.example[0, -1] = model.vocab_size - 1

    def forward(self, input_ids: torch.Tensor) -> torch.Tensor:
        return self.model.encode_text(input_ids, normalize=True)


ENCODERS = {"image": Image, "text": Text}


def convert(model, config: dict, kind: str):
    """The fp16 ML program of one encoder; a picture goes in as a picture."""
    module = ENCODERS[kind](model, config).eval()
    example = module.example
    with torch.inference_mode():
        traced = torch.jit.trace(module, example, check_trace=False)
    if kind == "image":
        inputs = [ct.ImageType(name="image", shape=tuple(example.shape), color_layout=ct.colorlayout.RGB)]
    else:
        inputs = [ct.TensorType(name="input_ids", shape=tuple(example.shape), dtype=np.int32)]
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


def attempt(program, recipe: str, folder: Path) -> dict:
    """What one recipe gave: seconds and bytes, or how it failed."""
    start = time.perf_counter()
    try:
        found = {"bytes": save(compress(program, recipe.split("-")[1]), folder / f"{recipe}.mlpackage")}
    except Exception as error:  # whatever it is, it is the finding
        found = {"failed": f"{type(error).__name__}: {str(error).strip().splitlines()[0]}"}
        print(f"failed: {recipe}: {found['failed']}", file=sys.stderr)
    return {**found, "seconds": round(time.perf_counter() - start, 2)}


def compress_all(source: Path, folder: Path, recipes: list[str]) -> dict:
    """Every recipe of one model."""
    folder.mkdir(parents=True, exist_ok=True)
    (model, config), results = open_model(source), {}
    for kind in ENCODERS:
        wanted = [recipe for recipe in recipes if recipe.startswith(kind)]
        if wanted:
            start = time.perf_counter()
            program = convert(model, config, kind)
            results[f"{kind}-convert"] = {"seconds": round(time.perf_counter() - start, 2)}
            results |= {recipe: attempt(program, recipe, folder) for recipe in wanted}
    return results


def compress_only(package: Path, folder: Path, recipe: str) -> dict:
    """One recipe of a package that is there."""
    folder.mkdir(parents=True, exist_ok=True)
    return {recipe: attempt(ct.models.MLModel(str(package), skip_model_load=True), recipe, folder)}


def prepare(source: Path, folder: Path, kind: str) -> dict:
    """The fp16 package of one encoder, unless it is there."""
    target = folder / f"{kind}.mlpackage"
    if target.exists():
        return {}
    return {kind: {"bytes": save(convert(*open_model(source), kind), target)}}


def export(source: Path, folder: Path) -> None:
    """image.onnx and text.onnx, unless they are there."""
    model = None
    for kind in ENCODERS:
        target = folder / f"{kind}.onnx"
        if target.exists():
            continue
        model, config = (model, config) if model else open_model(source)
        module = ENCODERS[kind](model, config).eval()
        unfinished = target.with_suffix(".unfinished")
        with torch.inference_mode():
            torch.onnx.export(module, (module.example.repeat_interleave(2, dim=0),), str(unfinished), dynamo=False,
                              opset_version=17, input_names=["input"], output_names=["embedding"],
                              dynamic_axes={"input": {0: "rows"}, "embedding": {0: "rows"}})
        unfinished.rename(target)


def run(source: Path, folder: Path, threads: int, repeats: int) -> dict:
    """Images and texts per second, best of the repeats; the inputs are the model's own expected ones."""
    import onnxruntime

    from ort_bench import best, open_session

    folder.mkdir(parents=True, exist_ok=True)
    export(source, folder)
    expected, results = np.load(source / "expected.npz"), {"onnxruntime": onnxruntime.__version__, "threads": threads}
    inputs = {"image": expected["pixels"].astype(np.float32), "text": expected["input_ids"]}
    for kind in ENCODERS:
        session = open_session(folder / f"{kind}.onnx", threads)
        feed = {"input": inputs[kind][:BATCH]}
        embedding = session.run(["embedding"], feed)[0]
        wanted = expected[f"{kind}_embedding"][:BATCH]
        results[kind] = {"perSecond": round(BATCH / best(repeats, lambda: session.run(["embedding"], feed)), 2),
                         "leastCosine": round(float((embedding * wanted).sum(axis=1).min()), 6)}
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
