"""BERT with tokenizers of byte pairs, and MPNet's: the tokenizers of other families, each beside the same small transformer."""
from encoder_parts import (deberta_byte_pieces, fill, gemma_pieces, modernbert_pieces, mpnet_pieces, qwen_pieces, roberta_pieces,
                           save_encoder)


def bert(folder, tokenizer, heads: int = 2, **options):
    """A BERT of two layers beside another tokenizer."""
    from transformers import BertConfig, BertModel

    config = BertConfig(vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=2, num_attention_heads=heads,
                        intermediate_size=24, max_position_embeddings=64, pad_token_id=tokenizer.pad_token_id or 0)
    model = BertModel(config)
    fill(model)
    save_encoder(folder, model, tokenizer, **options)


CASES = {
    "byte-pairs-roberta": lambda folder: bert(folder, roberta_pieces()),
    "byte-pairs-roberta-space": lambda folder: bert(folder, roberta_pieces(add_prefix_space=True), dtype="float16"),
    "byte-pairs-qwen": lambda folder: bert(folder, qwen_pieces(), pooling="lasttoken", dtype="float16"),
    "byte-pairs-modernbert": lambda folder: bert(folder, modernbert_pieces(), pooling="cls", dtype="bfloat16"),
    "byte-pairs-gemma": lambda folder: bert(folder, gemma_pieces(), heads=4, dtype="float16"),
    "byte-pairs-deberta": lambda folder: bert(folder, deberta_byte_pieces(), dtype="float16"),
    "pieces-mpnet": lambda folder: bert(folder, mpnet_pieces(), dtype="float16"),
}
