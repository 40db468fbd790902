"""BERT with the Unigram tokenizer of XLM-RoBERTa, as multilingual MiniLM has it."""
from encoder_parts import fill, save_encoder, unigram_pieces


def bert(folder, heads: int = 2, width: int = 16, length: int | None = None, **options):
    """A BERT of two layers."""
    from transformers import BertConfig, BertModel

    tokenizer = unigram_pieces()
    config = BertConfig(vocab_size=len(tokenizer), hidden_size=width, num_hidden_layers=2, num_attention_heads=heads,
                        intermediate_size=40, max_position_embeddings=64, pad_token_id=tokenizer.pad_token_id)
    model = BertModel(config)
    fill(model)
    save_encoder(folder, model, tokenizer, length=length, **options)


CASES = {
    "bert-unigram-mean": lambda folder: bert(folder),
    "bert-unigram-cls-half": lambda folder: bert(folder, heads=3, width=18, pooling="cls", dtype="float16", length=24),
    "bert-unigram-bfloat16-shards": lambda folder: bert(folder, heads=1, width=17, dtype="bfloat16", shard="30KB"),
}
