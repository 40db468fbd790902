"""ModernBERT as transformers has it: rotary positions with two bases, windows shorter than the texts, gated linear units."""
import json

from encoder_parts import fill, modernbert_pieces, save_encoder, word_pieces


def modernbert(folder, heads: int = 2, width: int = 24, layers: int = 3, inner: int = 20, head: str | None = None, config=(),
               pieces=word_pieces, **options):
    """A ModernBERT whose local layers see four places to either side, of texts of up to 96 tokens."""
    import transformers

    tokenizer = pieces(length=96)
    shape = transformers.ModernBertConfig(
        vocab_size=len(tokenizer), hidden_size=width, num_hidden_layers=layers, num_attention_heads=heads, intermediate_size=inner,
        max_position_embeddings=128, local_attention=8, pad_token_id=tokenizer.pad_token_id, bos_token_id=None, eos_token_id=None,
        cls_token_id=tokenizer.cls_token_id, sep_token_id=tokenizer.sep_token_id, **dict(config))
    model = getattr(transformers, head or "ModernBertModel")(shape)
    fill(model)
    if head:
        # sentence-transformers drops the head; the weights keep its names and prefix.
        save_encoder(folder, model.model, tokenizer, **options)
        model.save_pretrained(folder)
    else:
        save_encoder(folder, model, tokenizer, **options)


def older(folder, **options):
    """The keys that transformers 4.48 to 4.57 write, and the tokenizer of the published models."""
    modernbert(folder, layers=4, pieces=modernbert_pieces, **options)
    path = folder / "config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    for key in ("rope_parameters", "layer_types", "dtype"):
        del config[key]
    config.update(global_rope_theta=160000.0, local_rope_theta=10000.0, global_attn_every_n_layers=3, layer_norm_eps=1e-5,
                  position_embedding_type="absolute", gradient_checkpointing=False, torch_dtype="float32", reference_compile=None,
                  repad_logits_with_grad=False, transformers_version="4.48.0")
    path.write_text(json.dumps(config, indent=2), encoding="utf-8")


BIASES = {"norm_bias": True, "attention_bias": True, "mlp_bias": True, "hidden_activation": "silu"}

CASES = {
    "modernbert-mean": lambda folder: modernbert(folder),
    "modernbert-older-keys": older,
    "modernbert-biases-half": lambda folder: modernbert(folder, heads=3, width=30, inner=17, pooling="cls", dtype="float16", config=BIASES),
    "modernbert-classifier-bfloat16": lambda folder: modernbert(
        folder, heads=1, width=18, dtype="bfloat16", head="ModernBertForSequenceClassification"),
    "modernbert-shards": lambda folder: modernbert(folder, heads=4, width=16, inner=33, shard="30KB"),
}
