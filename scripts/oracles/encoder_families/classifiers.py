"""Classifiers of texts as transformers saves them; the judge is its pipeline `text-classification`, with every label's score."""
import functools

from encoder_parts import fill, roberta_pieces, texts, unigram_pieces, word_pieces

import numpy as np


def save(folder, kind: str, labels: list[str], problem: str | None = None, heads: int = 2, width: int = 24, dtype: str = "float32",
         shard: str = "1GB", pieces=word_pieces, **options):
    """A transformer of two layers and its head, as save_pretrained writes them."""
    import torch
    import transformers

    tokenizer = pieces()
    numbers = {"dim": width, "n_layers": 2, "n_heads": heads, "hidden_dim": 40} if kind == "DistilBert" else {
        "hidden_size": width, "num_hidden_layers": 2, "num_attention_heads": heads, "intermediate_size": 40}
    positions = 66 if kind in ("Roberta", "XLMRoberta", "Camembert", "MPNet") else 64
    config = getattr(transformers, f"{kind}Config")(
        vocab_size=len(tokenizer), max_position_embeddings=positions, id2label=dict(enumerate(labels)),
        label2id={label: number for number, label in enumerate(labels)}, problem_type=problem, **numbers, **options)
    model = getattr(transformers, f"{kind}ForSequenceClassification")(config)
    fill(model)
    model.eval().to(getattr(torch, dtype)).save_pretrained(folder, max_shard_size=shard)
    tokenizer.save_pretrained(folder)
    return {"ids": judge_ids, "vectors": judge_scores}


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
}
