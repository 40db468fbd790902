"""Folders of model2vec: the mean of rows, weighed by token, some merged, unknown tokens left out."""
import functools
import json

import numpy as np

from encoder_families.static_embedding import rows
from encoder_parts import gemma_pieces, texts, unigram_pieces, word_pieces


@functools.cache
def library(folder):
    """The model as model2vec loads it."""
    from model2vec import StaticModel

    return StaticModel.from_pretrained(folder)


def ids(folder) -> list[list[int]]:
    """Token ids of every text, cut, with the unknown ones: the graph leaves those out."""
    model = library(folder)
    limit = model.max_length
    model._set_max_length_in_tokenizer(limit)
    cut = [text if limit is None else text[: limit * model.median_token_length] for text in texts()]
    return [model.tokenizer.encode(text, add_special_tokens=False).ids for text in cut]


def vectors(folder) -> np.ndarray:
    """encode() of every text, computed in float32 from the stored numbers."""
    model = library(folder)
    if model.embedding.dtype == np.float16:
        model.embedding = model.embedding.astype(np.float32)
    return np.stack([model.encode(text) for text in texts()]).astype(np.float32)


def table(folder, width: int = 24, dtype: str = "float32", merged: int | None = None, weighed: bool = False,
          limit: int | None = 512, normalize: bool = True, config: dict | None = None, pieces=word_pieces):
    """A model with a table of `merged` rows, or one for each token."""
    from model2vec import StaticModel

    tokenizer = pieces().backend_tokenizer
    count = tokenizer.get_vocab_size()
    chance = np.random.default_rng(width)
    values = rows(merged or count, width)
    if dtype == "int8":
        values = np.round(values * 30).clip(-127, 127)
    stated = {"model_type": "model2vec", "architectures": ["StaticModel"], "tokenizer_name": "small", "apply_pca": width,
              "sif_coefficient": 1e-4, "hidden_dim": width, "seq_length": 1000000, "normalize": normalize, "pooling": "mean"}
    model = StaticModel(
        values.astype(dtype), tokenizer, config=stated if config is None else config, normalize=normalize, max_length=limit,
        weights=chance.uniform(0.1, 2, count) if weighed else None,
        token_mapping=chance.integers(0, merged, count) if merged else None)
    model.save_pretrained(folder)
    return {"ids": ids, "vectors": vectors}


def old(folder):
    """As model2vec 0.3 wrote it: no limit in the file, modules.json without what came later."""
    judge = table(folder, width=19)
    path = folder / "config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    del config["max_length"], config["pooling"], config["embedding_dtype"]
    config["apply_zipf"] = True
    path.write_text(json.dumps(config), encoding="utf-8")
    return judge


CASES = {
    "model2vec-plain": table,
    "model2vec-merged-weighed": lambda folder: table(folder, width=16, merged=61, weighed=True),
    "model2vec-int8-raw": lambda folder: table(folder, width=33, dtype="int8", normalize=False),
    "model2vec-half-short": lambda folder: table(folder, width=8, dtype="float16", weighed=True, limit=7),
    "model2vec-unlimited-unnamed": lambda folder: table(folder, width=12, limit=None, config={}),
    "model2vec-byte-pairs": lambda folder: table(folder, width=10, pieces=gemma_pieces),
    "model2vec-unigram-merged": lambda folder: table(folder, width=10, merged=300, weighed=True, pieces=unigram_pieces),
    "model2vec-0.3": old,
}
