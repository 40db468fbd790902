"""MPNet as transformers has it: attention also depends on how far two tokens are apart."""
from encoder_parts import fill, mpnet_pieces, save_encoder, word_pieces


def mpnet(folder, heads: int = 2, width: int = 24, length: int = 64, head: bool = False, pieces=word_pieces, **options):
    """An MPNet of two layers; with a head, its weights' names have a prefix."""
    from transformers import MPNetConfig, MPNetForMaskedLM, MPNetModel

    tokenizer = pieces(length=length)
    config = MPNetConfig(vocab_size=len(tokenizer), hidden_size=width, num_hidden_layers=2, num_attention_heads=heads,
                         intermediate_size=40, max_position_embeddings=length + 2)
    model = MPNetModel(config)
    fill(model)
    save_encoder(folder, model, tokenizer, **options)
    if head:
        whole = MPNetForMaskedLM(config)
        whole.mpnet = model
        whole.save_pretrained(folder)


CASES = {
    # Texts longer than the distance from which on all share a bucket.
    "mpnet-mean-long": lambda folder: mpnet(folder, length=200),
    "mpnet-cls-half": lambda folder: mpnet(folder, heads=3, pooling="cls", dtype="float16", pieces=mpnet_pieces),
    "mpnet-bfloat16-shards": lambda folder: mpnet(folder, heads=1, width=17, dtype="bfloat16", shard="30KB"),
    "mpnet-head": lambda folder: mpnet(folder, heads=4, width=16, head=True),
}
