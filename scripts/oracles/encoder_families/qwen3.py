"""Qwen3 as an encoder: causal, with grouped queries, the last token's vector as that of the text."""
import json

from encoder_parts import fill, qwen_pieces, save_encoder, word_pieces


def qwen3(folder, heads: int = 4, key_heads: int = 2, head_width: int = 12, width: int = 24, layers: int = 2, bias=False,
          whole_head: bool = False, pieces=word_pieces, **options):
    """A small Qwen3Model."""
    from transformers import Qwen3Config, Qwen3ForCausalLM, Qwen3Model, __version__

    tokenizer = pieces()
    rope = {"rope_type": "default", "rope_theta": 1000000.0}
    base = {"rope_theta": 1000000.0} if __version__.startswith("4.") else {"rope_parameters": rope}
    config = Qwen3Config(
        vocab_size=len(tokenizer), hidden_size=width, num_hidden_layers=layers, num_attention_heads=heads,
        num_key_value_heads=key_heads, head_dim=head_width, intermediate_size=40, max_position_embeddings=64,
        attention_bias=bias, **base)
    model = (Qwen3ForCausalLM if whole_head else Qwen3Model)(config)
    fill(model)
    save_encoder(folder, model, tokenizer, **{"pooling": "lasttoken", "modules": (normalize(),), **options})


def normalize():
    """Vectors of length 1."""
    from sentence_transformers import models

    return models.Normalize()


def older(folder, **keys):
    """The keys of transformers 4 in place of those of 5."""
    path = folder / "config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    for key in ("rope_parameters", "layer_types"):
        config.pop(key, None)
    path.write_text(json.dumps({**config, "rope_scaling": None, **keys}), encoding="utf-8")


def older_qwen3(folder):
    """As the published Qwen3-Embedding."""
    qwen3(folder)
    older(folder, rope_theta=1000000)


CASES = {
    "qwen3-last": lambda folder: qwen3(
        folder, pieces=qwen_pieces, prompts={"query": "Instruct: find\nQuery:", "document": ""}),
    "qwen3-older-keys": older_qwen3,
    "qwen3-one-key-head-half": lambda folder: qwen3(
        folder, heads=3, key_heads=1, head_width=10, width=17, dtype="float16", modules=()),
    "qwen3-bias-bfloat16-shards": lambda folder: qwen3(
        folder, heads=2, key_heads=2, head_width=6, bias=True, layers=3, dtype="bfloat16", shard="30KB", pooling="mean"),
}
