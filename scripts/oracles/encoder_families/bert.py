"""BERT as transformers has it: the control beside which the other families are measured."""
from encoder_parts import fill, save_encoder, word_pieces


def bert(folder, heads: int = 2, width: int = 24, **options):
    """A BERT of two layers."""
    from transformers import BertConfig, BertModel

    tokenizer = word_pieces()
    config = BertConfig(vocab_size=len(tokenizer), hidden_size=width, num_hidden_layers=2, num_attention_heads=heads,
                        intermediate_size=40, max_position_embeddings=64)
    model = BertModel(config)
    fill(model)
    save_encoder(folder, model, tokenizer, **options)


CASES = {
    "bert-mean": lambda folder: bert(folder),
    "bert-cls-half": lambda folder: bert(folder, heads=3, pooling="cls", dtype="float16"),
    "bert-bfloat16-shards": lambda folder: bert(folder, heads=1, width=17, dtype="bfloat16", shard="30KB"),
}
