"""Text embeddings of a CLIP folder as transformers makes them, cut where its tokenizer says.

usage: embed_clip.py FOLDER INPUTS.jsonl OUT.npy

Each text is embedded alone, with `truncation=True` and no length given, so that `model_max_length` of the tokenizer
counts. Writes rows of length 1 in float32.
"""
import json
import sys
from pathlib import Path

import numpy as np
import torch
from transformers import AutoTokenizer, CLIPModel


def main(folder: str, inputs: Path, output: str) -> None:
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = CLIPModel.from_pretrained(folder).eval()
    rows = []
    for line in inputs.read_text(encoding="utf-8").splitlines():
        ids = tokenizer(json.loads(line)["text"], truncation=True, return_tensors="pt")
        with torch.no_grad():
            row = model.get_text_features(input_ids=ids["input_ids"], attention_mask=ids["attention_mask"])[0]
        rows.append((row / row.norm()).numpy())
    np.save(output, np.stack(rows).astype(np.float32))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3])
