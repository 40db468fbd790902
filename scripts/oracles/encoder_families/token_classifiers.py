"""Classifiers of tokens as transformers saves them: the judge is the class itself, with the softmax of its pipeline `token-classification`.

A row has for every token the probability of each label, one token after the other, and zeros up to the longest text that the model
takes. The tokens are those of the attention mask: those that the tokenizer puts around a text count.
"""
import functools

from encoder_families.classifiers import DEBERTA, write
from encoder_parts import (albert_pieces, camembert_pieces, deberta_pieces, modernbert_pieces, mpnet_pieces, qwen_pieces, roberta_pieces,
                           t5_pieces, texts, unigram_pieces)

import numpy as np

LONGEST = 20


def save(folder, kind: str, labels: list[str], heads: int = 2, width: int = 24, **options):
    """A classifier of tokens, as save_pretrained writes it."""
    write(folder, kind, "ForTokenClassification", labels, heads, width, length=LONGEST, **options)
    return {"ids": judge_ids, "vectors": judge_tokens}


@functools.cache
def judge(folder):
    """The library's tokenizer and its class, in float32."""
    import torch
    from transformers import AutoModelForTokenClassification, AutoTokenizer

    return AutoTokenizer.from_pretrained(folder), AutoModelForTokenClassification.from_pretrained(folder, dtype=torch.float32).eval()


def judge_ids(folder) -> list[list[int]]:
    """Token ids of every text, alone."""
    return [judge(folder)[0](text, truncation=True)["input_ids"] for text in texts()]


def judge_tokens(folder) -> np.ndarray:
    """The probabilities of every token of every text: float32 [200, LONGEST · labels]."""
    import torch

    tokenizer, model = judge(folder)
    rows = np.zeros((len(texts()), LONGEST * model.config.num_labels), dtype=np.float32)
    for row, text in zip(rows, texts()):
        given = tokenizer(text, truncation=True, return_tensors="pt")
        if given["input_ids"].numel() == 0:
            continue
        with torch.no_grad():
            scores = model(**given).logits[0].softmax(-1).numpy().ravel()
        row[:len(scores)] = scores
    return rows


NAMES = ["O", "B-PER", "I-PER"]
PARTS = ["O", "NAME"]

CASES = {
    "bert-names": lambda folder: save(folder, "Bert", NAMES),
    "roberta-parts-half": lambda folder: save(folder, "Roberta", PARTS, heads=3, dtype="float16", type_vocab_size=1, pieces=roberta_pieces),
    "xlm-roberta-parts": lambda folder: save(
        folder, "XLMRoberta", PARTS, width=12, type_vocab_size=1, dtype="float16", pieces=unigram_pieces),
    "camembert-names": lambda folder: save(folder, "Camembert", NAMES, heads=1, width=10, dtype="float16", pieces=camembert_pieces),
    "distilbert-names-shards": lambda folder: save(folder, "DistilBert", NAMES, shard="30KB"),
    "mpnet-parts-bfloat16": lambda folder: save(folder, "MPNet", PARTS, width=18, heads=3, dtype="bfloat16", pieces=mpnet_pieces),
    "electra-names-half": lambda folder: save(folder, "Electra", NAMES, dtype="float16", embedding_size=12),
    "albert-parts-bfloat16": lambda folder: save(folder, "Albert", PARTS, embedding_size=6, dtype="bfloat16", pieces=albert_pieces),
    "modernbert-names-half": lambda folder: save(
        folder, "ModernBert", NAMES, dtype="float16", local_attention=8, classifier_bias=True, pieces=modernbert_pieces),
    "nomic-bert-parts-half": lambda folder: save(folder, "NomicBert", PARTS, heads=3, width=18, dtype="float16"),
    "gte-names-bfloat16": lambda folder: save(folder, "Gte", NAMES, heads=1, width=14, dtype="bfloat16"),
    "deberta-names": lambda folder: save(folder, "DebertaV2", NAMES, heads=3, width=18, dtype="float16", pieces=deberta_pieces, **DEBERTA),
    "qwen3-names-bfloat16": lambda folder: save(folder, "Qwen3", NAMES, dtype="bfloat16", pieces=qwen_pieces),
    "t5-parts": lambda folder: save(folder, "T5", PARTS, heads=3, width=20, dtype="float16", pieces=t5_pieces),
}
CASES = {f"tokens-{name}": case for name, case in CASES.items()}
