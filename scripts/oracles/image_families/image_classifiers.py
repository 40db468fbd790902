"""Classifiers of images as transformers has them: ViT, DINOv2 with registers and without, SigLIP."""
from image_parts import levels, pixel_values, save_model

import numpy as np

LABELS = ["cat", "dog", "héron", "red panda", "cup"]


def named(labels: list[str] = LABELS, problem: str | None = None) -> dict:
    """What a configuration says of labels."""
    return {"id2label": dict(enumerate(labels)), "label2id": {label: number for number, label in enumerate(labels)},
            **({"problem_type": problem} if problem else {})}


def classifier(folder, model, processor, **saved):
    """Saves a classifier; its numbers are those of the library's pipeline."""
    save_model(folder, model, processor, **saved)

    def scores(_) -> np.ndarray:
        import torch
        from transformers import AutoModelForImageClassification

        judge = AutoModelForImageClassification.from_pretrained(folder, dtype=torch.float32).eval()
        with torch.no_grad():
            logits = judge(pixel_values=pixel_values(folder)).logits
        if judge.config.problem_type == "regression":
            return logits.numpy()
        each = judge.config.problem_type == "multi_label_classification" or judge.config.num_labels == 1
        return (logits.sigmoid() if each else logits.softmax(dim=-1)).numpy()

    return {"pixels": levels, "images": scores}


def vit(folder, size: int = 32, patch: int = 8, heads: int = 2, width: int = 24, options=None, **saved):
    """A ViT of two layers."""
    from transformers import ViTConfig, ViTForImageClassification, ViTImageProcessor

    config = ViTConfig(hidden_size=width, num_hidden_layers=2, num_attention_heads=heads, intermediate_size=40,
                       image_size=size, patch_size=patch, **{**named(), **(options or {})})
    processor = ViTImageProcessor(size={"height": size, "width": size})
    return classifier(folder, ViTForImageClassification(config), processor, **saved)


def dinov2(folder, crop: int = 32, trained: int = 32, patch: int = 8, heads: int = 2, width: int = 24,
           registers: int | None = None, options=None, **saved):
    """A DINOv2 of two layers."""
    from transformers import (BitImageProcessor, Dinov2Config, Dinov2ForImageClassification, Dinov2WithRegistersConfig,
                              Dinov2WithRegistersForImageClassification)

    sizes = dict(hidden_size=width, num_hidden_layers=2, num_attention_heads=heads, mlp_ratio=2, image_size=trained,
                 patch_size=patch, **{**named(), **(options or {})})
    model = (Dinov2ForImageClassification(Dinov2Config(**sizes)) if registers is None else
             Dinov2WithRegistersForImageClassification(Dinov2WithRegistersConfig(num_register_tokens=registers, **sizes)))
    processor = BitImageProcessor(size={"shortest_edge": crop + 4}, crop_size={"height": crop, "width": crop})
    return classifier(folder, model, processor, **saved)


def siglip(folder, size: int = 32, patch: int = 8, heads: int = 2, width: int = 24, options=None, **saved):
    """A SigLIP of two layers."""
    from transformers import SiglipConfig, SiglipForImageClassification, SiglipImageProcessor

    vision = dict(hidden_size=width, image_size=size, patch_size=patch, num_hidden_layers=2, num_attention_heads=heads,
                  intermediate_size=40)
    text = dict(hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, vocab_size=32)
    config = SiglipConfig(text_config=text, vision_config=vision, **{**named(), **(options or {})})
    processor = SiglipImageProcessor(size={"height": size, "width": size})
    return classifier(folder, SiglipForImageClassification(config), processor, **saved)


CASES = {
    "vit-classes": lambda folder: vit(folder),
    "vit-classes-half-of-two": lambda folder: vit(
        folder, size=30, patch=10, heads=3, dtype="float16", options=named(["no", "yes"]), old_file=True),
    "vit-classes-several": lambda folder: vit(
        folder, size=28, patch=7, heads=1, width=17, dtype="bfloat16", max_shard_size="10KB",
        options=named(problem="multi_label_classification")),
    "vit-number": lambda folder: vit(folder, options=named(["age"], "regression")),
    "dinov2-classes": lambda folder: dinov2(folder, heads=3, dtype="float16"),
    "dinov2-classes-fewer-patches": lambda folder: dinov2(
        folder, crop=28, trained=42, patch=7, options={"use_swiglu_ffn": True}, old_file=True),
    "dinov2-classes-registers": lambda folder: dinov2(folder, registers=3, width=20, dtype="bfloat16"),
    "siglip-classes": lambda folder: siglip(folder),
    "siglip-classes-half": lambda folder: siglip(
        folder, size=30, patch=10, heads=3, dtype="float16", options=named(problem="multi_label_classification")),
    "siglip-classes-bfloat16-shards": lambda folder: siglip(
        folder, size=28, patch=7, heads=1, width=18, dtype="bfloat16", max_shard_size="10KB"),
}
