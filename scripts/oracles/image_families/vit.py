"""ViT as transformers has it."""
from image_parts import levels, pooler_output, save_model


def vit(folder, size: int = 32, patch: int = 8, heads: int = 2, width: int = 24, resample: int = 2, options=None, **saved):
    """A ViT of two layers with its pooler."""
    from transformers import ViTConfig, ViTImageProcessor, ViTModel

    config = ViTConfig(hidden_size=width, num_hidden_layers=2, num_attention_heads=heads, intermediate_size=40,
                       image_size=size, patch_size=patch, **(options or {}))
    save_model(folder, ViTModel(config), ViTImageProcessor(size={"height": size, "width": size}, resample=resample),
               **saved)
    return {"pixels": levels, "images": pooler_output}


CASES = {
    "vit-plain": lambda folder: vit(folder),
    "vit-half-bicubic": lambda folder: vit(
        folder, size=30, patch=10, heads=3, dtype="float16", resample=3, old_file=True),
    "vit-bfloat16-shards": lambda folder: vit(folder, size=28, patch=7, heads=1, width=17, dtype="bfloat16",
                                              options={"qkv_bias": False, "hidden_act": "relu"}, max_shard_size="10KB"),
}
