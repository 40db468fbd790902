"""Saves all-MiniLM-L6-v2 again with today's sentence-transformers: what the folder says of the model, and what the library makes of it.

usage: PYTHONPATH=.build-oracle-st6.2 .build-oracle/bin/python scripts/oracles/save_minilm_again.py MODEL_DIR OUT_DIR

Writes the describing files that save() wrote, without the weights, vocab.txt and tokenizer.json, and `vectors.npy`: encode() of the folder as
it was saved, float32, one row for each line of sentences.jsonl that LINES picks, one text per batch. Fails if what is left out is not as in
MODEL_DIR, but for the positions' numbers and one key of tokenizer.json, which MiniLMSavedAgainTests adds. Same output on every run.
"""
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", TOKENIZERS_PARALLELISM="false")

import numpy as np
from safetensors.numpy import load_file
from sentence_transformers import SentenceTransformer

from text_model_parts import embed

SENTENCES = Path(__file__).resolve().parents[2] / "Tests/InteropTests/Fixtures/sentences.jsonl"
LINES = slice(6, None, 12)
LEFT_OUT = ["model.safetensors", "vocab.txt", "tokenizer.json"]
DROPPED = {"embeddings.position_ids"}  # numbers 0 to 511, which older versions saved with the weights


def compare(model: Path, saved: Path) -> None:
    """Stops if the files left out are others than the model's own."""
    before, after = load_file(model / LEFT_OUT[0]), load_file(saved / LEFT_OUT[0])
    assert set(before) - set(after) == DROPPED and not set(after) - set(before), set(before) ^ set(after)
    assert all(before[name].tobytes() == after[name].tobytes() for name in after)
    assert (model / LEFT_OUT[1]).read_bytes() == (saved / LEFT_OUT[1]).read_bytes()
    before, after = (json.loads((folder / LEFT_OUT[2]).read_text(encoding="utf-8")) for folder in (model, saved))
    before["truncation"]["direction"] = "Right"
    assert before == after


def main(model: Path, out: Path) -> None:
    """Saves, compares and copies."""
    texts = [json.loads(line)["text"] for line in SENTENCES.read_text(encoding="utf-8").splitlines()][LINES]
    with tempfile.TemporaryDirectory() as place:
        saved = Path(place) / "saved"
        SentenceTransformer(str(model), device="cpu").save(str(saved), create_model_card=False)
        compare(model, saved)
        shutil.rmtree(out, ignore_errors=True)
        for path in sorted(path for path in saved.rglob("*") if path.is_file() and path.name not in LEFT_OUT):
            target = out / path.relative_to(saved)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
        np.save(out / "vectors.npy", embed(saved, texts))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
