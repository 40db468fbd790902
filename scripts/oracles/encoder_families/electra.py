"""ELECTRA as transformers has it: its tables may be narrower than its blocks."""
from encoder_parts import fill, save_encoder, word_pieces


def electra(folder, heads: int = 2, width: int = 24, table: int = 12, head: bool = False, **options):
    """An ELECTRA of two layers; with a head, its weights' names have a prefix."""
    from transformers import ElectraConfig, ElectraForPreTraining, ElectraModel

    tokenizer = word_pieces()
    config = ElectraConfig(vocab_size=len(tokenizer), hidden_size=width, embedding_size=table, num_hidden_layers=2,
                           num_attention_heads=heads, intermediate_size=40, max_position_embeddings=64)
    model = ElectraModel(config)
    fill(model)
    save_encoder(folder, model, tokenizer, **options)
    if head:
        whole = ElectraForPreTraining(config)
        whole.electra = model
        whole.save_pretrained(folder)


CASES = {
    "electra-mean": lambda folder: electra(folder),
    "electra-equal-widths-cls-half": lambda folder: electra(folder, heads=3, table=24, pooling="cls", dtype="float16"),
    "electra-bfloat16-shards": lambda folder: electra(folder, heads=1, width=17, table=23, dtype="bfloat16", shard="30KB"),
    "electra-head": lambda folder: electra(folder, heads=4, width=16, head=True),
}
