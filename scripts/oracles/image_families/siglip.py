"""SigLIP, and SigLIP 2 with images of one size, as transformers has them: both encoders."""
from encoder_parts import texts, word_pieces
from image_parts import judge, levels, pixel_values, save_model

import numpy as np


def unit(rows) -> np.ndarray:
    """Vectors of length 1: the library's come as they are."""
    rows = getattr(rows, "pooler_output", rows)
    return (rows / rows.norm(dim=-1, keepdim=True)).numpy()


def images(folder) -> np.ndarray:
    """get_image_features of every picture, or pooler_output of an image encoder alone."""
    import torch

    model = judge(folder)
    with torch.no_grad():
        encode = getattr(model, "get_image_features", model)
        return unit(encode(pixel_values=pixel_values(folder)))


def tokenizer(folder):
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(folder)


def ids(folder) -> list[list[int]]:
    """Ids of every text, without padding."""
    length = judge(folder).config.text_config.max_position_embeddings
    return [tokenizer(folder)(text, truncation=True, max_length=length)["input_ids"] for text in texts()]


def vectors(folder) -> np.ndarray:
    """get_text_features of every text, filled up to the model's length; no token is hidden."""
    import torch

    model, length = judge(folder), judge(folder).config.text_config.max_position_embeddings
    found = tokenizer(folder)(texts(), truncation=True, max_length=length, padding="max_length", return_tensors="pt")
    with torch.no_grad():
        return unit(model.get_text_features(input_ids=found["input_ids"]))


def siglip(folder, size: int = 32, patch: int = 8, heads: int = 2, width: int = 24, length: int = 64,
           projection: int | None = None, alone: bool = False, options=None, pieces=word_pieces, **saved):
    """A SigLIP of two layers in each half, or its image half alone; pieces makes its tokenizer for a length."""
    from transformers import SiglipConfig, SiglipImageProcessor, SiglipModel, SiglipVisionConfig, SiglipVisionModel

    shared = dict(num_hidden_layers=2, num_attention_heads=heads, intermediate_size=40, **(options or {}))
    image = dict(hidden_size=width, image_size=size, patch_size=patch, **shared)
    processor = SiglipImageProcessor(size={"height": size, "width": size})
    if alone:
        save_model(folder, SiglipVisionModel(SiglipVisionConfig(**image)), processor, **saved)
        return {"pixels": levels, "images": images}
    pieces = pieces(length=length)
    text = dict(hidden_size=width, vocab_size=len(pieces), max_position_embeddings=length, projection_size=projection,
                **shared)
    model = SiglipModel(SiglipConfig(text_config=text, vision_config=image))
    pieces.save_pretrained(folder)
    save_model(folder, model, processor, **saved)
    return {"pixels": levels, "images": images, "ids": ids, "texts": vectors}


CASES = {
    "siglip-plain": lambda folder: siglip(folder),
    "siglip-half": lambda folder: siglip(folder, size=30, patch=10, heads=3, length=48, dtype="float16", old_file=True),
    "siglip-bfloat16-shards": lambda folder: siglip(
        folder, size=28, patch=7, heads=1, width=18, projection=18, dtype="bfloat16", max_shard_size="20KB",
        options={"hidden_act": "gelu", "layer_norm_eps": 1e-5}),
    "siglip-image-alone": lambda folder: siglip(folder, alone=True),
}
