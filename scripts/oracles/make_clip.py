"""Makes the CLIP models that prove Ingot computes what transformers and open_clip do: random, seeded, both layouts.

usage: make_clip.py OUT_DIR [--real] [--only NAME...]

Writes OUT_DIR/NAME for every name of SMALL, or of REAL (the shapes of ViT-B/32, 605 MB each), as repositories have it:
  Hugging Face   config.json, model.safetensors, preprocessor_config.json, tokenizer.json and what else is saved
  OpenCLIP       open_clip_config.json, open_clip_model.safetensors, tokenizer.json and what else is saved
and what it is judged by: images/…, inputs.jsonl ({"image": PATH} lines, then {"text": …} lines), pairs.jsonl
(pictures with phrases, some in several templates), and expected.npz of the library's own preprocessing and encoders:
  pixels [images, 3, height, width] uint8      after resize and crop; planes R, G, B
  pixel_values, as pixels in float32           rescaled and normalised
  image_embedding [images, dimensions] float32, length one
  input_ids [texts, context] int32             padded as the library pads
  lengths [texts] int32                        ids before the padding, end token included
  text_embedding [texts, dimensions] float32, length one
The images and texts are in the order of inputs.jsonl. Weights are far from each other's defaults, and the text
projection is fitted so that a picture is near its phrase: similarities spread, and compression can be seen in them.
A model that is there already is left alone. Prints the seconds of each as JSON.
"""
import json
import os
import shutil
import sys
import time
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import numpy as np
import open_clip
import torch
from PIL import Image

import clip_pictures
from clip_models import HuggingFace, OpenCLIP, randomise, settle, unit

# Hugging Face: (vision, text, projection, preprocessing). The ids of "legacy" are those of openai's own files.
LEGACY, PRESENT = {"bos_token_id": 0, "eos_token_id": 2}, {"bos_token_id": 49406, "eos_token_id": 49407}


def hugging_face(vision: tuple, text: tuple, projection: int, image: dict, act: str, ids: dict,
                 eps: float = 1e-5) -> dict:
    """Settings of CLIPConfig; vision is (image, patch, hidden, layers, heads), text (hidden, layers, heads)."""
    size, patch, hidden, layers, heads = vision
    common = {"hidden_act": act, "layer_norm_eps": eps, "projection_dim": projection}
    return {"image": image, "projection_dim": projection, "vision_config": {
        "image_size": size, "patch_size": patch, "hidden_size": hidden, "num_hidden_layers": layers,
        "num_attention_heads": heads, "intermediate_size": hidden * 4, **common}, "text_config": {
        "hidden_size": text[0], "num_hidden_layers": text[1], "num_attention_heads": text[2],
        "intermediate_size": text[0] * 4, "vocab_size": 49408, "max_position_embeddings": 77, "pad_token_id": 1,
        **ids, **common}}


def even(side: int, crop: int | None = None) -> dict:
    """A preprocessor's sizes: the shortest edge, and what is cut out of the middle."""
    return {"size": {"shortest_edge": side}, "crop_size": {"height": crop or side, "width": crop or side}}


VIT_B_32 = {"embed_dim": 512, "vision_cfg": {"image_size": 224, "layers": 12, "width": 768, "patch_size": 32},
            "text_cfg": {"context_length": 77, "vocab_size": 49408, "width": 512, "heads": 8, "layers": 12}}
OPEN_SMALL = {"embed_dim": 20, "vision_cfg": {
    "image_size": 64, "layers": 3, "width": 48, "head_width": 16, "patch_size": 16}, "text_cfg": {
    "context_length": 77, "vocab_size": 49408, "width": 32, "heads": 4, "layers": 3}}
OPEN_QUICK = {"embed_dim": 28, "quick_gelu": True, "vision_cfg": {
    "image_size": 56, "layers": 2, "width": 64, "head_width": 16, "patch_size": 14, "mlp_ratio": 3.0}, "text_cfg": {
    "context_length": 40, "vocab_size": 49408, "width": 48, "heads": 3, "layers": 2}}
OPENAI_CFG = {"mean": list(open_clip.OPENAI_DATASET_MEAN), "std": list(open_clip.OPENAI_DATASET_STD)}
HALVES = {"mean": [.5, .5, .5], "std": [.5, .5, .5], "interpolation": "bicubic", "resize_mode": "shortest"}
SMALL = {  # name: settings; "buffers" are stored beside the weights, which are those of "like"
    "hf-gelu": hugging_face((32, 8, 48, 3, 4), (32, 2, 4), 24, even(32), "gelu", PRESENT),
    "hf-quick": hugging_face((48, 12, 60, 2, 5), (48, 3, 6), 36, even(54, 48), "quick_gelu", LEGACY, 1e-6),
    "hf-positions": {**hugging_face((32, 8, 48, 3, 4), (32, 2, 4), 24, {"size": 32, "crop_size": 32}, "gelu", PRESENT),
                     "buffers": "positions", "like": "hf-gelu"},
    "openclip-gelu": {"model_cfg": OPEN_SMALL, "preprocess_cfg": OPENAI_CFG},
    "openclip-quick": {"model_cfg": OPEN_QUICK, "preprocess_cfg": HALVES},
    "openclip-mask": {"model_cfg": OPEN_SMALL, "preprocess_cfg": OPENAI_CFG, "buffers": "mask",
                      "like": "openclip-gelu"},
    "openclip-custom": {"model_cfg": {**OPEN_SMALL, "custom_text": True}, "preprocess_cfg": OPENAI_CFG},
}
REAL = {
    "openclip-vit-b-32": {"model_cfg": VIT_B_32, "preprocess_cfg": OPENAI_CFG},
    "openclip-vit-b-32-mask": {"model_cfg": VIT_B_32, "preprocess_cfg": OPENAI_CFG, "buffers": "mask",
                               "like": "openclip-vit-b-32"},
    "hf-vit-b-32": hugging_face((224, 32, 768, 12, 12), (512, 12, 8), 512, even(224), "quick_gelu", LEGACY),
}


def pairs(folder: Path) -> None:
    """Every picture with its own phrase and with the next picture's, as the best of three templates."""
    phrases = [(name, entry[4]) for name, entry in clip_pictures.PICTURES.items()]
    lines = []
    for place, (name, _) in enumerate(phrases):
        for step in (0, 1, 7):
            phrase = phrases[(place + step) % len(phrases)][1]
            side = {"text": phrase} if place % 2 else {"anyOf": [{"text": phrase}, *(
                {"text": template.format(phrase)} for template in clip_pictures.TEMPLATES[:2])]}
            lines.append({"a": {"image": f"images/{name}"}, "b": side})
    (folder / "pairs.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


@torch.inference_mode()
def make(folder: Path, settings: dict, seed: int) -> None:
    """One model with everything beside it."""
    side = (OpenCLIP if "model_cfg" in settings else HuggingFace)(settings)
    part = folder.with_name("part-" + folder.name)
    shutil.rmtree(part, ignore_errors=True)
    with torch.no_grad():
        randomise(side.model, seed)
    clip_pictures.write(part / "beside")
    images = [Image.open(part / "beside" / "images" / name) for name in clip_pictures.PICTURES]
    pixels, values = side.crops(images), side.pixel_values(images)
    ids, lengths = side.ids(clip_pictures.texts())
    feed, rows = torch.from_numpy(values.astype(np.float32)), torch.from_numpy(ids).long()
    settle(side, feed, rows)
    np.savez(part / "beside" / "expected.npz", pixels=pixels.astype(np.uint8), pixel_values=values.astype(np.float32),
             image_embedding=unit(side.encode_image(feed)).numpy(), input_ids=ids.astype(np.int32),
             lengths=lengths.astype(np.int32), text_embedding=unit(side.encode_text(rows)).numpy())
    pairs(part / "beside")
    side.save(part / "model")
    for each in (part / "beside").iterdir():
        each.rename(part / "model" / each.name)
    (part / "model").rename(folder)
    shutil.rmtree(part)


def main(folder: Path, models: dict, names: list[str]) -> None:
    """Makes what is missing and prints what each took."""
    folder.mkdir(parents=True, exist_ok=True)
    seconds = {}
    for name in names:
        if not (folder / name).exists():
            start = time.perf_counter()
            make(folder / name, models[name], sorted(models).index(models[name].get("like", name)))
            seconds[name] = round(time.perf_counter() - start, 1)
    print(json.dumps(seconds))


if __name__ == "__main__":
    arguments = sys.argv[1:]
    models = REAL if "--real" in arguments else SMALL
    arguments = [each for each in arguments if each != "--real"]
    names = list(models)
    if "--only" in arguments:
        place = arguments.index("--only")
        arguments, names = arguments[:place], arguments[place + 1:]
    if len(arguments) != 1 or not set(names) <= set(models):
        sys.exit(__doc__)
    main(Path(arguments[0]), models, names)
