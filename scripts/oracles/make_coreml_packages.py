"""Makes the packages that prove Ingot reads what coremltools writes: one encoder, converted and compressed by coremltools.

usage: make_coreml_packages.py MODEL_DIR OUT_DIR [--length 64] [--only NAME...]

Writes OUT_DIR/NAME.mlpackage for every name of RECIPES and CONVERSIONS, and what they are judged by:
sentences.jsonl (one {"text": ...} per line) and expected.npz (input_ids and attention_mask [sentences, length] in
int32, embedding [sentences, hidden] in float32, as PyTorch computes it in fp32).
A package that is there already is left alone: one folder is for one length. Prints the seconds of each as JSON.
"""
import json
import logging
import os
import shutil
import sys
import time
from pathlib import Path

os.environ.setdefault("TQDM_DISABLE", "1")

import coremltools as ct
import coremltools.optimize.coreml as cto
import numpy as np
import torch
from threadpoolctl import threadpool_limits
from transformers import AutoModel

from reference_encoder import load_tokenizer, read_pairs, read_texts

LENGTH, SENTENCES, ENUMERATED = 64, 24, (16, 32, 64)
REPOSITORY = Path(__file__).resolve().parents[2]
CONVERSIONS = {  # name: (target, precision, lengths); coremltools refuses two enumerated inputs before iOS 18
    "ios16-fp16": ("iOS16", ct.precision.FLOAT16, "fixed"),
    "ios18-fp16": ("iOS18", ct.precision.FLOAT16, "fixed"),
    "ios16-fp32": ("iOS16", ct.precision.FLOAT32, "fixed"),
    "ios16-fp16-range": ("iOS16", ct.precision.FLOAT16, "range"),
    "ios18-fp16-enumerated": ("iOS18", ct.precision.FLOAT16, "enumerated"),
}
GROUPED = {"mode": "kmeans", "nbits": 4, "granularity": "per_grouped_channel", "group_size": 16}
RECIPES = {  # name: (package it starts from, function, settings)
    "ios16-int8": ("ios16-fp16", "linear", {"mode": "linear_symmetric", "dtype": "int8"}),
    "ios16-uint8-asymmetric": ("ios16-fp16", "linear", {"mode": "linear", "dtype": "uint8"}),
    "ios16-palette4": ("ios16-fp16", "palette", {"mode": "kmeans", "nbits": 4}),
    "ios16-palette6": ("ios16-fp16", "palette", {"mode": "kmeans", "nbits": 6}),
    "ios16-palette8": ("ios16-fp16", "palette", {"mode": "kmeans", "nbits": 8}),
    "ios18-int8": ("ios18-fp16", "linear", {"mode": "linear_symmetric", "dtype": "int8"}),
    "ios18-uint8-asymmetric": ("ios18-fp16", "linear", {"mode": "linear", "dtype": "uint8"}),
    "ios18-palette3": ("ios18-fp16", "palette", {"mode": "kmeans", "nbits": 3}),
    "ios18-palette4": ("ios18-fp16", "palette", {"mode": "kmeans", "nbits": 4}),
    "ios18-palette4-grouped16": ("ios18-fp16", "palette", GROUPED),
    "ios18-palette4-int8lut": ("ios18-palette4", "joint", {"mode": "linear_symmetric", "granularity": "per_tensor"}),
    "ios18-int4-block32": ("ios18-fp16", "linear", {"dtype": "int4", "granularity": "per_block", "block_size": 32}),
}


class SentenceEncoder(torch.nn.Module):
    """What sentence-transformers computes: the encoder, the mean over the tokens of the mask, length one."""

    def __init__(self, folder: str):
        super().__init__()
        self.encoder = AutoModel.from_pretrained(folder, dtype=torch.float32, attn_implementation="sdpa").eval()

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        """[rows, length] ids and mask to [rows, hidden]."""
        states = self.encoder(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        weights = attention_mask.unsqueeze(-1).float()
        pooled = (states * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=1e-9)
        return torch.nn.functional.normalize(pooled, p=2, dim=1)


def pick_sentences(model: Path, length: int) -> list[str]:
    """Sentences of the repository's fixtures, from one token to about as many as fit, in even steps of their ratio."""
    texts = read_texts(REPOSITORY / "Tests/InteropTests/Fixtures/sentences.jsonl")
    for pair in read_pairs(REPOSITORY / "specs/examples/minilm/pairs.jsonl"):
        texts += [pair["a"]["text"], pair["b"]["text"]]
    left = dict.fromkeys(texts)
    lengths = dict(zip(left, (len(each.ids) for each in load_tokenizer(model).encode_batch(list(left))), strict=True))
    picked = []
    for wanted in np.geomspace(3, length, SENTENCES):
        picked.append(min(left, key=lambda text: abs(lengths[text] - wanted)))
        del left[picked[-1]]
    return picked


@torch.inference_mode()
def write_expected(model: Path, encoder: torch.nn.Module, folder: Path, length: int) -> None:
    """sentences.jsonl and expected.npz."""
    texts = pick_sentences(model, length)
    rows = [encoding.ids for encoding in load_tokenizer(model, length).encode_batch(texts)]
    ids = np.array([row + [0] * (length - len(row)) for row in rows], dtype=np.int32)
    mask = np.array([[1] * len(row) + [0] * (length - len(row)) for row in rows], dtype=np.int32)
    embedding = encoder(torch.from_numpy(ids).long(), torch.from_numpy(mask).long()).numpy().astype(np.float32)
    np.savez(folder / "expected.npz", input_ids=ids, attention_mask=mask, embedding=embedding)
    with open(folder / "sentences.jsonl", "w", encoding="utf-8", newline="\n") as output:
        output.writelines(json.dumps({"text": text}, ensure_ascii=False) + "\n" for text in texts)


def convert(traced, length: int, target: str, precision, lengths: str):
    """One conversion; `length` is the only length, the greatest, or one of a few, as `lengths` says."""
    choices = sorted({each for each in ENUMERATED if each < length} | {length})
    shape = {
        "fixed": (1, length),
        "range": (1, ct.RangeDim(1, length, default=length)),
        "enumerated": ct.EnumeratedShapes(shapes=[(1, each) for each in choices], default=(1, length)),
    }[lengths]
    names = ("input_ids", "attention_mask")
    inputs = [ct.TensorType(name=name, shape=shape, dtype=np.int32) for name in names]
    return ct.convert(traced, inputs=inputs, outputs=[ct.TensorType(name="embedding")], convert_to="mlprogram",
                      minimum_deployment_target=getattr(ct.target, target), compute_precision=precision,
                      skip_model_load=True)


def compress(source, kind: str, settings: dict):
    """One compression of a package's weights. One thread, as many small k-means only wait for each other."""
    if kind == "palette":
        config = cto.OptimizationConfig(global_config=cto.OpPalettizerConfig(**settings))
        with threadpool_limits(1):
            return cto.palettize_weights(source, config)
    config = cto.OptimizationConfig(global_config=cto.OpLinearQuantizerConfig(**settings))
    return cto.linear_quantize_weights(source, config, joint_compression=kind == "joint")


def save(package, target: Path) -> None:
    """Saves under a temporary name first: no half package under the final one."""
    part = target.with_name("part-" + target.name)
    shutil.rmtree(part, ignore_errors=True)
    package.save(str(part))
    part.rename(target)


def make(name: str, folder: Path, traced, length: int) -> None:
    """One package, and the one it starts from when that is missing."""
    target = folder / f"{name}.mlpackage"
    if target.exists():
        return
    if name in CONVERSIONS:
        return save(convert(traced, length, *CONVERSIONS[name]), target)
    source, kind, settings = RECIPES[name]
    make(source, folder, traced, length)
    package = ct.models.MLModel(str(folder / f"{source}.mlpackage"), skip_model_load=True)
    save(compress(package, kind, settings), target)


def main(model: Path, folder: Path, length: int, names: list[str]) -> None:
    """Makes everything and prints what each took."""
    folder.mkdir(parents=True, exist_ok=True)
    if (folder / "expected.npz").exists() and all((folder / f"{name}.mlpackage").exists() for name in names):
        return print("{}")
    encoder = SentenceEncoder(str(model))
    write_expected(model, encoder, folder, length)
    ids = torch.ones((1, length), dtype=torch.int64)
    with torch.inference_mode():
        traced = torch.jit.trace(encoder, (ids, ids))
    seconds = {}
    for name in names:
        start = time.perf_counter()
        make(name, folder, traced, length)
        seconds[name] = round(time.perf_counter() - start, 1)
    print(json.dumps(seconds))


if __name__ == "__main__":
    arguments, names, length = sys.argv[1:], [*CONVERSIONS, *RECIPES], LENGTH
    if "--only" in arguments:
        place = arguments.index("--only")
        arguments, names = arguments[:place], arguments[place + 1:]
    if len(arguments) == 4 and arguments[2] == "--length" and arguments[3].isdecimal():
        length = int(arguments[3])
        arguments = arguments[:2]
    if len(arguments) != 2 or not set(names) <= {*CONVERSIONS, *RECIPES}:
        sys.exit(__doc__)
    logging.disable(logging.WARNING)
    main(Path(arguments[0]), Path(arguments[1]), length, names)
