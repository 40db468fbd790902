"""Writes a tiny CLIP as transformers 5 saves it, and what transformers 5 makes of some inputs.

usage: PYTHONPATH=.build-oracle-st6.2-tf5 .build-oracle/bin/python scripts/oracles/make_clip5.py OUT_DIR

The environment is made by scripts/oracle-versions. OUT_DIR gets model/ by `CLIPModel.save_pretrained` and
`CLIPProcessor.save_pretrained`, images/, inputs.jsonl ({"image": PATH} lines, then {"text": …} lines), and rows of
length 1 in float32, in the order of inputs.jsonl:
  image.npy         by the processor as it is loaded, which resizes with torchvision
  image-pillow.npy  by the processor that resizes with Pillow (`backend="pil"`)
  text.npy          each text alone, cut where the tokenizer says
Random weights by a fixed seed. Same output on every run.
"""
import json
import os
import shutil
import sys
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import numpy as np
import torch
import transformers
from PIL import Image
from transformers import (AutoImageProcessor, AutoTokenizer, CLIPConfig, CLIPImageProcessor, CLIPModel, CLIPProcessor,
                          CLIPTokenizer)

import clip_pictures
from clip_models import randomise
from clip_vocabulary import FIRST, LAST
from open_clip.tokenizer import bytes_to_unicode

PICTURES = ["cup.jpg", "moon.png", "flower.png", "leaf-gray.png", "cloud-1bit.png", "fish-palette.png"]
TEXTS = ["", "a photo of a cat", "Two DOGS, running!", "it's 2024", "crème brûlée", "日本語のテキスト", "  spaces   and\ttabs\n",
         "a" * 40, " ".join(f"word{number}" for number in range(30)), "🙂 ok", "the cat's the thing"]
POSITIONS = 16


def tokenizer() -> CLIPTokenizer:
    """Single bytes and a few merges."""
    letters = list(bytes_to_unicode().values())
    merges = [("t", "h"), ("th", "e</w>"), ("c", "a"), ("ca", "t</w>"), ("r", "d")]
    words = letters + [letter + "</w>" for letter in letters] + ["".join(pair) for pair in merges] + [FIRST, LAST]
    return CLIPTokenizer(vocab={word: number for number, word in enumerate(words)}, merges=merges,
                         model_max_length=POSITIONS)


def save(folder: Path) -> None:
    words = tokenizer()
    common = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32, "projection_dim": 12}
    model = CLIPModel(CLIPConfig(
        projection_dim=12, vision_config={"image_size": 32, "patch_size": 8, **common},
        text_config={"vocab_size": len(words), "max_position_embeddings": POSITIONS, "bos_token_id": words.bos_token_id,
                     "eos_token_id": words.eos_token_id, "pad_token_id": words.pad_token_id, **common}))
    with torch.no_grad():
        randomise(model, 5)
    model.save_pretrained(folder)
    images = CLIPImageProcessor(size={"shortest_edge": 36}, crop_size={"height": 32, "width": 32}, image_mean=[0.5, 0.4, 0.3])
    CLIPProcessor(images, words).save_pretrained(folder)


def unit(rows: list[torch.Tensor]) -> np.ndarray:
    return torch.nn.functional.normalize(torch.cat(rows).double(), dim=-1).float().numpy()


@torch.inference_mode()
def embed(folder: Path, out: Path) -> None:
    model = CLIPModel.from_pretrained(folder).eval()
    for name, choice in (("image", {}), ("image-pillow", {"backend": "pil"})):
        processor = AutoImageProcessor.from_pretrained(folder, **choice)
        pictures = [processor([Image.open(out / "images" / each)], return_tensors="pt") for each in PICTURES]
        np.save(out / f"{name}.npy", unit([model.get_image_features(**each).pooler_output for each in pictures]))
    words = AutoTokenizer.from_pretrained(folder)
    texts = [words(text, truncation=True, return_tensors="pt") for text in TEXTS]
    np.save(out / "text.npy", unit([model.get_text_features(**each).pooler_output for each in texts]))


def main(out: Path) -> None:
    if not transformers.__version__.startswith("5."):
        sys.exit(f"transformers is {transformers.__version__}, this needs 5: set PYTHONPATH as the usage says")
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    clip_pictures.write(out)
    for each in [*(out / "images").iterdir(), *out.glob("*.jsonl")]:
        if each.name not in PICTURES:
            each.unlink()
    lines = [{"image": f"images/{name}"} for name in PICTURES] + [{"text": text} for text in TEXTS]
    (out / "inputs.jsonl").write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    save(out / "model")
    embed(out / "model", out)


if __name__ == "__main__":
    main(Path(sys.argv[1])) if len(sys.argv) == 2 else sys.exit(__doc__)
