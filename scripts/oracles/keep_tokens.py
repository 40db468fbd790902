"""Opens a compressed model with fewer tokens in the library: FILE.safetensors TEXTS.jsonl IDS.json VECTORS.npy

The file's texts become a folder again, its tensors a model.safetensors. Compares with Ingot's ids and vectors of the texts the
pieces by `tokenizers` from tokenizer.json alone, and the ids and vectors by sentence-transformers. Prints the number of texts with
other ids of either, and the smallest cosine, as JSON.
"""
import json
import os
import sys
import tempfile
from pathlib import Path

os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", TOKENIZERS_PARALLELISM="false")

import numpy as np
from safetensors import safe_open
from safetensors.numpy import save_file

from read_compressed import read


def unpack(path: str, folder: Path) -> Path:
    """The folder that a compressed model was made from, with its own tensors; returns the transformer's part."""
    with safe_open(path, framework="numpy") as file:
        files = json.loads(file.metadata()["ingot.files"])
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    first = folder / json.loads(files["modules.json"])[0]["path"]
    tensors = {name: np.ascontiguousarray(values, dtype=np.float32) for name, values in read(path).items()}
    save_file(tensors, first / "model.safetensors", metadata={"format": "pt"})
    return first


def opened(folder: Path, transformer: Path):
    """The model by sentence-transformers; its modules are put together here, since older versions do not read newer folders."""
    import torch
    from sentence_transformers import SentenceTransformer, models

    config = json.loads((folder / "1_Pooling/config.json").read_text())
    first = models.Transformer(str(transformer), model_args={"torch_dtype": torch.float32})
    pooling = models.Pooling(first.get_word_embedding_dimension(), pooling_mode=config["pooling_mode"])
    return SentenceTransformer(modules=[first, pooling], device="cpu").eval()


def main(path: str, texts_path: str, ids_path: str, vectors_path: str) -> None:
    """Compares, and prints what differs."""
    from tokenizers import Tokenizer

    texts = [json.loads(line)["text"] for line in Path(texts_path).read_text(encoding="utf-8").splitlines()]
    ids = json.loads(Path(ids_path).read_text())
    ours = np.load(vectors_path).astype(np.float64)
    with tempfile.TemporaryDirectory() as place:
        first = unpack(path, Path(place))
        bare = Tokenizer.from_file(str(first / "tokenizer.json"))
        bare.no_padding()
        model = opened(Path(place), first)
        bare.enable_truncation(model.max_seq_length)
        other = sum(bare.encode(text).ids != own for text, own in zip(texts, ids, strict=True))
        tokenize = getattr(model, "preprocess", model.tokenize)
        library = sum(tokenize([text])["input_ids"][0].tolist() != own for text, own in zip(texts, ids, strict=True))
        theirs = np.asarray(model.encode(texts, batch_size=1, show_progress_bar=False), dtype=np.float64)
    lengths = np.linalg.norm(ours, axis=1) * np.linalg.norm(theirs, axis=1)
    cosines = (ours * theirs).sum(axis=1) / np.maximum(lengths, 1e-30)
    print(json.dumps({"otherTokenizers": other, "otherLibrary": library, "cosine": float(cosines.min())}))


if __name__ == "__main__":
    main(*sys.argv[1:])
