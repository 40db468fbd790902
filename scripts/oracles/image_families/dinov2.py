"""DINOv2 as transformers has it, with registers and without."""
from image_parts import levels, pooler_output, save_model


def dinov2(folder, crop: int = 32, trained: int = 32, patch: int = 8, heads: int = 2, width: int = 24,
           registers: int | None = None, options=None, **saved):
    """A DINOv2 of two layers; its positions are resampled where the crop is not of the trained size."""
    from transformers import (BitImageProcessor, Dinov2Config, Dinov2Model, Dinov2WithRegistersConfig,
                              Dinov2WithRegistersModel)

    sizes = dict(hidden_size=width, num_hidden_layers=2, num_attention_heads=heads, mlp_ratio=2, image_size=trained,
                 patch_size=patch, **(options or {}))
    model = (Dinov2Model(Dinov2Config(**sizes)) if registers is None
             else Dinov2WithRegistersModel(Dinov2WithRegistersConfig(num_register_tokens=registers, **sizes)))
    processor = BitImageProcessor(size={"shortest_edge": crop + 4}, crop_size={"height": crop, "width": crop},
                                  image_mean=[0.485, 0.456, 0.406], image_std=[0.229, 0.224, 0.225])
    save_model(folder, model, processor, **saved)
    return {"pixels": levels, "images": pooler_output}


CASES = {
    "dinov2-plain": lambda folder: dinov2(folder),
    "dinov2-fewer-patches": lambda folder: dinov2(folder, crop=28, trained=70, patch=7, heads=3, dtype="float16"),
    "dinov2-more-patches-gated": lambda folder: dinov2(
        folder, crop=40, trained=24, heads=4, options={"use_swiglu_ffn": True, "qkv_bias": False}, old_file=True),
    "dinov2-registers": lambda folder: dinov2(folder, registers=4),
    "dinov2-registers-fewer-patches": lambda folder: dinov2(
        folder, registers=1, crop=28, trained=70, patch=7, heads=1, width=17, dtype="bfloat16",
        max_shard_size="10KB"),
}
