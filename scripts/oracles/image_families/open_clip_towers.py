"""Models of OpenCLIP with every option of its transformers, and with image encoders of timm: both encoders."""
import contextlib
import gzip
import json
import tempfile
from pathlib import Path
from unittest import mock

from encoder_parts import fill, sentence_piece_class, texts, word_pieces
from image_parts import crops, pictures

import clip_vocabulary
import numpy as np

MERGES = 300


@contextlib.contextmanager
def small_towers(**sizes):
    """timm makes its image encoders with these sizes."""
    import timm

    make = timm.create_model

    def made(name, pretrained=False, **options):
        return make(name, pretrained=pretrained, **{**options, **sizes})

    with mock.patch("open_clip.timm_model.timm.create_model", made):
        yield


def clip_pieces():
    """CLIP's tokenizer with its first merges."""
    with mock.patch.object(clip_vocabulary, "MERGES", MERGES):
        return clip_vocabulary.tokenizer()


def own_tokenizer(length: int):
    """OpenCLIP's tokenizer with the same merges."""
    import open_clip
    from open_clip.tokenizer import default_bpe

    with tempfile.NamedTemporaryFile(suffix=".gz") as file:
        lines = gzip.open(default_bpe(), "rt", encoding="utf-8").read().split("\n")[:MERGES + 1]
        Path(file.name).write_bytes(gzip.compress("\n".join(lines).encode()))
        return open_clip.SimpleTokenizer(bpe_path=file.name, context_length=length)


def tokenizer_of(folder: Path, text: dict):
    """The library's tokenizer of a folder whose text half is this."""
    from open_clip.tokenizer import HFTokenizer

    if not text.get("hf_tokenizer_name"):
        return own_tokenizer(text["context_length"])
    return HFTokenizer(str(folder), context_length=text["context_length"], **text.get("tokenizer_kwargs", {}))


def ids_of(folder: Path, text: dict) -> list[list[int]]:
    """Ids of every text, without what fills it up."""
    tokenize = tokenizer_of(folder, text)
    rows = [row.tolist() for row in tokenize(texts())]
    if not text.get("hf_tokenizer_name"):
        return [row[:row.index(tokenize.eot_token_id) + 1] for row in rows]
    inner, length = tokenize.tokenizer, text["context_length"]
    cleaned = [tokenize.clean_fn(one) for one in texts()]
    counts = [len(inner(one, truncation=True, max_length=length)["input_ids"]) for one in cleaned]
    return [row[:count] for row, count in zip(rows, counts, strict=True)]


def model_of(model_cfg: dict):
    """The class that the library takes for a configuration."""
    import open_clip
    from open_clip.coca_model import CoCa

    arguments = {key: value for key, value in model_cfg.items() if key != "custom_text"}
    if "multimodal_cfg" in model_cfg:
        return CoCa(**arguments)
    return (open_clip.CustomTextCLIP if model_cfg.get("custom_text") else open_clip.CLIP)(**arguments)


def open_clip_tower(folder, vision: dict, text: dict, pieces=None, embedding: int = 20, dtype: str = "float32",
                    custom: bool = True, quick: bool = False, towers: dict | None = None, extra=None, preparation=None):
    """A model in the library's files."""
    import open_clip
    import torch
    from safetensors.torch import save_file

    text = {"context_length": 32, "width": 12, "heads": 3, "layers": 1 if towers else 2, **text}
    pieces = pieces or clip_pieces()
    pieces.save_pretrained(folder)
    text["vocab_size"] = len(pieces)
    if pieces.__class__.__name__ != "CLIPTokenizer":
        text["hf_tokenizer_name"] = "org/name"
    model_cfg = {"embed_dim": embedding, "quick_gelu": quick, "vision_cfg": vision, "text_cfg": text, **(extra or {})}
    if custom:
        model_cfg["custom_text"] = True
    with small_towers(**towers) if towers else contextlib.nullcontext():
        model, judge = model_of(model_cfg).eval(), model_of(model_cfg).eval()
    fill(model)
    model = model.to(getattr(torch, dtype))
    judge.load_state_dict(model.state_dict())
    kept = {name: tensor.contiguous() for name, tensor in model.state_dict().items() if not name.startswith("text_decoder.")}
    save_file(kept, folder / "open_clip_model.safetensors", metadata={"format": "pt"})
    options = {"mean": list(open_clip.OPENAI_DATASET_MEAN), "std": list(open_clip.OPENAI_DATASET_STD),
               "interpolation": "bicubic", "resize_mode": "shortest", **(preparation or {})}
    config = {"model_cfg": model_cfg, "preprocess_cfg": options}
    (folder / "open_clip_config.json").write_text(json.dumps(config, indent=2) + "\n")
    transform = open_clip.image_transform(model.visual.image_size, is_train=False, **options)

    def images(_) -> np.ndarray:
        with torch.no_grad():
            return judge.encode_image(torch.stack([transform(picture) for picture in pictures()]), normalize=True).numpy()

    def vectors(_) -> np.ndarray:
        with torch.no_grad():
            return judge.encode_text(tokenizer_of(folder, text)(texts()), normalize=True).numpy()

    return {"pixels": lambda _: crops(transform, pictures()), "images": images,
            "ids": lambda _: ids_of(folder, text), "texts": vectors}


def vit(**options) -> dict:
    """An image half of OpenCLIP's own."""
    return {"image_size": 32, "layers": 2, "width": 24, "head_width": 8, "patch_size": 8, **options}


def timm(name: str, size: int = 32, pool: str = "map", proj=None, **options) -> dict:
    """An image half of timm."""
    return {"image_size": size, "timm_model_name": name, "timm_model_pretrained": False, "timm_pool": pool,
            "timm_proj": proj, **options}


def t5():
    """T5's tokenizer without extra tokens, as SigLIP has it: texts are filled up with the end token."""
    return sentence_piece_class("T5Tokenizer", ["<pad>", "</s>", "<unk>"], [], extra_ids=0, pad_token="</s>",
                                model_max_length=64)


# What CLIPA and SigLIP have of their own.
CLIPA = {"no_ln_pre": True, "pool_type": "avg", "final_ln_after_pool": True}
CLIPA_TEXT = {"tokenizer_kwargs": {"strip_sep_token": True}, "pool_type": "last", "no_causal_mask": True}
SIGLIP_TEXT = {"tokenizer_kwargs": {"clean": "canonicalize"}, "no_causal_mask": True, "proj_bias": True,
               "pool_type": "last", "norm_kwargs": {"eps": 1e-6}}
HALF = {"mean": [0.5, 0.5, 0.5], "std": [0.5, 0.5, 0.5], "resize_mode": "squash"}
COCA = {"multimodal_cfg": {"context_length": 31, "vocab_size": 64, "width": 24, "heads": 3, "layers": 1}}

CASES = {
    "clipa": lambda folder: open_clip_tower(folder, vit(**CLIPA), CLIPA_TEXT, word_pieces(), custom=False),
    "clipa-half-odd": lambda folder: open_clip_tower(
        folder, vit(**CLIPA, image_size=42, patch_size=14, width=30, head_width=10, mlp_ratio=4.9231), CLIPA_TEXT, word_pieces(),
        dtype="float16", custom=False, preparation={"resize_mode": "squash", "interpolation": "bilinear"}),
    "clipa-bfloat16-sines": lambda folder: open_clip_tower(
        folder, vit(**CLIPA, pos_embed_type="sin_cos_2d"), {**CLIPA_TEXT, "tokenizer_kwargs": {"clean": "lower"}}, word_pieces(),
        dtype="bfloat16", embedding=17),
    "average-scaled": lambda folder: open_clip_tower(
        folder, vit(pool_type="avg", ls_init_value=0.1, norm_kwargs={"eps": 1e-3}, patch_dropout=0.5),
        {"ls_init_value": 0.1, "act_kwargs": {"approximate": "tanh"}, "pool_type": "first", "no_causal_mask": True}),
    "open-text-quick": lambda folder: open_clip_tower(
        folder, vit(final_ln_after_pool=True), {"no_causal_mask": True, "proj_bias": True}, quick=True),
    "eos-plain": lambda folder: open_clip_tower(
        folder, vit(), {"pool_type": "eos", "eos_id": 1, "proj_type": "none", "context_length": 48}, t5(), embedding=12),
    "coca": lambda folder: open_clip_tower(
        folder, vit(attentional_pool=True, attn_pooler_heads=2, attn_pooler_queries=5, output_tokens=True),
        {"context_length": 31, "embed_cls": True, "output_tokens": True}, extra=COCA),
    "coca-average-half": lambda folder: open_clip_tower(
        folder, vit(attentional_pool=True, attn_pooler_heads=4, attn_pooler_queries=4, pool_type="avg", output_tokens=True),
        {"context_length": 31, "embed_cls": True, "output_tokens": True}, extra=COCA, embedding=24, dtype="float16"),
    "siglip-224": lambda folder: open_clip_tower(
        folder, timm("vit_base_patch16_siglip_224", proj="none"), SIGLIP_TEXT, t5(), embedding=24,
        towers={"embed_dim": 24, "depth": 2, "img_size": 32, "patch_size": 8}, extra={"init_logit_bias": -10},
        preparation=HALF),
    "siglip-so400m-half": lambda folder: open_clip_tower(
        folder, timm("vit_so400m_patch14_siglip_384", size=30, proj="none"), {**SIGLIP_TEXT, "context_length": 16}, t5(),
        embedding=32, dtype="float16", extra={"init_logit_bias": -10}, preparation=HALF,
        towers={"embed_dim": 32, "depth": 2, "img_size": 30, "patch_size": 7, "mlp_ratio": 3.7362}),
    "siglip2-giantopt-bfloat16": lambda folder: open_clip_tower(
        folder, timm("vit_giantopt_patch16_siglip_256", proj="linear"), {**SIGLIP_TEXT, "act_kwargs": {"approximate": "tanh"}},
        t5(), dtype="bfloat16", extra={"init_logit_bias": -10}, preparation=HALF,
        towers={"embed_dim": 32, "depth": 3, "img_size": 32, "patch_size": 8}),
    "eva02-base": lambda folder: open_clip_tower(
        folder, timm("eva02_base_patch16_clip_224", pool="token"), {},
        towers={"embed_dim": 48, "depth": 2, "img_size": 32, "patch_size": 8}),
    "eva02-large-half": lambda folder: open_clip_tower(
        folder, timm("eva02_large_patch14_clip_336", pool="token", size=35), {}, dtype="float16",
        towers={"embed_dim": 64, "depth": 1, "img_size": 35, "patch_size": 7}),
    "eva-giant-bfloat16": lambda folder: open_clip_tower(
        folder, timm("eva_giant_patch14_224", pool="token"), {}, dtype="bfloat16",
        towers={"embed_dim": 32, "depth": 2, "img_size": 32, "patch_size": 8}),
    "eva02-enormous": lambda folder: open_clip_tower(
        folder, timm("eva02_enormous_patch14_clip_224", pool="token", size=28), {},
        towers={"embed_dim": 32, "depth": 2, "img_size": 28, "patch_size": 7, "mlp_ratio": 3}),
    "perception": lambda folder: open_clip_tower(
        folder, timm("vit_pe_core_tiny_patch16_384"), {},
        towers={"embed_dim": 24, "depth": 2, "img_size": 32, "patch_size": 8}),
    "perception-base-half": lambda folder: open_clip_tower(
        folder, timm("vit_pe_core_base_patch16_224", size=24), {"no_causal_mask": True}, dtype="float16",
        towers={"embed_dim": 48, "depth": 1, "img_size": 24, "patch_size": 6}),
    "timm-clip-large": lambda folder: open_clip_tower(
        folder, timm("vit_large_patch14_clip_224", pool="token"), {"no_causal_mask": True}, quick=True,
        towers={"embed_dim": 32, "depth": 2, "img_size": 32, "patch_size": 8}),
}
