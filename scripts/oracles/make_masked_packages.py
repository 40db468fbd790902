"""Makes tiny packages as today's transformers and coremltools convert them, whose attention masks hold -inf.

usage: make_masked_packages.py OUT_DIR

Writes OUT_DIR/NAME-TARGET-PRECISION[-int8|-palette8].mlpackage for random BERT and DistilBERT encoders with default
attention, OUT_DIR/refused-*.mlpackage for what no package can be made of, tokenizer.json, sentences.jsonl, and
NAME.npz: input_ids and attention_mask [sentences, length] in int32, embedding [sentences, hidden] in float32, as PyTorch
computes it.
"""
import json
import logging
import os
import sys
from pathlib import Path

os.environ.setdefault("TQDM_DISABLE", "1")

import coremltools as ct
import coremltools.optimize.coreml as cto
import numpy as np
import torch
from tokenizers import Tokenizer
from transformers import BertConfig, BertModel, DistilBertConfig, DistilBertModel

LENGTH, SEED = 64, 11
SENTENCES = ["a", "a cat", "the quick brown fox jumps", "zz top", "hello world again and again", "x y z",
             "one text that is longer than all of the other ones here are"]
CONVERSIONS = [("iOS16", "FLOAT16"), ("iOS16", "FLOAT32"), ("iOS18", "FLOAT16")]


def tokenizer() -> dict:
    """A tokenizer of single letters."""
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    letters = [chr(code) for code in range(ord("a"), ord("z") + 1)]
    vocabulary = {token: index for index, token in enumerate(special + letters + ["##" + each for each in letters])}
    ends = {name: {"id": name, "ids": [vocabulary[name]], "tokens": [name]} for name in ("[CLS]", "[SEP]")}
    piece = [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
             {"SpecialToken": {"id": "[SEP]", "type_id": 0}}]
    pair = [*piece, {"Sequence": {"id": "B", "type_id": 1}}, {"SpecialToken": {"id": "[SEP]", "type_id": 1}}]
    return {
        "version": "1.0", "truncation": None, "padding": None,
        "added_tokens": [{"id": vocabulary[name], "content": name, "single_word": False, "lstrip": False,
                          "rstrip": False, "normalized": False, "special": True} for name in special],
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                       "strip_accents": None, "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "TemplateProcessing", "single": piece, "pair": pair, "special_tokens": ends},
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100, "vocab": vocabulary},
    }


class SentenceEncoder(torch.nn.Module):
    """An encoder, the mean over the tokens of the mask, length one."""

    def __init__(self, encoder: torch.nn.Module):
        super().__init__()
        self.encoder = encoder.eval()

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        """[rows, length] ids and mask to [rows, hidden]."""
        states = self.encoder(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        weights = attention_mask.unsqueeze(-1).float()
        pooled = (states * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=1e-9)
        return torch.nn.functional.normalize(pooled, p=2, dim=1)


def encoders() -> dict[str, torch.nn.Module]:
    """Random weights; default attention, but for the one that says so."""
    torch.manual_seed(SEED)
    bert = {"vocab_size": 57, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4,
            "intermediate_size": 64, "max_position_embeddings": LENGTH}
    distil = DistilBertConfig(vocab_size=57, dim=32, n_layers=2, n_heads=4, hidden_dim=64,
                              max_position_embeddings=LENGTH)
    return {"bert": BertModel(BertConfig(**bert)), "distilbert": DistilBertModel(distil),
            "refused-eager": BertModel(BertConfig(**bert, attn_implementation="eager"))}


def convert(traced, target: str, precision: str):
    """A package of one input length."""
    inputs = [ct.TensorType(name=name, shape=(1, LENGTH), dtype=np.int32) for name in ("input_ids", "attention_mask")]
    return ct.convert(traced, inputs=inputs, outputs=[ct.TensorType(name="embedding")], convert_to="mlprogram",
                      minimum_deployment_target=getattr(ct.target, target),
                      compute_precision=getattr(ct.precision, precision), skip_model_load=True)


def compressed(package):
    """Names and packages with compressed weights; what has few elements stays as it is."""
    linear = cto.OpLinearQuantizerConfig(mode="linear_symmetric", weight_threshold=100)
    palette = cto.OpPalettizerConfig(mode="uniform", nbits=8, weight_threshold=100)
    yield "int8", cto.linear_quantize_weights(package, cto.OptimizationConfig(global_config=linear))
    yield "palette8", cto.palettize_weights(package, cto.OptimizationConfig(global_config=palette))


def write_expected(folder: Path, name: str, encoder: torch.nn.Module) -> None:
    """What PyTorch computes."""
    reader = Tokenizer.from_file(str(folder / "tokenizer.json"))
    rows = [reader.encode(text).ids for text in SENTENCES]
    ids = np.array([row + [0] * (LENGTH - len(row)) for row in rows], dtype=np.int32)
    mask = np.array([[1] * len(row) + [0] * (LENGTH - len(row)) for row in rows], dtype=np.int32)
    embedding = encoder(torch.from_numpy(ids).long(), torch.from_numpy(mask).long()).numpy().astype(np.float32)
    np.savez(folder / f"{name}.npz", input_ids=ids, attention_mask=mask, embedding=embedding)


@torch.inference_mode()
def main(folder: Path) -> None:
    """Makes everything."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer()))
    (folder / "sentences.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in SENTENCES))
    ids = torch.ones((1, LENGTH), dtype=torch.int64)
    for name, module in encoders().items():
        encoder = SentenceEncoder(module)
        write_expected(folder, name, encoder)
        traced = torch.jit.trace(encoder, (ids, ids))
        for target, precision in CONVERSIONS[:1] if name.startswith("refused") else CONVERSIONS:
            package = convert(traced, target, precision)
            stem = f"{name}-{target}-{precision}"
            package.save(str(folder / f"{stem}.mlpackage"))
            if precision == "FLOAT16" and not name.startswith("refused"):
                for suffix, small in compressed(package):
                    small.save(str(folder / f"{stem}-{suffix}.mlpackage"))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    logging.disable(logging.WARNING)
    main(Path(sys.argv[1]))
