"""A sentence encoder as PyTorch runs it: the shared part of the oracles that compare with Ingot.

Reads a folder in sentence-transformers layout without the sentence-transformers package.
"""
import json
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from transformers import BertModel, logging

logging.set_verbosity_error()

FINITE_MASK = -1e4  # a mask of -inf turns to NaN in fp16


def read_texts(path: str | Path) -> list[str]:
    """The "text" of every JSON line, in order."""
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in lines if line.strip("\n")]


def read_pairs(path: str | Path) -> list[dict]:
    """Every reference pair of a JSON lines file."""
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def ranks(values: np.ndarray) -> np.ndarray:
    """Average ranks."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[inverse]


def load_tokenizer(folder: Path, max_length: int | None = None) -> Tokenizer:
    """tokenizer.json with its own truncation and padding replaced by the sentence encoder's length."""
    settings = folder / "sentence_bert_config.json"
    if max_length is None:
        max_length = json.loads(settings.read_text())["max_seq_length"]
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_length)
    return tokenizer


def padded(rows: list[list[int]]) -> tuple[torch.Tensor, torch.Tensor]:
    """Token ids and mask, [rows, longest]; padding is id 0."""
    longest = max(len(row) for row in rows)
    ids = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
    mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows])
    return ids, mask


class ReferenceEncoder(torch.nn.Module):
    """Token ids and mask to one embedding per row: BERT, pooling, normalisation as modules.json says."""

    def __init__(self, folder: str | Path):
        super().__init__()
        folder = Path(folder)
        modules = json.loads((folder / "modules.json").read_text())
        kinds = {module["type"].rsplit(".", 1)[-1]: module["path"] for module in modules}
        unknown = set(kinds) - {"Transformer", "Pooling", "Normalize"}
        if unknown:
            raise ValueError(f"modules.json: unknown modules {sorted(unknown)}")
        pooling = json.loads((folder / kinds["Pooling"] / "config.json").read_text())
        self.pooling = next(name for name in ("mean_tokens", "cls_token", "max_tokens") if pooling.get(f"pooling_mode_{name}"))
        self.normalize = "Normalize" in kinds
        self.bert = BertModel.from_pretrained(
            folder, dtype=torch.float32, attn_implementation="eager", add_pooling_layer=False).eval()

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """[rows, length] ids and mask to [rows, hidden]."""
        return self.pool(self.bert(input_ids=ids, attention_mask=mask).last_hidden_state, mask)

    def pool(self, states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """[rows, length, hidden] to [rows, hidden]."""
        weights = mask.unsqueeze(-1).to(states.dtype)
        if self.pooling == "cls_token":
            pooled = states[:, 0]
        elif self.pooling == "max_tokens":
            pooled = (states + (1 - weights) * FINITE_MASK).max(dim=1).values
        else:
            pooled = (states * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=1e-9)
        return torch.nn.functional.normalize(pooled, dim=-1) if self.normalize else pooled


class ExportableEncoder(torch.nn.Module):
    """The same network with an additive finite mask and no branches: what exporters can trace."""

    def __init__(self, encoder: ReferenceEncoder):
        super().__init__()
        self.encoder = encoder

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """[rows, length] ids and mask to [rows, hidden]."""
        bert = self.encoder.bert
        additive = (1.0 - mask.to(torch.float32)).unsqueeze(1).unsqueeze(1) * FINITE_MASK
        states = bert.encoder(bert.embeddings(input_ids=ids), attention_mask=additive)[0]
        return self.encoder.pool(states, mask)


@torch.inference_mode()
def embed(encoder: torch.nn.Module, tokenizer: Tokenizer, texts: list[str], batch: int = 32) -> np.ndarray:
    """One float32 row per text, in the order of the texts; batches are sorted by length."""
    rows = [encoding.ids for encoding in tokenizer.encode_batch(texts)]
    order = sorted(range(len(rows)), key=lambda index: len(rows[index]))
    parts = [encoder(*padded([rows[index] for index in order[start:start + batch]])) for start in range(0, len(order), batch)]
    sorted_rows = torch.cat(parts).numpy().astype(np.float32)
    result = np.empty_like(sorted_rows)
    result[order] = sorted_rows
    return result
