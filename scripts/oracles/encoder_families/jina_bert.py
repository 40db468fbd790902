"""Jina's embedding models of the second version, in the files of the two programs that they came with.

Neither program is in transformers, and both are loaded as code from their repositories: the judge is the published equations (ALiBi of
arXiv:2108.12409, and Guenther et al., arXiv:2310.19923), written here in numpy and float64.
"""
import json
import math
import os

import numpy as np
from encoder_parts import judge_ids, save_encoder, texts, word_pieces

LAYERS = 2


def jina(folder, heads: int, width: int, inner: int, unit: str = "geglu", normed: bool = False, prefix: str = "", dtype=np.float32,
         shards: bool = False):
    """A Jina BERT of two layers, with sentence-transformers' modules around it."""
    import transformers
    from safetensors.numpy import save_file

    tokenizer = word_pieces(length=80)
    shape = transformers.BertConfig(vocab_size=len(tokenizer), hidden_size=width, num_hidden_layers=LAYERS, num_attention_heads=heads,
                                    intermediate_size=inner, max_position_embeddings=96)
    save_encoder(folder, transformers.BertModel(shape), tokenizer)
    ids = judge_ids(folder)
    weights = {name: values.astype(dtype) for name, values in random_weights(len(tokenizer), width, inner, normed).items()}
    save(folder, {prefix + name: values for name, values in weights.items()}, shards, save_file)
    (folder / "config.json").write_text(json.dumps(config(heads, width, inner, len(tokenizer), unit), indent=2), encoding="utf-8")
    exact = {name: values.astype(np.float64) for name, values in weights.items()}
    return {"ids": lambda _: ids, "vectors": lambda _: by_equations(exact, ids, heads, unit, normed)}


def save(folder, weights: dict, shards: bool, save_file) -> None:
    """One file, or two and their index."""
    os.remove(folder / "model.safetensors")
    if not shards:
        return save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    names = sorted(weights)
    files = {"model-00001-of-00002.safetensors": names[::2], "model-00002-of-00002.safetensors": names[1::2]}
    for file, held in files.items():
        save_file({name: weights[name] for name in held}, folder / file, metadata={"format": "pt"})
    index = {"metadata": {"total_size": sum(values.nbytes for values in weights.values())},
             "weight_map": {name: file for file, held in files.items() for name in held}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index), encoding="utf-8")


def config(heads: int, width: int, inner: int, vocabulary: int, unit: str) -> dict:
    """config.json as the published models have it."""
    program = "jinaai/jina-bert-implementation--"
    return {
        "_name_or_path": "jinaai/jina-bert-implementation", "architectures": ["JinaBertForMaskedLM"], "attention_probs_dropout_prob": 0.0,
        "attn_implementation": None, "auto_map": {"AutoConfig": f"{program}configuration_bert.JinaBertConfig",
                                                  "AutoModel": f"{program}modeling_bert.JinaBertModel"},
        "classifier_dropout": None, "emb_pooler": "mean", "feed_forward_type": unit, "gradient_checkpointing": False,
        "hidden_act": "gelu", "hidden_dropout_prob": 0.1, "hidden_size": width, "initializer_range": 0.02, "intermediate_size": inner,
        "layer_norm_eps": 1e-12, "max_position_embeddings": 8192, "model_max_length": 8192, "model_type": "bert",
        "num_attention_heads": heads, "num_hidden_layers": LAYERS, "pad_token_id": 0, "position_embedding_type": "alibi",
        "torch_dtype": "float16", "transformers_version": "4.26.0", "type_vocab_size": 2, "use_cache": True, "vocab_size": vocabulary}


def random_weights(vocabulary: int, width: int, inner: int, normed: bool) -> dict:
    chance = np.random.default_rng(3)
    weights = {}

    def linear(name, outputs, inputs, bias=True):
        weights[f"{name}.weight"] = chance.standard_normal((outputs, inputs)) * 0.3
        if bias:
            weights[f"{name}.bias"] = chance.standard_normal(outputs) * 0.3

    def norm(name):
        weights[f"{name}.weight"] = 1 + chance.standard_normal(width) * 0.3
        weights[f"{name}.bias"] = chance.standard_normal(width) * 0.3

    linear("embeddings.word_embeddings", vocabulary, width, bias=False)
    linear("embeddings.token_type_embeddings", 2, width, bias=False)
    norm("embeddings.LayerNorm")
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        for part in ["self.query", "self.key", "self.value", "output.dense"]:
            linear(f"{name}.attention.{part}", width, width)
        for part in ["attention.output.LayerNorm"] + (
                ["attention.self.layer_norm_q", "attention.self.layer_norm_k", "layer_norm_1", "layer_norm_2"] if normed
                else ["mlp.layernorm"]):
            norm(f"{name}.{part}")
        linear(f"{name}.mlp.{'up_gated_layer' if normed else 'gated_layers'}", 2 * inner, width, bias=False)
        linear(f"{name}.mlp.{'down_layer' if normed else 'wo'}", width, inner)
    linear("pooler.dense", width, width)
    return weights


def by_equations(weights: dict, ids: list[list[int]], heads: int, unit: str, normed: bool) -> np.ndarray:
    """The mean of the token vectors of each text: float64 [texts, width]."""
    assert len(ids) == len(texts())
    return np.stack([encode(weights, np.asarray(row), heads, unit, normed).mean(axis=0) for row in ids])


def encode(weights: dict, ids: np.ndarray, heads: int, unit: str, normed: bool) -> np.ndarray:
    """Token vectors of one text: [length, width]."""
    def linear(x, name):
        return x @ weights[f"{name}.weight"].T + weights.get(f"{name}.bias", 0)

    def norm(x, name):
        even = (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-12)
        return even * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    x = weights["embeddings.word_embeddings.weight"][ids] + weights["embeddings.token_type_embeddings.weight"][0]
    x = norm(x, "embeddings.LayerNorm")
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        query, key, value = (linear(x, f"{name}.attention.self.{part}") for part in ["query", "key", "value"])
        if normed:
            query, key = norm(query, f"{name}.attention.self.layer_norm_q"), norm(key, f"{name}.attention.self.layer_norm_k")
        context = linear(attention(query, key, value, heads), f"{name}.attention.output.dense")
        middle = norm(context + x, f"{name}.attention.output.LayerNorm")
        if normed:
            middle = norm(x + middle, f"{name}.layer_norm_1")
        first, second = np.split(linear(middle, f"{name}.mlp.{'up_gated_layer' if normed else 'gated_layers'}"), 2, axis=-1)
        gated = first * active(second, unit) if normed else active(first, unit) * second
        x = norm(linear(gated, f"{name}.mlp.{'down_layer' if normed else 'wo'}") + middle,
                 f"{name}.{'layer_norm_2' if normed else 'mlp.layernorm'}")
    return x


def active(x: np.ndarray, unit: str) -> np.ndarray:
    return np.maximum(x, 0) if unit == "reglu" else x * 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def attention(query: np.ndarray, key: np.ndarray, value: np.ndarray, heads: int) -> np.ndarray:
    """[length, width] each, to the same; scores fall by a head's slope with every step of distance."""
    length = len(query)
    query, key, value = (x.reshape(length, heads, -1).transpose(1, 0, 2) for x in (query, key, value))
    distance = np.abs(np.arange(length)[:, None] - np.arange(length)[None, :])
    scores = query @ key.transpose(0, 2, 1) / math.sqrt(query.shape[-1]) - np.asarray(slopes(heads))[:, None, None] * distance
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    return (shares / shares.sum(-1, keepdims=True) @ value).transpose(1, 0, 2).reshape(length, -1)


def slopes(heads: int) -> list[float]:
    """2^(-8/n), 2^(-16/n), …; for other numbers than powers of two, filled up with every second slope of twice the power below."""
    power = 2 ** int(math.log2(heads))
    return [2 ** (-8 * (i + 1) / power) for i in range(power)] + [2 ** (-4 * (i + 1) / power) for i in range(2 * power)][::2][:heads - power]


CASES = {
    "jina-geglu": lambda folder: jina(folder, 2, 24, 20),
    "jina-six-heads-half-shards": lambda folder: jina(folder, 6, 30, 17, unit="reglu", dtype=np.float16, shards=True),
    "jina-normed-queries": lambda folder: jina(folder, 3, 21, 16, normed=True),
    "jina-normed-queries-prefix": lambda folder: jina(folder, 4, 16, 24, normed=True, prefix="bert.", dtype=np.float16),
}
