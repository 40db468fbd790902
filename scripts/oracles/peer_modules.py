"""Encoders as modules of torch that exporters can trace: what the peers of `scripts/bench` run, convert and compress.

A folder is in the layout of OpenCLIP, of sentence-transformers (a text encoder), or of transformers' SigLIP.
"""
import json
import os
from pathlib import Path

os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1")

import torch

TEXT_LENGTH = 128


class Image(torch.nn.Module):
    """[rows, 3, height, width] of 0…255 to embeddings of length one."""

    names = ("input",)

    def __init__(self, encode, mean: list[float], std: list[float], side: int):
        super().__init__()
        self.encode = encode
        self.mean, self.std = (torch.tensor(numbers).reshape(1, 3, 1, 1) for numbers in (mean, std))
        self.examples = (torch.full((1, 3, side, side), 100.0),)

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.normalize(self.encode((image / 255 - self.mean) / self.std), dim=-1)


class Text(torch.nn.Module):
    """[rows, context] ids to embeddings of length one: a text encoder that hides no token."""

    names = ("input",)

    def __init__(self, encode, context: int, vocabulary: int):
        super().__init__()
        self.encode = encode
        ids = torch.ones((1, context), dtype=torch.int32)
        ids[0, -1] = vocabulary - 1
        self.examples = (ids,)

    def forward(self, input_ids: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.normalize(self.encode(input_ids), dim=-1)


class Sentence(torch.nn.Module):
    """[rows, length] ids and mask to embeddings of length one: a transformer, its pooling, the modules behind it."""

    names = ("input", "mask")

    def __init__(self, folder: Path):
        super().__init__()
        from sentence_transformers import SentenceTransformer

        model = SentenceTransformer(str(folder), device="cpu", model_kwargs={"dtype": torch.float32}).eval()
        self.transformer, (self.pooling, *self.rest) = model[0].auto_model, list(model)[1:]
        self.rest = torch.nn.ModuleList(self.rest)
        ids = torch.arange(TEXT_LENGTH, dtype=torch.int32).reshape(1, -1) + 1000
        self.examples = (ids, torch.ones_like(ids))

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        states = self.transformer(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        features = self.pooling({"token_embeddings": states, "attention_mask": attention_mask})
        for module in self.rest:
            features = module(features)
        return torch.nn.functional.normalize(features["sentence_embedding"], dim=-1)


def open_clip_encoders(folder: Path) -> dict[str, torch.nn.Module]:
    """Both; traced with the fast path, attention is one operation that nobody converts."""
    import open_clip
    from safetensors.torch import load_file

    torch.backends.mha.set_fastpath_enabled(False)
    config = json.loads((folder / "open_clip_config.json").read_text())
    settings, preprocess = config["model_cfg"], config["preprocess_cfg"]
    kind = open_clip.CustomTextCLIP if settings.pop("custom_text", False) else open_clip.CLIP
    model = kind(**settings).eval().requires_grad_(False)
    tensors = load_file(folder / "open_clip_model.safetensors")
    model.load_state_dict({name: tensor for name, tensor in tensors.items() if name != "attn_mask"})
    return {"image": Image(model.encode_image, preprocess["mean"], preprocess["std"], settings["vision_cfg"]["image_size"]),
            "text": Text(model.encode_text, model.context_length, model.vocab_size)}


def siglip_encoders(folder: Path) -> dict[str, torch.nn.Module]:
    """Both."""
    from transformers import SiglipModel

    model = SiglipModel.from_pretrained(folder, dtype=torch.float32).eval().requires_grad_(False)
    half = [0.5, 0.5, 0.5]
    text = model.config.text_config
    return {"image": Image(lambda pixels: model.vision_model(pixels).pooler_output, half, half, model.config.vision_config.image_size),
            "text": Text(lambda ids: model.text_model(ids).pooler_output, text.max_position_embeddings, text.vocab_size)}


def open_encoders(folder: Path) -> dict[str, torch.nn.Module]:
    """The encoders of a folder by their kind: image, text."""
    if (folder / "open_clip_config.json").exists():
        found = open_clip_encoders(folder)
    elif (folder / "modules.json").exists():
        found = {"text": Sentence(folder)}
    else:
        found = siglip_encoders(folder)
    return {kind: module.eval().requires_grad_(False) for kind, module in found.items()}
