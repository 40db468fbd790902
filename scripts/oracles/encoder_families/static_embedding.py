"""sentence-transformers' StaticEmbedding: the mean of a table's rows, and modules behind it."""
import json

import numpy as np

from encoder_parts import judge, texts, word_pieces


def rows(count: int, width: int, dtype: str = "float32") -> np.ndarray:
    """A table of random rows of different lengths."""
    chance = np.random.default_rng([count, width])
    values = chance.standard_normal((count, width)) * chance.uniform(0.2, 3, (count, 1))
    return values.astype(dtype)


def static(folder, width: int = 24, dtype: str = "float32", modules=(), limit: int | None = None, prompts=None, **save):
    """A StaticEmbedding and modules behind it."""
    import torch
    from sentence_transformers import SentenceTransformer, models

    tokenizer = word_pieces().backend_tokenizer
    if limit:
        tokenizer.enable_truncation(limit, direction="left")
    table = torch.from_numpy(rows(tokenizer.get_vocab_size(), width)).to(getattr(torch, dtype))
    table = models.StaticEmbedding(tokenizer, embedding_weights=table)
    whole = SentenceTransformer(modules=[table, *(make() for make in modules)], device="cpu", prompts=prompts, **save)
    whole.save(str(folder), create_model_card=False)
    return {"ids": ids, "vectors": vectors}


def vectors(folder) -> np.ndarray:
    """encode() of every text, computed in float32 from the stored numbers."""
    encoded = judge(folder).float().encode(texts(), batch_size=1, show_progress_bar=False)
    return np.asarray(encoded, dtype=np.float32)


def ids(folder) -> list[list[int]]:
    """Token ids of every text, the prompt's too."""
    model = judge(folder)
    prompt = model.prompts.get(model.default_prompt_name or "", "")
    return [model[0].preprocess([prompt + text])["input_ids"].tolist() for text in texts()]


def dense():
    """A layer to another width."""
    import torch
    from sentence_transformers import models

    return models.Dense(24, 16, activation_function=torch.nn.Tanh())


def normalize():
    """Vectors of length 1."""
    from sentence_transformers import models

    return models.Normalize()


def old(folder):
    """As up to sentence-transformers 5.3: the class's old name."""
    judge = static(folder, width=17)
    path = folder / "modules.json"
    modules = json.loads(path.read_text(encoding="utf-8"))
    modules[0]["type"] = "sentence_transformers.models.StaticEmbedding"
    path.write_text(json.dumps(modules, indent=2), encoding="utf-8")
    return judge


CASES = {
    "static-plain": static,
    "static-dense-normalize": lambda folder: static(folder, modules=(dense, normalize)),
    "static-half-cut-left": lambda folder: static(folder, width=33, dtype="float16", limit=9),
    "static-prompt": lambda folder: static(
        folder, width=8, prompts={"query": "find: ", "passage": ""}, default_prompt_name="query", truncate_dim=5),
    "static-old-name": old,
}
