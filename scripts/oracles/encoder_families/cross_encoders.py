"""Cross-encoders as sentence-transformers saves them; the judge is `CrossEncoder.predict` over 200 pairs of texts."""
import functools

from encoder_families.classifiers import write
from encoder_parts import deberta_pieces, roberta_pieces, texts, unigram_pieces, word_pieces

import numpy as np

# Lengths that leave an even number of tokens for the texts: of an odd one versions of tokenizers give one more to different texts.
VERDICTS = ["contradiction", "entailment", "neutral"]


def pairs() -> list[tuple[str, str]]:
    """Every text with the one seven places behind it: short with long ones, and long with long ones."""
    every = texts()
    return [(text, every[(number + 7) % len(every)]) for number, text in enumerate(every)]


def save(folder, kind: str, labels: list[str], activation: str | None = None, side: str = "right", heads: int = 2, width: int = 24,
         pieces=word_pieces, **options):
    """A cross-encoder, as its save_pretrained writes it."""
    import tempfile
    from pathlib import Path

    import torch
    from sentence_transformers import CrossEncoder

    def sided(length: int):
        tokenizer = pieces(length=length)
        tokenizer.truncation_side = side
        return tokenizer

    with tempfile.TemporaryDirectory() as place:
        write(Path(place), kind, "ForSequenceClassification", labels, heads, width, pieces=sided, **options)
        chosen = getattr(torch.nn, activation)() if activation else None
        CrossEncoder(place, device="cpu", activation_fn=chosen).save_pretrained(str(folder))
    return {"ids": judge_ids, "vectors": judge_scores}


def save_older(folder, kind: str, labels: list[str], activation: str, **options):
    """The same with the note that versions 2 to 5.3 put into config.json in place of files of their own."""
    import json

    judge = save(folder, kind, labels, activation, **options)
    for name in ("modules.json", "config_sentence_transformers.json", "sentence_bert_config.json"):
        (folder / name).unlink()
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    home = "linear" if activation == "Identity" else "activation"
    config["sentence_transformers"] = {"activation_fn": f"torch.nn.modules.{home}.{activation}", "version": "5.3.0"}
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    return judge


@functools.cache
def judge(folder):
    """The library's model, in float32."""
    import torch
    from sentence_transformers import CrossEncoder

    return CrossEncoder(str(folder), device="cpu", model_kwargs={"torch_dtype": torch.float32})


def judge_ids(folder) -> list[list[int]]:
    """Token ids of every pair as `predict` makes them, and behind them the type of each token where the model takes types."""
    import inspect

    model = judge(folder)
    takes_types = "token_type_ids" in inspect.signature(model.model.forward).parameters
    found = []
    for pair in pairs():
        features = model.tokenizer([pair], truncation="longest_first")
        types = features.get("token_type_ids", [[]]) if takes_types else [[]]
        found.append(features["input_ids"][0] + types[0])
    return found


def judge_scores(folder) -> np.ndarray:
    """The numbers of every pair: float32 [200, labels]."""
    rows = [judge(folder).predict([pair]) for pair in pairs()]
    return np.asarray(rows, dtype=np.float32).reshape(len(rows), -1)


CASES = {
    "bert-reranker": lambda folder: save(folder, "Bert", ["LABEL_0"], length=63),
    "bert-left-identity-half": lambda folder: save(
        folder, "Bert", ["LABEL_0"], "Identity", side="left", heads=3, dtype="float16", length=33),
    "bert-short-older-note": lambda folder: save_older(folder, "Bert", ["LABEL_0"], "Identity", length=17),
    "roberta-reranker": lambda folder: save(folder, "Roberta", ["LABEL_0"], type_vocab_size=1, pieces=roberta_pieces),
    "xlm-roberta-left-bfloat16-shards": lambda folder: save(
        folder, "XLMRoberta", ["LABEL_0"], side="left", heads=3, type_vocab_size=1, dtype="bfloat16", shard="20KB", length=24,
        pieces=unigram_pieces),
    "deberta-verdicts": lambda folder: save(folder, "DebertaV2", VERDICTS, type_vocab_size=2, length=63, pieces=deberta_pieces),
    "distilbert-verdicts-softmax": lambda folder: save(folder, "DistilBert", VERDICTS, "Softmax", length=63),
    "mpnet-older-note": lambda folder: save_older(folder, "MPNet", ["no", "yes"], "Sigmoid", length=33),
}
