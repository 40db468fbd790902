"""Proves that `ingot embed` computes what PyTorch computes.

usage: embed_torch.py MODEL_DIR IN.jsonl OUT.npy

Embeds the "text" of every line with Hugging Face's BertModel in fp32 and writes one float32 row per line.
"""
import sys
from pathlib import Path

import numpy as np

from reference_encoder import ReferenceEncoder, embed, load_tokenizer, read_texts


def main(model: str, inputs: str, output: str) -> None:
    """Embeds a file."""
    rows = embed(ReferenceEncoder(model), load_tokenizer(Path(model)), read_texts(inputs))
    np.save(output, rows)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
