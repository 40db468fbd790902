"""Folders without tokenizer.json: models of SentencePiece, and vocab.json with merges.txt, as the classes of transformers read them.

The model around them is a BERT of two layers. transformers 5 wrote these; `_piece_files_transformers4.py` has the same folders as
transformers 4.57 reads them, which makes other tokenizers of most. transformers reads such files with protobuf 7.36 or later.
"""
import functools
import io
import json

import numpy as np
import transformers
from encoder_parts import corpus, fill, learned_pairs, numbered, texts
from tokenizers import pre_tokenizers


@functools.cache
def sentence_pieces(**options) -> bytes:
    """The file of a Unigram model of 300 pieces, or what the options say."""
    import sentencepiece

    model = io.BytesIO()
    lines = [text.replace("\n", " ") for text in corpus() + texts() if len(text) < 2000]
    options = {name: list(value) if isinstance(value, tuple) else value for name, value in options.items()}
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines), model_writer=model, hard_vocab_limit=False, character_coverage=0.98, num_threads=1, minloglevel=2,
        **{"normalization_rule_name": "identity", "vocab_size": 300, "model_type": "unigram"} | options)
    return model.getvalue()


def bert(folder, name: str, files: dict, settings: dict, prompt: str = ""):
    """Saves a BERT whose tokenizer is in these files alone. A prompt gives every text a token where no special ones are around it."""
    start = folder / "start"
    start.mkdir()
    for file, content in files.items():
        (start / file).write_bytes(content)
    (start / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": name} | settings), encoding="utf-8")
    (start / "config.json").write_text(json.dumps({"model_type": "bert"}), encoding="utf-8")
    tokenizer = transformers.AutoTokenizer.from_pretrained(str(start))
    shape = transformers.BertConfig(vocab_size=len(tokenizer), hidden_size=8, num_hidden_layers=1, num_attention_heads=2,
                                    intermediate_size=12, max_position_embeddings=64, pad_token_id=tokenizer.pad_token_id or 0)
    model = transformers.BertModel(shape)
    fill(model)
    transformer_and_mean(folder, model.eval())
    for path in start.iterdir():
        if path.name != "config.json":
            path.rename(folder / path.name)
    (start / "config.json").unlink()
    start.rmdir()
    if prompt:
        (folder / "config_sentence_transformers.json").write_text(json.dumps(
            {"prompts": {"query": prompt}, "default_prompt_name": "query", "similarity_fn_name": "cosine"}), encoding="utf-8")
    ids = [tokenizer(prompt + text, truncation=True, max_length=64)["input_ids"] for text in texts()]
    return {"ids": lambda _: ids, "vectors": lambda _: vectors(model, ids)}


def vectors(model, ids: list[list[int]]) -> np.ndarray:
    """The mean of the token vectors of each text."""
    import torch

    with torch.no_grad():
        return np.stack([model(input_ids=torch.tensor([row])).last_hidden_state[0].mean(0).numpy() for row in ids])


def transformer_and_mean(folder, model) -> None:
    """A model with sentence-transformers' files around it, as both versions write them."""
    model.save_pretrained(folder)
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(
        {"word_embedding_dimension": model.config.hidden_size, "pooling_mode_mean_tokens": True}), encoding="utf-8")
    modules = [{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
               {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"}]
    (folder / "modules.json").write_text(json.dumps(modules), encoding="utf-8")
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 64, "do_lower_case": False}), encoding="utf-8")


def unigram(name: str, file: str, settings: dict = {}, **options):
    """A case of a class that reads SentencePiece models."""
    return lambda folder: bert(folder, name, {file: sentence_pieces(**options)}, settings)


def gemma(settings: dict = {}, symbols: tuple = (), prompt: str = "", change=lambda bytes_: bytes_, **options):
    """A case of the class that reads SentencePiece models of byte pairs."""
    options = {"pad_id": 0, "eos_id": 1, "bos_id": 2, "unk_id": 3, "eos_piece": "<eos>", "bos_piece": "<bos>", "vocab_size": 620,
               "byte_fallback": True, "remove_extra_whitespaces": False, "add_dummy_prefix": False, "model_type": "bpe"} | options
    def write(folder):
        file = change(sentence_pieces(user_defined_symbols=("<mask>",) + symbols, **options))
        return bert(folder, "GemmaTokenizer", {"tokenizer.model": file}, settings, prompt)
    return write


def tied(file: bytes) -> bytes:
    """The model with few different scores, and pieces that several pairs make: the order of merges counts."""
    from sentencepiece import sentencepiece_model_pb2

    model = sentencepiece_model_pb2.ModelProto.FromString(file)
    for place, piece in enumerate(model.pieces):
        if piece.type == 1:
            piece.score = -float(place * 7 % 5)
    return model.SerializeToString()


def pairs(name: str, before: list[str], settings: dict = {}, prompt: str = ""):
    """A case of a class that reads byte pairs."""
    def write(folder):
        pieces, merges = learned_pairs(pre_tokenizers.ByteLevel(add_prefix_space=False), size=360)
        vocabulary = numbered(before, pieces)
        lines = ["#version: 0.2"] + [" ".join(merge) for merge in merges]
        return bert(folder, name, {"vocab.json": json.dumps(vocabulary, ensure_ascii=False).encode(),
                                   "merges.txt": ("\n".join(lines) + "\n").encode()}, settings, prompt)
    return write


ROBERTA = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
PADDED = {"pad_token": "<|endoftext|>"}

CASES = {
    "spiece-xlm-roberta": unigram("XLMRobertaTokenizer", "sentencepiece.bpe.model", unk_id=0, bos_id=1, eos_id=2),
    "spiece-camembert": unigram("CamembertTokenizer", "sentencepiece.bpe.model", unk_id=0, bos_id=1, eos_id=2, add_dummy_prefix=False),
    "spiece-albert": unigram("AlbertTokenizer", "spiece.model", pad_id=0, unk_id=1, bos_id=-1, eos_id=-1,
                             control_symbols=("[CLS]", "[SEP]", "[MASK]"), user_defined_symbols=("(", ")", "-")),
    "spiece-albert-cased": unigram("AlbertTokenizer", "spiece.model", {"do_lower_case": False, "keep_accents": True}, pad_id=0, unk_id=1,
                                   bos_id=-1, eos_id=-1, control_symbols=("[CLS]", "[SEP]", "[MASK]"), split_digits=True),
    "spiece-t5": unigram("T5Tokenizer", "spiece.model", pad_id=0, eos_id=1, unk_id=2, bos_id=-1, normalization_rule_name="nmt_nfkc"),
    "spiece-deberta": unigram("DebertaV2Tokenizer", "spm.model", {"vocab_type": "spm", "do_lower_case": False}, pad_id=0, bos_id=1,
                              eos_id=2, unk_id=3, pad_piece="[PAD]", bos_piece="[CLS]", eos_piece="[SEP]", unk_piece="[UNK]",
                              control_symbols=("[MASK]",)),
    "spiece-deberta-punctuation": unigram("DebertaV2Tokenizer", "spm.model", {"split_by_punct": True, "do_lower_case": True}, pad_id=0,
                                          bos_id=1, eos_id=2, unk_id=3, pad_piece="[PAD]", bos_piece="[CLS]", eos_piece="[SEP]",
                                          unk_piece="[UNK]", treat_whitespace_as_suffix=True),
    "spiece-gemma": gemma({"add_bos_token": True}, ("<start_of_turn>", "\n\n", "\t\t", "\u2581\u2581"), split_digits=True,
                          allow_whitespace_only_pieces=True),
    "spiece-gemma-ends": gemma({"add_bos_token": False, "add_eos_token": True}, ("\t",)),
    "spiece-gemma-ties": gemma(prompt="x ", change=tied, vocab_size=720, split_by_whitespace=False),
    "pairs-roberta": pairs("RobertaTokenizer", ROBERTA),
    "pairs-roberta-space": pairs("RobertaTokenizer", ROBERTA, {"add_prefix_space": True}),
    "pairs-gpt2": pairs("GPT2Tokenizer", ["<|endoftext|>"], PADDED, prompt="x "),
    "pairs-qwen2": pairs("Qwen2Tokenizer", ["<|endoftext|>"], prompt="x "),
}
