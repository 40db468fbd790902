"""Writes a BERT of random weights that Ingot opens, of any size, a piece of a tensor at a time.

usage: make_bert.py OUT_DIR tiny|unique|7gb

tiny: 2 layers of width 96, for checks in seconds. unique: the same with few distinct values, which a palette holds
without loss: 3 in the query matrices, up to 15 in the key matrices, fewer than 256 elsewhere. 7gb: 24 layers of width
2,048 with a table of 250,002 tokens, 6.9 GB in float32, the largest tensor 2.05 GB. Weights are normal, of the spread
trained ones have, and one in 4,096 is ten times as large, as trained ones have outliers. Every number is drawn, none
left out: the file is not sparse. The same numbers on every run. The folder has no tokenizer: the model can be compressed, and not run on texts.
"""
import json
import sys
from pathlib import Path

import numpy as np

SIZES = {
    "tiny": {"hidden_size": 96, "intermediate_size": 384, "num_hidden_layers": 2, "num_attention_heads": 4,
             "vocab_size": 512, "max_position_embeddings": 64},
    "7gb": {"hidden_size": 2048, "intermediate_size": 8192, "num_hidden_layers": 24, "num_attention_heads": 32,
            "vocab_size": 250002, "max_position_embeddings": 512},
}
SIZES["unique"] = SIZES["tiny"]
COMMON = {"architectures": ["BertModel"], "model_type": "bert", "hidden_act": "gelu", "layer_norm_eps": 1e-12,
          "pad_token_id": 0, "position_embedding_type": "absolute", "type_vocab_size": 2}
SPREAD, OUTLIERS, FACTOR, PIECE, SEED = 0.045, 4096, 10, 1 << 22, 6


def shapes(config: dict) -> dict[str, list[int]]:
    """Every tensor in the order of the file."""
    hidden, inner = config["hidden_size"], config["intermediate_size"]
    found = {
        "embeddings.word_embeddings.weight": [config["vocab_size"], hidden],
        "embeddings.position_embeddings.weight": [config["max_position_embeddings"], hidden],
        "embeddings.token_type_embeddings.weight": [config["type_vocab_size"], hidden],
        "embeddings.LayerNorm.weight": [hidden], "embeddings.LayerNorm.bias": [hidden],
    }
    linears = {"attention.self.query": [hidden, hidden], "attention.self.key": [hidden, hidden],
               "attention.self.value": [hidden, hidden], "attention.output.dense": [hidden, hidden],
               "intermediate.dense": [inner, hidden], "output.dense": [hidden, inner]}
    for layer in range(config["num_hidden_layers"]):
        prefix = f"encoder.layer.{layer}."
        for name, shape in linears.items():
            found[f"{prefix}{name}.weight"], found[f"{prefix}{name}.bias"] = shape, shape[:1]
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            found[f"{prefix}{name}.weight"], found[f"{prefix}{name}.bias"] = [hidden], [hidden]
    return found


def numbers(name: str, count: int, chance: np.random.Generator, size: str) -> np.ndarray:
    """A piece of a tensor."""
    if name.endswith("LayerNorm.weight"):
        return np.ones(count, dtype=np.float32)
    values = chance.standard_normal(count, dtype=np.float32) * np.float32(SPREAD)
    if size == "unique":
        steps, most = (1, 1) if "query" in name else (2, 7) if "key" in name else (16, 100)
        codes = np.clip(np.rint(values * np.float32(steps / SPREAD)), -most, most)
        return codes * np.float32(SPREAD / steps)
    values[OUTLIERS // 2::OUTLIERS] *= FACTOR
    return values


def write_weights(path: Path, tensors: dict[str, list[int]], size: str) -> None:
    """A safetensors file in float32."""
    header, end = {}, 0
    for name, shape in tensors.items():
        start, end = end, end + 4 * int(np.prod(shape))
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [start, end]}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    chance = np.random.default_rng(SEED)
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for name, shape in tensors.items():
            left = int(np.prod(shape))
            while left:
                values = numbers(name, min(left, PIECE), chance, size)
                file.write(values.tobytes())
                left -= len(values)


def main(output: str, size: str) -> None:
    """Writes the folder and says how large its largest tensor is."""
    folder, config = Path(output), {**COMMON, **SIZES[size]}
    (folder / "1_Pooling").mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config, indent=2))
    modules = [{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
               {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"}]
    (folder / "modules.json").write_text(json.dumps(modules, indent=2))
    pooling = {"word_embedding_dimension": config["hidden_size"], "pooling_mode_cls_token": False,
               "pooling_mode_mean_tokens": True, "pooling_mode_max_tokens": False}
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(pooling, indent=2))
    length = {"max_seq_length": config["max_position_embeddings"], "do_lower_case": False}
    (folder / "sentence_bert_config.json").write_text(json.dumps(length))
    tensors = shapes(config)
    write_weights(folder / "model.safetensors", tensors, size)
    print(json.dumps({"bytes": (folder / "model.safetensors").stat().st_size, "tensors": len(tensors),
                      "largestTensorBytes": max(4 * int(np.prod(shape)) for shape in tensors.values())}))


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[2] not in SIZES:
        sys.exit(__doc__)
    main(*sys.argv[1:])
