"""DistilBERT as transformers has it."""
from encoder_parts import fill, save_encoder, word_pieces


def distilbert(folder, heads: int = 2, width: int = 24, activation: str = "gelu", head: bool = False, **options):
    """A DistilBERT of two layers; with a head, its weights' names have a prefix."""
    from transformers import DistilBertConfig, DistilBertForMaskedLM, DistilBertModel

    tokenizer = word_pieces()
    config = DistilBertConfig(vocab_size=len(tokenizer), dim=width, n_layers=2, n_heads=heads, hidden_dim=40,
                              max_position_embeddings=64, activation=activation)
    model = DistilBertModel(config)
    fill(model)
    save_encoder(folder, model, tokenizer, **options)
    if head:
        whole = DistilBertForMaskedLM(config)
        whole.distilbert = model
        whole.save_pretrained(folder)


CASES = {
    "distilbert-mean": lambda folder: distilbert(folder),
    "distilbert-relu-cls-half": lambda folder: distilbert(folder, heads=3, activation="relu", pooling="cls", dtype="float16"),
    "distilbert-bfloat16-shards": lambda folder: distilbert(folder, heads=1, width=17, dtype="bfloat16", shard="30KB"),
    "distilbert-head": lambda folder: distilbert(folder, heads=4, width=16, head=True),
}
