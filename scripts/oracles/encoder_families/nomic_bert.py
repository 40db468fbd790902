"""NomicBERT as transformers has it, and in the files of the program that the first models came with.

transformers reads that program's names of weights, but not its keys: the answers of these cases are those of transformers' class for the
same weights. It has no biases either; the case with biases is judged by the published equations, written here in numpy.
"""
import json
import math

import numpy as np
from encoder_parts import fill, judge_ids, judge_vectors, save_encoder, texts, word_pieces


def nomic(folder, heads: int = 2, width: int = 24, inner: int = 20, head: str | None = None, config=(), **options):
    """A NomicBERT of two layers."""
    import transformers

    tokenizer = word_pieces(length=80)
    shape = transformers.NomicBertConfig(vocab_size=len(tokenizer), hidden_size=width, num_hidden_layers=2, num_attention_heads=heads,
                                         intermediate_size=inner, max_position_embeddings=96, **dict(config))
    model = getattr(transformers, head or "NomicBertModel")(shape)
    fill(model)
    save_encoder(folder, model.nomic_bert if head else model, tokenizer, **options)
    if head:
        model.save_pretrained(folder)


def first_config(heads: int, width: int, inner: int, vocabulary: int, **changes) -> dict:
    """config.json as the first models have it."""
    return {
        "activation_function": "swiglu", "architectures": ["NomicBertModel"], "attn_pdrop": 0.0,
        "auto_map": {"AutoModel": "modeling_hf_nomic_bert.NomicBertModel"}, "bos_token_id": None, "causal": False,
        "dense_seq_output": True, "embd_pdrop": 0.0, "eos_token_id": None, "fused_bias_fc": True, "fused_dropout_add_ln": True,
        "initializer_range": 0.02, "layer_norm_epsilon": 1e-12, "max_trained_positions": 2048, "mlp_fc1_bias": False,
        "mlp_fc2_bias": False, "model_type": "nomic_bert", "n_embd": width, "n_head": heads, "n_inner": inner, "n_layer": 2,
        "n_positions": 96, "pad_vocab_size_multiple": 64, "parallel_block": False, "parallel_block_tied_norm": False,
        "prenorm": False, "qkv_proj_bias": False, "reorder_and_upcast_attn": False, "resid_pdrop": 0.0, "rotary_emb_base": 1000,
        "rotary_emb_fraction": 1.0, "rotary_emb_interleaved": False, "rotary_emb_scale_base": None, "rotary_scaling_factor": None,
        "scale_attn_by_inverse_layer_idx": False, "scale_attn_weights": True, "summary_activation": None,
        "summary_first_dropout": 0.0, "summary_proj_to_labels": True, "summary_type": "cls_index", "summary_use_proj": True,
        "torch_dtype": "float32", "transformers_version": "4.34.0", "type_vocab_size": 2, "use_cache": True, "use_flash_attn": True,
        "use_rms_norm": False, "use_xentropy": True, "vocab_size": vocabulary, **changes}


def first(folder, biases: bool = False):
    """The files of the first models: its program rounds the inner width up to 256, and the vocabulary to a multiple of 64."""
    from safetensors.numpy import load_file, save_file

    heads, width = 2, 16
    nomic(folder, heads=heads, width=width, inner=256, dtype="float16")
    weights = load_file(folder / "model.safetensors")
    table = weights["embeddings.word_embeddings.weight"]
    rows = math.ceil(len(table) / 64) * 64
    ids, vectors = judge_ids(folder), judge_vectors(folder)
    weights["embeddings.word_embeddings.weight"] = np.concatenate([table, np.zeros((rows - len(table), width), table.dtype)])
    changes = {}
    if biases:
        chance = np.random.default_rng(1)
        for name in [name for name in weights if ".attn." in name or ".mlp." in name]:
            bias = chance.standard_normal(weights[name].shape[0]) * 0.3
            weights[name.replace("weight", "bias")] = bias.astype(np.float16)
        changes = {"qkv_proj_bias": True, "mlp_fc1_bias": True, "mlp_fc2_bias": True, "activation_function": "geglu"}
        vectors = by_equations({name: value.astype(np.float64) for name, value in weights.items()}, ids, heads)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    config = first_config(heads, width, 250, len(table), **changes)
    (folder / "config.json").write_text(json.dumps(config, indent=2), encoding="utf-8")
    return {"ids": lambda _: ids, "vectors": lambda _: vectors}


def by_equations(weights: dict, ids: list[list[int]], heads: int) -> np.ndarray:
    """The mean of the token vectors of each text, with biases everywhere and GELU in the gate: float64 [texts, width]."""
    assert len(ids) == len(texts())
    return np.stack([encode(weights, np.asarray(row), heads).mean(axis=0) for row in ids])


def encode(weights: dict, ids: np.ndarray, heads: int) -> np.ndarray:
    """Token vectors of one text: [length, width]."""
    def linear(x, name):
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(x, name):
        even = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-12)
        return even * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    x = weights["embeddings.word_embeddings.weight"][ids] + weights["embeddings.token_type_embeddings.weight"][0]
    x = norm(x, "emb_ln")
    for layer in range(2):
        name = f"encoder.layers.{layer}"
        x = norm(x + linear(attention(linear(x, f"{name}.attn.Wqkv"), heads), f"{name}.attn.out_proj"), f"{name}.norm1")
        gate = linear(x, f"{name}.mlp.fc12")
        active = gate * 0.5 * (1 + np.vectorize(math.erf)(gate / math.sqrt(2)))
        x = norm(x + linear(linear(x, f"{name}.mlp.fc11") * active, f"{name}.mlp.fc2"), f"{name}.norm2")
    return x


def attention(joined: np.ndarray, heads: int) -> np.ndarray:
    """[length, 3 · width] to [length, width]; pairs (i, i + half) of a head turn by position · 1000^(-i / half)."""
    length, width = len(joined), joined.shape[1] // 3 // heads
    query, key, value = joined.reshape(length, 3, heads, width).transpose(1, 2, 0, 3)
    half = width // 2
    turns = np.exp(1j * np.arange(length)[:, None] * 1000.0 ** (-np.arange(half) / half))

    def turned(x):
        pairs = (x[..., :half] + 1j * x[..., half:]) * turns
        return np.concatenate([pairs.real, pairs.imag], axis=-1)

    scores = turned(query) @ turned(key).transpose(0, 2, 1) / math.sqrt(width)
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    context = shares / shares.sum(-1, keepdims=True) @ value
    return context.transpose(1, 0, 2).reshape(length, -1)


CASES = {
    "nomic-mean": lambda folder: nomic(folder),
    "nomic-half": lambda folder: nomic(folder, heads=3, width=18, inner=31, pooling="cls", dtype="float16",
                                       config={"rope_parameters": {"rope_type": "linear", "rope_theta": 500.0, "factor": 2.0}}),
    "nomic-bfloat16-shards": lambda folder: nomic(folder, heads=1, width=14, dtype="bfloat16", shard="20KB", config={"hidden_act": "gelu"}),
    "nomic-classifier": lambda folder: nomic(folder, head="NomicBertForSequenceClassification"),
    "nomic-first-keys": first,
    "nomic-first-keys-biases": lambda folder: first(folder, biases=True),
}
