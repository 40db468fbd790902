"""GTE v1.5 as transformers has it, and in the files of the program that the first models came with (model_type new).

transformers does not read that program's keys. Its answers are judged by transformers' class for the same weights, told the scaled base
and frequencies in its own keys: base · factor, and all frequencies over factor^(2 / width).
"""
import json

from encoder_parts import fill, judge_ids, judge_vectors, save_encoder, unigram_pieces, word_pieces


def gte(folder, heads: int = 2, width: int = 24, inner: int = 20, head: str | None = None, config=(), pieces=word_pieces,
        **options):
    """A GTE of two layers."""
    import transformers

    tokenizer = pieces(length=80)
    shape = transformers.GteConfig(vocab_size=len(tokenizer), hidden_size=width, num_hidden_layers=2, num_attention_heads=heads,
                                   intermediate_size=inner, max_position_embeddings=96, pad_token_id=tokenizer.pad_token_id, **dict(config))
    model = getattr(transformers, head or "GteModel")(shape)
    fill(model)
    save_encoder(folder, model.gte if head else model, tokenizer, **options)
    if head:
        model.save_pretrained(folder)


def first(folder, factor: float | None, prefix: str = ""):
    """The files of the first models."""
    from safetensors.numpy import load_file, save_file

    heads, width = 2, 20
    scale = factor or 1.0
    rope = {"rope_type": "linear", "rope_theta": 500000.0 * scale, "factor": scale ** (2 / (width // heads))}
    gte(folder, heads=heads, width=width, config={"type_vocab_size": 0, "rope_parameters": rope})
    ids, vectors = judge_ids(folder), judge_vectors(folder)
    weights = {prefix + name: value for name, value in load_file(folder / "model.safetensors").items()}
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    for key in ("rope_parameters", "dtype"):
        del config[key]
    config.update(
        architectures=["NewModel"], model_type="new", auto_map={"AutoModel": "modeling.NewModel"}, layer_norm_type="layer_norm",
        logn_attention_clip1=False, logn_attention_scale=False, pack_qkv=True, position_embedding_type="rope",
        rope_scaling={"factor": factor, "type": "ntk"} if factor else None, rope_theta=500000, torch_dtype="float32",
        unpad_inputs=False, use_memory_efficient_attention=False, transformers_version="4.39.1")
    (folder / "config.json").write_text(json.dumps(config, indent=2), encoding="utf-8")
    return {"ids": lambda _: ids, "vectors": lambda _: vectors}


CASES = {
    "gte-mean": lambda folder: gte(folder),
    "gte-half": lambda folder: gte(folder, heads=3, width=18, inner=31, pooling="cls", dtype="float16",
                                   config={"hidden_act": "silu", "type_vocab_size": 2}),
    "gte-bfloat16-shards": lambda folder: gte(folder, heads=1, width=14, dtype="bfloat16", shard="20KB", pieces=unigram_pieces),
    "gte-classifier": lambda folder: gte(folder, head="GteForSequenceClassification"),
    "gte-first-keys": lambda folder: first(folder, 8.0),
    "gte-first-keys-prefix": lambda folder: first(folder, None, "new."),
}
