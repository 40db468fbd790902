"""ALBERT as transformers has it: blocks share their weights, tables are narrower than the blocks."""
from encoder_parts import albert_pieces, fill, save_encoder, word_pieces


def albert(folder, heads: int = 2, width: int = 24, table: int = 12, layers: int = 3, groups: int = 1, rounds: int = 1,
           activation: str = "gelu_new", head: bool = False, pieces=word_pieces, **options):
    """An ALBERT of three layers; with a head, its weights' names have a prefix."""
    from transformers import AlbertConfig, AlbertForMaskedLM, AlbertModel

    tokenizer = pieces()
    config = AlbertConfig(vocab_size=len(tokenizer), hidden_size=width, embedding_size=table, num_hidden_layers=layers,
                          num_hidden_groups=groups, inner_group_num=rounds, num_attention_heads=heads, intermediate_size=40,
                          max_position_embeddings=64, hidden_act=activation)
    model = AlbertModel(config)
    fill(model)
    save_encoder(folder, model, tokenizer, **options)
    if head:
        whole = AlbertForMaskedLM(config)
        whole.albert = model
        whole.save_pretrained(folder)


CASES = {
    "albert-mean": lambda folder: albert(folder, pieces=albert_pieces),
    "albert-groups-cls-half": lambda folder: albert(folder, heads=3, groups=2, rounds=2, pooling="cls", dtype="float16"),
    "albert-bfloat16-shards": lambda folder: albert(folder, heads=1, width=17, layers=2, groups=2, dtype="bfloat16", shard="30KB"),
    "albert-head-gelu": lambda folder: albert(folder, heads=4, width=16, activation="gelu", head=True),
}
