"""Image encoders of OpenCLIP's vision transformers; their texts are compared with make_clip.py's models."""
import json

from encoder_parts import fill
from image_parts import crops, pictures

import numpy as np


def open_clip_image(folder, size=48, patch: int = 16, width: int = 32, head: int = 16, dtype: str = "float32",
                    quick: bool = False, preparation=None):
    """The image half of a CLIP of two layers, in the library's files."""
    import open_clip
    import torch
    from safetensors.torch import save_file

    model_cfg = {"embed_dim": 20, "quick_gelu": quick, "vision_cfg": {
        "image_size": size, "layers": 2, "width": width, "head_width": head, "patch_size": patch},
        "text_cfg": {"context_length": 8, "vocab_size": 64, "width": 16, "heads": 2, "layers": 1}}
    options = {"mean": list(open_clip.OPENAI_DATASET_MEAN), "std": list(open_clip.OPENAI_DATASET_STD),
               "interpolation": "bicubic", "resize_mode": "shortest", **(preparation or {})}
    model = open_clip.CLIP(**model_cfg).eval()
    fill(model.visual)
    model = model.to(getattr(torch, dtype))
    tensors = {name: tensor.contiguous() for name, tensor in model.state_dict().items() if name.startswith("visual.")}
    save_file(tensors, folder / "open_clip_model.safetensors", metadata={"format": "pt"})
    config = {"model_cfg": model_cfg, "preprocess_cfg": options}
    (folder / "open_clip_config.json").write_text(json.dumps(config, indent=2) + "\n")
    transform = open_clip.image_transform(model.visual.image_size, is_train=False, **options)

    def vectors(_) -> np.ndarray:
        pixels = torch.stack([transform(picture) for picture in pictures()])
        with torch.no_grad():
            return model.float().encode_image(pixels, normalize=True).numpy()

    return {"pixels": lambda _: crops(transform, pictures()), "images": vectors}


CASES = {
    "open-clip-16": lambda folder: open_clip_image(folder),
    "open-clip-14-quick-half": lambda folder: open_clip_image(
        folder, size=42, patch=14, width=48, head=12, dtype="float16", quick=True),
    "open-clip-wide": lambda folder: open_clip_image(folder, size=[24, 40], patch=8),
    "open-clip-tall-squashed": lambda folder: open_clip_image(
        folder, size=[48, 24], patch=12, preparation={"resize_mode": "squash", "interpolation": "bilinear"}),
}
