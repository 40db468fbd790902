"""Gemma 3 as an encoder (EmbeddingGemma): windows, two rotary bases, norms around each part, two Dense modules."""
import json

from encoder_families.qwen3 import normalize, older
from encoder_parts import fill, gemma_pieces, save_encoder, word_pieces


def gemma3(folder, heads: int = 3, key_heads: int = 1, head_width: int = 8, width: int = 24, window: int = 10,
           layers: int = 3, both: bool = True, scalar: int = 8, dense: bool = True, pieces=word_pieces, **options):
    """A small Gemma3TextModel; every second layer sees the whole text."""
    import torch
    from sentence_transformers import models
    from transformers import Gemma3TextConfig, Gemma3TextModel

    tokenizer = pieces()
    kinds = ["sliding_attention" if layer % 2 == 0 else "full_attention" for layer in range(layers)]
    config = Gemma3TextConfig(
        vocab_size=len(tokenizer), hidden_size=width, num_hidden_layers=layers, num_attention_heads=heads,
        num_key_value_heads=key_heads, head_dim=head_width, intermediate_size=40, max_position_embeddings=64,
        sliding_window=window, layer_types=kinds, query_pre_attn_scalar=scalar, use_bidirectional_attention=both)
    model = Gemma3TextModel(config)
    fill(model)
    after = [models.Dense(width, 32, bias=False, activation_function=torch.nn.Identity()),
             models.Dense(32, 20, bias=False, activation_function=torch.nn.Identity())] if dense else []
    for module in after:
        fill(module)
    save_encoder(folder, model, tokenizer, modules=(*after, normalize()), **options)


def older_gemma3(folder):
    """As the published EmbeddingGemma."""
    gemma3(folder)
    kinds = json.loads((folder / "config.json").read_text(encoding="utf-8"))["layer_types"]
    older(folder, rope_theta=1000000.0, rope_local_base_freq=10000.0, layer_types=kinds)


CASES = {
    "gemma3-windows-dense": lambda folder: gemma3(
        folder, pieces=gemma_pieces, prompts={"query": "task: search result | query: ", "document": "title: none | text: "}),
    "gemma3-older-keys": older_gemma3,
    "gemma3-grouped-scalar-half": lambda folder: gemma3(
        folder, heads=4, key_heads=2, head_width=10, width=20, scalar=24, dense=False, dtype="float16"),
    "gemma3-narrow-bfloat16-shards": lambda folder: gemma3(
        folder, heads=1, head_width=12, width=17, window=3, layers=4, dense=False, dtype="bfloat16", shard="30KB"),
    "gemma3-causal": lambda folder: gemma3(
        folder, heads=2, key_heads=2, window=5, both=False, dense=False, pooling="lasttoken"),
}
