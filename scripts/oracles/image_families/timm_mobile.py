"""Mobile networks of timm, and transformers' TimmWrapper around them. All blocks are there; the channels are fewer."""
import contextlib
import json
import tempfile
from pathlib import Path
from unittest import mock

from image_parts import crops, pictures, rgb, train

import numpy as np


@contextlib.contextmanager
def few_channels(share: float, features: int):
    """timm makes its mobile networks with a share of the channels, at least 4, and few features."""
    from timm.models import efficientnet, mobilenetv3

    def few(make):
        def made(variant, pretrained=False, **options):
            options.update(round_chs_fn=lambda count: max(4, round(count * share / 4) * 4), num_features=features)
            if "fix_stem" in options:
                options["fix_stem"] = False
            return make(variant, pretrained, **options)
        return made

    with (mock.patch.object(mobilenetv3, "_create_mnv3", few(mobilenetv3._create_mnv3)),
          mock.patch.object(efficientnet, "_create_effnet", few(efficientnet._create_effnet))):
        yield


def images() -> list:
    """The pictures as people give them to timm."""
    return [rgb(picture) for picture in pictures()]


def network(name: str, folder, images_as=None, classes: int = 0, dtype: str = "float32", share: float = 0.06,
            features: int = 24):
    """A network with random weights that timm saves in a folder, and the transform of its pictures."""
    import timm
    import torch
    from timm.data import create_transform, resolve_data_config
    from timm.models import save_for_hf

    with few_channels(share, features):
        model = timm.create_model(name, num_classes=classes, pretrained_cfg_overlay={
            "input_size": (3, 48, 48), "test_input_size": None, "crop_pct": 0.875, **(images_as or {})})
    transform = create_transform(**resolve_data_config({}, model=model))
    train(model, torch.stack([transform(image) for image in images()]))
    model = model.to(getattr(torch, dtype))
    save_for_hf(model, folder, safe_serialization=True)
    return model, transform


def plain(name: str, folder, **options):
    """A network in timm's own files: its features, or the scores of its classes."""
    import torch

    model, transform = network(name, folder, **options)

    def vectors(_) -> np.ndarray:
        pixels = torch.stack([transform(image) for image in images()])
        with torch.no_grad():
            return model.double()(pixels.double()).numpy()

    return {"pixels": lambda _: crops(transform, images()), "images": vectors}


def forget_arguments(file: Path) -> None:
    """Takes `model_args` out of timm's config.json, as before timm 1.0.31: transformers cannot read what it says of classes."""
    config = json.loads(file.read_text())
    config.pop("model_args", None)
    file.write_text(json.dumps(config))


def wrapped(name: str, folder, classes: int, scores: bool = False, shard: str | None = None, **options):
    """A network with classes, loaded and saved again by transformers: its features, or the scores of its classes."""
    import torch
    from transformers import AutoImageProcessor, TimmWrapperForImageClassification, TimmWrapperModel

    kind = TimmWrapperForImageClassification if scores else TimmWrapperModel
    with tempfile.TemporaryDirectory() as place, few_channels(options.get("share", 0.06), options.get("features", 24)):
        network(name, Path(place), classes=classes, **options)
        forget_arguments(Path(place) / "config.json")
        kind.from_pretrained(place).save_pretrained(folder, **({"max_shard_size": shard} if shard else {}))
        model = kind.from_pretrained(folder).eval().double()
    processor = AutoImageProcessor.from_pretrained(folder)

    def vectors(_) -> np.ndarray:
        with torch.no_grad():
            found = model(processor(images())["pixel_values"].double())
        return (found.logits if scores else found.pooler_output).numpy()

    return {"pixels": lambda _: crops(processor.val_transforms, images()), "images": vectors}


WIDE = {"input_size": (3, 32, 40), "interpolation": "bilinear", "crop_pct": 1.0}

CASES = {
    "mobilenetv3-small": lambda folder: plain("mobilenetv3_small_100", folder),
    "tf-mobilenetv3-large-wide": lambda folder: plain("tf_mobilenetv3_large_100", folder, images_as=WIDE),
    "tf-mobilenetv3-minimal": lambda folder: plain("tf_mobilenetv3_small_minimal_100", folder),
    "mobilenetv4-small": lambda folder: plain("mobilenetv4_conv_small", folder),
    "mobilenetv4-medium-half": lambda folder: plain("mobilenetv4_conv_medium", folder, dtype="float16", share=0.04),
    "mobilenetv2-bfloat16": lambda folder: plain("mobilenetv2_100", folder, dtype="bfloat16", images_as={
        "crop_mode": "squash", "input_size": (3, 32, 32)}),
    "efficientnet-b0": lambda folder: plain("efficientnet_b0", folder, share=0.04),
    "tf-efficientnet-lite0": lambda folder: plain("tf_efficientnet_lite0", folder, share=0.04),
    "mobilenetv3-small-classes": lambda folder: plain("mobilenetv3_small_075", folder, classes=5),
    "efficientnet-lite0-classes": lambda folder: plain("efficientnet_lite0", folder, classes=12, share=0.04),
    "wrapped-mobilenetv3-bfloat16-shards": lambda folder: wrapped(
        "mobilenetv3_small_100", folder, classes=5, dtype="bfloat16", shard="10KB"),
    "wrapped-mobilenetv4-classes": lambda folder: wrapped(
        "mobilenetv4_conv_small_050", folder, classes=5, scores=True),
}
