"""MobileCLIP 1 and 2 as OpenCLIP has them, and FastViT as timm and transformers save it. All kinds of layers are there; they are fewer and narrower."""
import contextlib
import json
import tempfile
from pathlib import Path
from unittest import mock

from encoder_parts import fill, texts
from image_parts import crops, pictures, rgb, train

import clip_pieces
import numpy as np

FOUR = {"layers": (1, 2, 1, 1), "embed_dims": (8, 8, 16, 32)}
WIDE = {"layers": (1, 1, 2, 1), "embed_dims": (8, 16, 32, 64)}
FIVE = {"layers": (1, 1, 1, 1, 1), "embed_dims": (8, 8, 8, 32, 32)}


@contextlib.contextmanager
def small_fastvit(sizes: dict):
    """timm makes its FastViTs with these layers and channels."""
    from timm.models import fastvit

    made = fastvit._create_fastvit

    def make(variant, pretrained=False, **options):
        return made(variant, pretrained, **{**options, **sizes})

    with mock.patch.object(fastvit, "_create_fastvit", make):
        yield


@contextlib.contextmanager
def small_vits(sizes: dict):
    """timm makes MobileCLIP's vision transformers with these layers, channels and pixels."""
    from timm.models import vision_transformer, vision_transformer_hybrid

    made = {vision_transformer: "_create_vision_transformer", vision_transformer_hybrid: "_create_vision_transformer_hybrid"}

    def small(make):
        return lambda variant, pretrained=False, **options: make(variant, pretrained=pretrained, **{**options, **sizes})

    def stem(make):
        return lambda **options: make(**{**options, "channels": (8, 12, sizes["embed_dim"])})

    with contextlib.ExitStack() as stack:
        for module, name in made.items():
            stack.enter_context(mock.patch.object(module, name, small(getattr(module, name))))
        stack.enter_context(mock.patch.object(
            vision_transformer_hybrid, "ConvStem", stem(vision_transformer_hybrid.ConvStem)))
        yield


def small(sizes: dict):
    """FastViTs have several widths, vision transformers one."""
    return small_vits(sizes) if "embed_dim" in sizes else small_fastvit(sizes)


def randomise(trunk, pixels) -> None:
    """Weights so wide that pictures differ in the result, and the statistics that pictures have in the norms."""
    import torch

    with torch.no_grad():
        for name, weight in trunk.named_parameters():
            if name.endswith(("pos_embed", "cls_token")):
                weight.copy_(torch.randn(weight.shape) * 0.5)
            elif name.endswith("gamma"):
                weight.copy_(0.7 + torch.randn(weight.shape) * 0.2)
            elif weight.ndim > 1:
                weight.copy_(torch.randn(weight.shape) * weight[0].numel() ** -0.5 * (2 if "qkv" in name else 1))
            else:
                weight.add_(torch.randn(weight.shape) * 0.1)
    train(trunk, pixels)


def whole(trunk):
    """The same model with all branches put together, as it is published for inference."""
    from timm.utils import reparameterize_model

    return reparameterize_model(trunk.eval())


def unit(rows) -> np.ndarray:
    return (rows / rows.norm(dim=-1, keepdim=True)).numpy()


def open_clip_model(name: str, folder, sizes: dict, size=64, embedding: int = 20, length: int = 77, heads: int = 2,
                    dtype: str = "float32", put_together: bool = False, preparation=None, vision=None, text=None):
    """A model of OpenCLIP's list with fewer and narrower layers, in the library's files."""
    import open_clip
    import torch
    from open_clip.push_to_hf_hub import save_config_for_hf
    from safetensors.torch import save_file

    model_cfg = open_clip.get_model_config(name)
    model_cfg["embed_dim"] = embedding
    model_cfg["vision_cfg"] |= {"image_size": size, **(vision or {})}
    model_cfg["text_cfg"] |= {"context_length": length, "vocab_size": len(clip_pieces.vocabulary()), "width": 24,
                              "heads": heads, "layers": 2, **(text or {})}
    options = {"mean": (0., 0., 0.), "std": (1., 1., 1.), "interpolation": "bilinear", "resize_mode": "shortest",
               **(preparation or {})}
    with small(sizes):
        model = open_clip.CustomTextCLIP(**{key: part for key, part in model_cfg.items() if key != "custom_text"})
    open_clip.model.set_model_preprocess_cfg(model, options)
    transform = open_clip.image_transform(model.visual.image_size, is_train=False, **options)
    pixels = torch.stack([transform(picture) for picture in pictures()])
    fill(model.text)
    randomise(model.visual, pixels)
    if put_together:
        model.visual.trunk = whole(model.visual.trunk)
    model = model.eval().to(getattr(torch, dtype))
    save_file(model.state_dict(), folder / "open_clip_model.safetensors", metadata={"format": "pt"})
    save_config_for_hf(model, folder / "open_clip_config.json", model_cfg)
    clip_pieces.save(folder)
    tokens = clip_pieces.open_clip_tokenizer(length)(texts())
    model = model.double()

    def images(_) -> np.ndarray:
        with torch.no_grad():
            return unit(model.encode_image(pixels.double()))

    def vectors(_) -> np.ndarray:
        with torch.no_grad():
            return unit(model.encode_text(tokens))

    def ids(_) -> list[list[int]]:
        last = len(clip_pieces.vocabulary()) - 1
        return [row[:row.index(last) + 1] for row in tokens.tolist()]

    return {"pixels": lambda _: crops(transform, pictures()), "images": images, "ids": ids, "texts": vectors}


def network(name: str, folder, sizes: dict, classes: int = 0, dtype: str = "float32", size: int = 48,
            put_together: bool = False, images_as=None):
    """A FastViT that timm saves in a folder, and the transform of its pictures."""
    import timm
    import torch
    from timm.data import create_transform, resolve_data_config
    from timm.models import save_for_hf

    with small_fastvit(sizes):
        model = timm.create_model(name, num_classes=classes, pretrained_cfg_overlay={
            "input_size": (3, size, size), **(images_as or {})})
    transform = create_transform(**resolve_data_config({}, model=model))
    randomise(model, torch.stack([transform(rgb(picture)) for picture in pictures()]))
    if put_together:
        model = whole(model)
    model = model.to(getattr(torch, dtype))
    save_for_hf(model, folder, safe_serialization=True)
    return model, transform


def plain(name: str, folder, sizes: dict, **options):
    """A FastViT in timm's own files: its features, its vector in MobileCLIP's space, or the scores of its classes."""
    import torch

    model, transform = network(name, folder, sizes, **options)
    images = [rgb(picture) for picture in pictures()]

    def vectors(_) -> np.ndarray:
        with torch.no_grad():
            return model.double()(torch.stack([transform(image) for image in images]).double()).numpy()

    return {"pixels": lambda _: crops(transform, images), "images": vectors}


def wrapped(name: str, folder, sizes: dict, shard: str, **options):
    """A FastViT with classes, loaded and saved again by transformers: its features."""
    import torch
    from transformers import AutoImageProcessor, TimmWrapperModel

    with tempfile.TemporaryDirectory() as place, small_fastvit(sizes):
        network(name, Path(place), sizes, classes=5, **options)
        file = Path(place) / "config.json"
        config = json.loads(file.read_text())
        config.pop("model_args", None)  # transformers cannot read what timm 1.0.31 says of classes there
        file.write_text(json.dumps(config))
        TimmWrapperModel.from_pretrained(place).save_pretrained(folder, max_shard_size=shard)
        model = TimmWrapperModel.from_pretrained(folder).eval().double()
    processor = AutoImageProcessor.from_pretrained(folder)
    images = [rgb(picture) for picture in pictures()]

    def vectors(_) -> np.ndarray:
        with torch.no_grad():
            return model(processor(images)["pixel_values"].double()).pooler_output.numpy()

    return {"pixels": lambda _: crops(processor.val_transforms, images), "images": vectors}


def hybrid(size: int, width: int = 48) -> dict:
    """Sizes of a vision transformer with convolutions before it; it has 12 heads."""
    return {"embed_dim": width, "depth": 2, "img_size": size}


def openai() -> dict:
    """How MobileCLIP 2's largest models have their pixels."""
    import open_clip

    return {"mean": open_clip.OPENAI_DATASET_MEAN, "std": open_clip.OPENAI_DATASET_STD}


CASES = {
    "mobileclip-s1": lambda folder: open_clip_model("MobileCLIP-S1", folder, FOUR),
    "mobileclip-s2-whole-half": lambda folder: open_clip_model(
        "MobileCLIP-S2", folder, WIDE, length=40, heads=3, dtype="float16", put_together=True),
    "mobileclip2-s0-bfloat16": lambda folder: open_clip_model(
        "MobileCLIP2-S0", folder, FOUR, embedding=12, length=32, dtype="bfloat16"),
    "mobileclip2-s2-oblong": lambda folder: open_clip_model(
        "MobileCLIP2-S2", folder, FOUR, size=[40, 56], length=32, put_together=True,
        vision={"timm_proj": "linear", "timm_proj_bias": True}, text={"no_causal_mask": False}),
    "mobileclip2-s3": lambda folder: open_clip_model("MobileCLIP2-S3", folder, FIVE, length=32, preparation=openai()),
    "mobileclip2-s4-whole": lambda folder: open_clip_model(
        "MobileCLIP2-S4", folder, FIVE, length=32, put_together=True, dtype="float16", preparation=openai()),
    "mobileclip-b": lambda folder: open_clip_model("MobileCLIP-B", folder, hybrid(64), length=32),
    "mobileclip-b-half": lambda folder: open_clip_model(
        "MobileCLIP-B", folder, hybrid(48, width=24), size=48, length=40, dtype="float16"),
    "mobileclip2-b-bfloat16": lambda folder: open_clip_model(
        "MobileCLIP2-B", folder, hybrid(32, width=36), size=32, embedding=12, length=32, dtype="bfloat16"),
    "mobileclip2-l14": lambda folder: open_clip_model(
        "MobileCLIP2-L-14", folder, {"embed_dim": 32, "depth": 2, "img_size": 64, "patch_size": 16}, length=32,
        preparation=openai() | {"interpolation": "bicubic"}),
    "fastvit-t8": lambda folder: plain("fastvit_t8", folder, FOUR),
    "fastvit-sa12-classes-whole": lambda folder: plain("fastvit_sa12", folder, FOUR, classes=7, put_together=True),
    "fastvit-mci0-half": lambda folder: plain("fastvit_mci0", folder, FOUR, classes=512, dtype="float16", images_as={
        "input_size": (3, 32, 40), "interpolation": "bilinear"}),
    "fastvit-mci3-bfloat16": lambda folder: plain(
        "fastvit_mci3", folder, FIVE, dtype="bfloat16", images_as={"crop_pct": 0.9}),
    "wrapped-fastvit-ma36-shards": lambda folder: wrapped(
        "fastvit_ma36", folder, FOUR, shard="60KB", images_as={"crop_pct": 0.9}),
}
