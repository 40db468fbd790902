"""Image encoders of OpenCLIP's residual networks (RN50 and the like) with fewer blocks and channels."""
import json

from image_parts import crops, pictures, train

import numpy as np


def residual(folder, layers: list[int], width: int = 2, head: int = 32, size: int = 64, embedding: int = 20,
             dtype: str = "float32", quick: bool = True, preparation=None):
    """The image half of a CLIP, in the library's files."""
    import open_clip
    import torch
    from safetensors.torch import save_file

    model_cfg = {"embed_dim": embedding, "quick_gelu": quick, "vision_cfg": {
        "image_size": size, "layers": layers, "width": width, "head_width": head, "patch_size": None},
        "text_cfg": {"context_length": 8, "vocab_size": 64, "width": 16, "heads": 2, "layers": 1}}
    options = {"mean": list(open_clip.OPENAI_DATASET_MEAN), "std": list(open_clip.OPENAI_DATASET_STD),
               "interpolation": "bicubic", "resize_mode": "shortest", **(preparation or {})}
    model = open_clip.CLIP(**model_cfg)
    transform = open_clip.image_transform(model.visual.image_size, is_train=False, **options)
    pixels = torch.stack([transform(picture) for picture in pictures()])
    train(model.visual, pixels)
    model = model.eval().to(getattr(torch, dtype))
    tensors = {name: tensor.contiguous() for name, tensor in model.state_dict().items() if name.startswith("visual.")}
    save_file(tensors, folder / "open_clip_model.safetensors", metadata={"format": "pt"})
    config = {"model_cfg": model_cfg, "preprocess_cfg": options}
    (folder / "open_clip_config.json").write_text(json.dumps(config, indent=2) + "\n")

    def vectors(_) -> np.ndarray:
        with torch.no_grad():
            return model.double().encode_image(pixels.double(), normalize=True).numpy()

    return {"pixels": lambda _: crops(transform, pictures()), "images": vectors}


CASES = {
    "open-clip-residual": lambda folder: residual(folder, [2, 1, 1, 1]),
    "open-clip-residual-half-heads": lambda folder: residual(
        folder, [1, 2, 1, 2], head=16, size=32, embedding=12, dtype="float16",
        preparation={"resize_mode": "squash", "interpolation": "bilinear"}),
    "open-clip-residual-bfloat16-wide": lambda folder: residual(
        folder, [1, 1, 2, 1], width=4, head=64, size=96, embedding=17, dtype="bfloat16", quick=False),
}
