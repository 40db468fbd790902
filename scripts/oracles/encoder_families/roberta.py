"""RoBERTa, XLM-RoBERTa and CamemBERT as transformers has them: positions are counted from the padding token on."""
from encoder_parts import camembert_pieces, fill, roberta_pieces, save_encoder, unigram_pieces, word_pieces


def roberta(folder, kind: str = "Roberta", heads: int = 2, width: int = 24, padding: int = 1, positions: int = 66, head: bool = False,
            pieces=word_pieces, **options):
    """A RoBERTa of two layers; with a head, its weights' names have a prefix."""
    import transformers

    tokenizer = pieces()
    config = getattr(transformers, f"{kind}Config")(
        vocab_size=len(tokenizer), hidden_size=width, num_hidden_layers=2, num_attention_heads=heads, intermediate_size=40,
        max_position_embeddings=positions, type_vocab_size=1, layer_norm_eps=1e-5, pad_token_id=padding)
    model = getattr(transformers, f"{kind}Model")(config)
    fill(model)
    save_encoder(folder, model, tokenizer, **options)
    if head:
        whole = getattr(transformers, f"{kind}ForMaskedLM")(config)
        whole.roberta = model
        whole.save_pretrained(folder)


CASES = {
    # The padding token of the tokenizer, which hostile texts write out, takes no position.
    "roberta-padding-in-texts": lambda folder: roberta(folder, padding=0, positions=65),
    "roberta-cls-half": lambda folder: roberta(folder, heads=3, pooling="cls", dtype="float16", pieces=roberta_pieces),
    "xlm-roberta-bfloat16-shards": lambda folder: roberta(
        folder, "XLMRoberta", heads=1, width=17, dtype="bfloat16", shard="30KB", pieces=unigram_pieces),
    "xlm-roberta-head": lambda folder: roberta(folder, "XLMRoberta", heads=4, width=16, head=True),
    "camembert-half": lambda folder: roberta(folder, "Camembert", heads=5, width=25, dtype="float16", pieces=camembert_pieces),
}
