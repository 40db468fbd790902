"""DINOv3's vision transformers as transformers has them."""
from image_parts import levels, pooler_output, save_model


def dinov3(folder, size: int = 32, patch: int = 8, heads: int = 2, width: int = 24, options=None, **saved):
    """A DINOv3 of two layers."""
    from transformers import DINOv3ViTConfig, DINOv3ViTImageProcessor, DINOv3ViTModel

    config = DINOv3ViTConfig(hidden_size=width, num_hidden_layers=2, num_attention_heads=heads, intermediate_size=40,
                             image_size=32, patch_size=patch, **(options or {}))
    save_model(folder, DINOv3ViTModel(config), DINOv3ViTImageProcessor(size={"height": size, "width": size}), **saved)
    return {"pixels": levels, "images": pooler_output}


CASES = {
    "dinov3-plain": lambda folder: dinov3(folder, options={"num_register_tokens": 4}),
    "dinov3-gated-half": lambda folder: dinov3(
        folder, size=48, heads=3, dtype="float16",
        options={"use_gated_mlp": True, "hidden_act": "silu", "num_register_tokens": 1, "rope_theta": 50.0}),
    "dinov3-bfloat16-shards": lambda folder: dinov3(
        folder, size=28, patch=7, heads=1, width=20, dtype="bfloat16", max_shard_size="10KB", old_file=True,
        options={"key_bias": True, "query_bias": False, "mlp_bias": False, "proj_bias": False}),
}
