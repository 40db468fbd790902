"""DeBERTa-v2 and v3 as transformers has them: contents and distances, with buckets and without, shared projections and own."""
from encoder_parts import deberta_pieces, fill, save_encoder, word_pieces

V3 = {"relative_attention": True, "position_buckets": 8, "norm_rel_ebd": "layer_norm", "share_att_key": True,
      "pos_att_type": "p2c|c2p", "position_biased_input": False}


def deberta(folder, heads: int = 2, width: int = 24, layers: int = 2, head: str | None = None, config=(),
            pieces=word_pieces, **options):
    """A DeBERTa of two layers, for texts of up to 80 tokens."""
    import transformers

    tokenizer = pieces(length=80)
    shape = transformers.DebertaV2Config(vocab_size=len(tokenizer), hidden_size=width, num_hidden_layers=layers,
                                         num_attention_heads=heads, intermediate_size=33, max_position_embeddings=96, **dict(config))
    model = getattr(transformers, head or "DebertaV2Model")(shape)
    fill(model)
    save_encoder(folder, model.deberta if head else model, tokenizer, **options)
    if head:
        model.save_pretrained(folder)


CASES = {
    "deberta-v3": lambda folder: deberta(folder, config=V3, pieces=deberta_pieces),
    "deberta-v3-classifier-half": lambda folder: deberta(
        folder, heads=3, width=27, head="DebertaV2ForSequenceClassification", dtype="float16", config=V3),
    "deberta-v2-own-projections": lambda folder: deberta(
        folder, config={"relative_attention": True, "max_relative_positions": 12, "pos_att_type": ["c2p", "p2c"], "type_vocab_size": 2}),
    "deberta-v2-one-kind-bfloat16-shards": lambda folder: deberta(
        folder, heads=1, width=17, dtype="bfloat16", shard="20KB", pooling="cls",
        config={"relative_attention": True, "position_buckets": 16, "max_relative_positions": 40, "pos_att_type": ["p2c"]}),
    "deberta-v2-contents-alone": lambda folder: deberta(folder, heads=4, width=16, config={"hidden_act": "gelu_new"}),
}
