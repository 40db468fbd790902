"""DINOv3's vision transformers as transformers has them."""
from image_parts import judge, pictures, rgb, save_model

import numpy as np


def processor(folder):
    """The library's own; it scales first and resizes then, so that its numbers lie between levels."""
    from transformers import AutoImageProcessor

    return AutoImageProcessor.from_pretrained(folder)


def levels(folder) -> np.ndarray:
    """The library's numbers in units of a level: float32 [pictures, 3, height, width]."""
    made = processor(folder)
    numbers = np.stack([np.asarray(made(rgb(picture), do_normalize=False)["pixel_values"][0]) for picture in pictures()])
    return numbers / np.float32(made.rescale_factor)


def vectors(folder) -> np.ndarray:
    """`pooler_output` of what the library prepares."""
    import torch

    values = np.stack([np.asarray(processor(folder)(rgb(picture))["pixel_values"][0]) for picture in pictures()])
    with torch.no_grad():
        return judge(folder)(pixel_values=torch.from_numpy(values)).pooler_output.numpy()


def dinov3(folder, size: int = 32, patch: int = 8, heads: int = 2, width: int = 24, options=None, **saved):
    """A DINOv3 of two layers."""
    from transformers import DINOv3ViTConfig, DINOv3ViTImageProcessor, DINOv3ViTModel

    config = DINOv3ViTConfig(hidden_size=width, num_hidden_layers=2, num_attention_heads=heads, intermediate_size=40,
                             image_size=32, patch_size=patch, **(options or {}))
    save_model(folder, DINOv3ViTModel(config), DINOv3ViTImageProcessor(size={"height": size, "width": size}), **saved)
    return {"pixels": levels, "images": vectors}


CASES = {
    "dinov3-plain": lambda folder: dinov3(folder, options={"num_register_tokens": 4}),
    "dinov3-gated-half": lambda folder: dinov3(
        folder, size=48, heads=3, dtype="float16",
        options={"use_gated_mlp": True, "hidden_act": "silu", "num_register_tokens": 1, "rope_theta": 50.0}),
    "dinov3-bfloat16-shards": lambda folder: dinov3(
        folder, size=28, patch=7, heads=1, width=20, dtype="bfloat16", max_shard_size="10KB", old_file=True,
        options={"key_bias": True, "query_bias": False, "mlp_bias": False, "proj_bias": False}),
}
