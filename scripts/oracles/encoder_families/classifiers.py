"""Classifiers of texts as transformers saves them; the judge is its pipeline `text-classification`, with every label's score."""
import functools

from encoder_parts import (deberta_pieces, fill, gemma_pieces, modernbert_pieces, qwen_pieces, roberta_pieces, texts, unigram_pieces,
                           word_pieces)

import numpy as np


def shape(kind: str, width: int, heads: int) -> dict:
    """The numbers of a small transformer of two layers, by the keys of its class."""
    if kind == "DistilBert":
        return {"dim": width, "n_layers": 2, "n_heads": heads, "hidden_dim": 40, "max_position_embeddings": 64}
    positions = 66 if kind in ("Roberta", "XLMRoberta", "Camembert", "MPNet") else 64
    if kind == "T5":
        return {"d_model": width, "num_layers": 2, "num_heads": heads, "d_kv": 7, "d_ff": 40, "relative_attention_max_distance": 20}
    numbers = {"hidden_size": width, "num_hidden_layers": 2, "num_attention_heads": heads, "intermediate_size": 40,
               "max_position_embeddings": positions}
    if kind in ("Qwen3", "Gemma3Text"):
        numbers.update(num_key_value_heads=1, head_dim=8)
    if kind == "Gemma3Text":
        numbers.update(sliding_window=10, layer_types=["sliding_attention", "full_attention"], query_pre_attn_scalar=8)
    return numbers


def save(folder, kind: str, labels: list[str], problem: str | None = None, heads: int = 2, width: int = 24, **options):
    """A classifier of texts, as save_pretrained writes it."""
    write(folder, kind, "ForSequenceClassification", labels, heads, width, problem_type=problem, **options)
    return {"ids": judge_ids, "vectors": judge_scores}


def write(folder, kind: str, head: str, labels: list[str], heads: int, width: int, dtype: str = "float32", shard: str = "1GB",
          pieces=word_pieces, length: int = 64, **options):
    """A transformer and its head, with names for the labels, of texts of so many tokens."""
    import torch
    import transformers

    tokenizer = pieces(length=length)
    named = {"pad_token_id": tokenizer.pad_token_id, **options}
    config = getattr(transformers, f"{kind}Config")(
        vocab_size=len(tokenizer), id2label=dict(enumerate(labels)), label2id={label: number for number, label in enumerate(labels)},
        **shape(kind, width, heads), **(named if kind in ("ModernBert", "Qwen3", "Gemma3Text") else options))
    model = getattr(transformers, f"{kind}{head}")(config)
    fill(model)
    model.eval().to(getattr(torch, dtype)).save_pretrained(folder, max_shard_size=shard)
    tokenizer.save_pretrained(folder)


@functools.cache
def judge(folder):
    """The library's pipeline, in float32."""
    import torch
    from transformers import pipeline

    return pipeline("text-classification", model=str(folder), top_k=None, device="cpu", torch_dtype=torch.float32)


def judge_ids(folder) -> list[list[int]]:
    """Token ids of every text, alone, cut as the pipeline is asked to."""
    return [judge(folder).tokenizer(text, truncation=True)["input_ids"] for text in texts()]


def judge_scores(folder) -> np.ndarray:
    """The scores of every text in the order of the labels: float32 [200, labels]."""
    pipe = judge(folder)
    order = [pipe.model.config.id2label[number] for number in range(pipe.model.config.num_labels)]
    rows = []
    for text in texts():
        scores = {entry["label"]: entry["score"] for entry in pipe([text], truncation=True)[0]}
        rows.append([scores[label] for label in order])
    return np.asarray(rows, dtype=np.float32)


INTENTS = ["refund", "greeting", "other"]
MOODS = ["negative", "positive"]
DEBERTA = {"relative_attention": True, "position_buckets": 8, "norm_rel_ebd": "layer_norm", "share_att_key": True,
           "pos_att_type": "p2c|c2p", "position_biased_input": False}

CASES = {
    "bert-intents": lambda folder: save(folder, "Bert", INTENTS),
    "bert-regression": lambda folder: save(folder, "Bert", ["LABEL_0"], "regression", heads=3),
    "roberta-moods-half": lambda folder: save(folder, "Roberta", MOODS, dtype="float16", type_vocab_size=1, pieces=roberta_pieces),
    "xlm-roberta-one-number": lambda folder: save(
        folder, "XLMRoberta", ["LABEL_0"], heads=3, type_vocab_size=1, dtype="float16", pieces=unigram_pieces),
    "camembert-intents": lambda folder: save(folder, "Camembert", INTENTS, heads=4, width=20),
    "distilbert-moods-shards": lambda folder: save(folder, "DistilBert", MOODS, shard="30KB"),
    "mpnet-several-at-once": lambda folder: save(folder, "MPNet", INTENTS, "multi_label_classification"),
    "electra-intents": lambda folder: save(folder, "Electra", INTENTS, embedding_size=12),
    "albert-default-labels-bfloat16": lambda folder: save(folder, "Albert", ["LABEL_0", "LABEL_1"], embedding_size=12, dtype="bfloat16"),
    "modernbert-first-token": lambda folder: save(folder, "ModernBert", INTENTS, local_attention=8, pieces=modernbert_pieces),
    "modernbert-mean-several-half": lambda folder: save(
        folder, "ModernBert", INTENTS, "multi_label_classification", heads=3, width=18, dtype="float16", classifier_pooling="mean",
        classifier_bias=True, norm_bias=True, classifier_activation="silu"),
    "nomic-bert-moods-bfloat16": lambda folder: save(folder, "NomicBert", MOODS, heads=3, width=18, dtype="bfloat16"),
    "gte-one-number": lambda folder: save(folder, "Gte", ["LABEL_0"], heads=1, width=14, pieces=unigram_pieces),
    "deberta-intents-half": lambda folder: save(folder, "DebertaV2", INTENTS, heads=3, width=27, dtype="float16", pieces=deberta_pieces,
                                                **DEBERTA),
    "deberta-regression-bfloat16": lambda folder: save(
        folder, "DebertaV2", ["LABEL_0"], "regression", dtype="bfloat16", pooler_hidden_act="tanh"),
    "qwen3-ends-with-padding": lambda folder: save(folder, "Qwen3", INTENTS, pieces=qwen_pieces),
    "qwen3-no-padding-bfloat16": lambda folder: save(
        folder, "Qwen3", MOODS, heads=3, width=17, dtype="bfloat16", pieces=qwen_pieces, pad_token_id=None),
    "qwen3-padding-inside-half": lambda folder: save(folder, "Qwen3", ["LABEL_0"], dtype="float16", attention_bias=True, pad_token_id=1),
    "gemma3-intents": lambda folder: save(folder, "Gemma3Text", INTENTS, heads=3, pieces=gemma_pieces),
    "gemma3-both-ways-half": lambda folder: save(
        folder, "Gemma3Text", MOODS, width=20, dtype="float16", use_bidirectional_attention=True),
}
