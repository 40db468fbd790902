"""T5's encoder as in sentence-t5 and GTR: relative positions, norms without a mean, a Dense module."""
import json

from encoder_families.qwen3 import normalize
from encoder_parts import fill, save_encoder, t5_pieces, word_pieces


def t5(folder, heads: int = 3, head_width: int = 10, width: int = 24, layers: int = 2, unit: str = "relu",
       buckets: int = 32, farthest: int = 128, dense: bool = True, pieces=word_pieces, **options):
    """A small T5EncoderModel."""
    import torch
    from sentence_transformers import models
    from transformers import T5Config, T5EncoderModel

    tokenizer = pieces()
    config = T5Config(
        vocab_size=len(tokenizer), d_model=width, d_kv=head_width, d_ff=40, num_layers=layers, num_heads=heads,
        feed_forward_proj=unit, relative_attention_num_buckets=buckets, relative_attention_max_distance=farthest)
    model = T5EncoderModel(config)
    fill(model)
    after = models.Dense(width, 20, bias=False, activation_function=torch.nn.Identity())
    fill(after)
    save_encoder(folder, model, tokenizer, modules=(*((after,) if dense else ()), normalize()), **options)


def with_decoder(folder):
    """A checkpoint of the whole T5, decoder included, as older sentence-t5 folders may be."""
    import torch
    from safetensors.torch import load_file, save_file

    t5(folder, heads=2, head_width=8, unit="gated-gelu", buckets=8, farthest=20)
    path = folder / "model.safetensors"
    tensors = load_file(path)
    tensors["encoder.embed_tokens.weight"] = tensors["shared.weight"].clone()
    tensors["decoder.final_layer_norm.weight"] = torch.ones(24)
    tensors["lm_head.weight"] = torch.ones(4, 24)
    save_file(tensors, path, metadata={"format": "pt"})
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    config["n_positions"] = 512
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")


CASES = {
    "t5-relu-dense": t5,
    "t5-gated-decoder": with_decoder,
    "t5-half-odd": lambda folder: t5(
        folder, heads=1, head_width=7, width=17, unit="gated-gelu", dtype="float16", dense=False, pieces=t5_pieces),
    "t5-bfloat16-shards": lambda folder: t5(folder, layers=3, farthest=40, dtype="bfloat16", shard="30KB"),
}
