"""Writes encoders of random weights at the shapes of published models, with tokenizers of their sizes.

usage: make_real_encoders.py OUT_DIR [NAME…]

Each library saves its own: sentence-transformers the text encoders, transformers SigLIP, OpenCLIP MobileCLIP. Shapes are those of the
models' published config.json. Pieces of the tokenizers are syllables in every order, so that reading them costs what reading
the published ones costs; what they cut a text into means nothing. A model that is there is left as it is. Some 5 GB in all.
"""
import itertools
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from encoder_parts import numbered, read_by, seed

SYLLABLES = [first + second for first in "bcdfghjklmnpqrstvwxz" for second in "aeiou"]


def words(count: int) -> list[str]:
    """The first of all words of one to four syllables, short ones first."""
    every = itertools.chain.from_iterable(itertools.product(SYLLABLES, repeat=length) for length in range(1, 5))
    return ["".join(word) for word in itertools.islice(every, count)]


def word_pieces(size: int):
    """BERT's WordPiece vocabulary: letters, then words and their continuations."""
    from transformers import BertTokenizerFast

    letters = [chr(letter) for letter in range(33, 127) if not chr(letter).isupper()]
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    pieces = [*special, *letters, *("##" + letter for letter in letters)]
    pieces += [mark + word for word in words(size) for mark in ("", "##")][:size - len(pieces)]
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / "vocab.txt").write_text("\n".join(pieces) + "\n", encoding="utf-8")
        return BertTokenizerFast.from_pretrained(place, model_max_length=512)


def mpnet_pieces(size: int):
    """MPNet's: BERT's pieces between RoBERTa's special tokens."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    pieces = ["<s>", "<pad>", "</s>", *list(word_pieces(size - 4).get_vocab()), "<mask>"]
    backend = Tokenizer(models.WordPiece(numbered(pieces), unk_token="[UNK]"))
    backend.normalizer, backend.pre_tokenizer = normalizers.BertNormalizer(lowercase=True), pre_tokenizers.BertPreTokenizer()
    backend.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), True, False)
    return read_by("MPNetTokenizerFast", backend, 512)


def unigram_pieces(size: int):
    """XLM-RoBERTa's Unigram: 250,002 pieces with scores."""
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

    letters = [chr(letter) for letter in range(33, 127)]
    pieces = ["▁", *letters, *(mark + word for word in words(size) for mark in ("", "▁"))][:size - 5]
    table = [(token, 0.0) for token in ("<s>", "<pad>", "</s>", "<unk>")]
    table += [(piece, -3 - float(np.log1p(place))) for place, piece in enumerate(pieces)] + [("<mask>", 0.0)]
    backend = Tokenizer(models.Unigram(table, unk_id=3, byte_fallback=False))
    backend.normalizer, backend.decoder = normalizers.Replace(" {2,}", " "), decoders.Metaspace()
    backend.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    backend.post_processor = processors.TemplateProcessing("<s> $A </s>", "<s> $A </s> </s> $B </s>", [("<s>", 0), ("</s>", 2)])
    return read_by("XLMRobertaTokenizerFast", backend, 512)


def pairs(alphabet: list[str], size: int) -> tuple[list[str], list[tuple[str, str]]]:
    """Byte pairs: letters to syllables, syllables to words."""
    merges = [(word[0], word[1]) for word in SYLLABLES]
    merges += [(word[:-2], word[-2:]) for word in words(size)[len(SYLLABLES):size - len(alphabet)]]
    return alphabet + ["".join(pair) for pair in merges], merges


def qwen_pieces(size: int):
    """Qwen's byte pairs, <|endoftext|> behind a text."""
    from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

    from encoder_parts import QWEN_PATTERN

    pieces, merges = pairs(sorted(pre_tokenizers.ByteLevel.alphabet()), size - 3)
    backend = Tokenizer(models.BPE(vocab=numbered(pieces), merges=merges))
    backend.normalizer = normalizers.NFC()
    backend.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(QWEN_PATTERN), "isolated", False),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    backend.add_special_tokens([AddedToken(token, normalized=False) for token in ("<|endoftext|>", "<|im_start|>", "<|im_end|>")])
    end = backend.token_to_id("<|endoftext|>")
    backend.post_processor = processors.TemplateProcessing("$A <|endoftext|>", None, [("<|endoftext|>", end)])
    return read_by("Qwen2TokenizerFast", backend, 512, eos_token="<|im_end|>", padding_side="left")


def gemma_pieces(size: int):
    """Gemma's byte pairs of characters, bytes for what is missing, <bos> and <eos> around a text."""
    from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers, processors

    special = ["<pad>", "<eos>", "<bos>", "<unk>", "<mask>"]
    alphabet = special + [f"<0x{byte:02X}>" for byte in range(256)] + ["▁", *(chr(letter) for letter in range(33, 127))]
    pieces, merges = pairs(alphabet, size)
    backend = Tokenizer(models.BPE(vocab=numbered(pieces), merges=merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    backend.normalizer = normalizers.Replace(" ", "▁")
    backend.pre_tokenizer = pre_tokenizers.Split(" ", "merged_with_previous", False)
    backend.add_special_tokens([AddedToken(token, normalized=False) for token in special])
    backend.post_processor = processors.TemplateProcessing("<bos> $A <eos>", None, [("<bos>", 2), ("<eos>", 1)])
    return read_by("GemmaTokenizerFast", backend, 512, add_bos_token=True, add_eos_token=True)


def save(folder: Path, model, tokenizer, pooling: str = "mean", dtype: str = "float32", behind=()) -> None:
    """A transformer, its pooling and the modules behind it, as any version of sentence-transformers saves them."""
    import torch
    from sentence_transformers import SentenceTransformer, models

    with tempfile.TemporaryDirectory() as place:
        model.save_pretrained(place)
        tokenizer.save_pretrained(place)
        transformer = models.Transformer(place, max_seq_length=512)
        chain = [transformer, models.Pooling(transformer.get_word_embedding_dimension(), pooling_mode=pooling), *behind]
        whole = SentenceTransformer(modules=chain, device="cpu").to(getattr(torch, dtype))
        whole.save(str(folder), create_model_card=False)


def bert(width: int, layers: int, heads: int, tokenizer, pooling: str):
    """A BERT of these shapes."""
    def write(folder: Path) -> None:
        from transformers import BertConfig, BertModel

        config = BertConfig(vocab_size=len(tokenizer()), hidden_size=width, num_hidden_layers=layers, num_attention_heads=heads,
                            intermediate_size=4 * width)
        save(folder, BertModel(config), tokenizer(), pooling)
    return write


def mpnet(folder: Path) -> None:
    """all-mpnet-base-v2."""
    from transformers import MPNetConfig, MPNetModel

    save(folder, MPNetModel(MPNetConfig(vocab_size=30527, max_position_embeddings=514)), mpnet_pieces(30527))


def qwen3(folder: Path) -> None:
    """Qwen3-Embedding 0.6B, in bfloat16 as published."""
    from transformers import Qwen3Config, Qwen3Model

    config = Qwen3Config(vocab_size=151669, hidden_size=1024, num_hidden_layers=28, num_attention_heads=16, num_key_value_heads=8,
                         head_dim=128, intermediate_size=3072, max_position_embeddings=32768, rope_theta=1_000_000,
                         tie_word_embeddings=True)
    save(folder, Qwen3Model(config), qwen_pieces(151669), "lasttoken", "bfloat16")


def gemma3(folder: Path) -> None:
    """EmbeddingGemma 300M: two Dense modules behind the pooling."""
    from sentence_transformers import models
    from transformers import Gemma3TextConfig, Gemma3TextModel

    config = Gemma3TextConfig(vocab_size=262144, hidden_size=768, num_hidden_layers=24, num_attention_heads=3, num_key_value_heads=1,
                              head_dim=256, intermediate_size=1152, max_position_embeddings=2048, sliding_window=512,
                              use_bidirectional_attention=True, query_pre_attn_scalar=256)
    dense = [models.Dense(768, 3072, bias=False, activation_function=None), models.Dense(3072, 768, bias=False, activation_function=None)]
    save(folder, Gemma3TextModel(config), gemma_pieces(262144), behind=[*dense, models.Normalize()])


def siglip(folder: Path) -> None:
    """SigLIP 2 base with images of 224 × 224; its tokenizer is Gemma's."""
    from transformers import SiglipConfig, SiglipImageProcessor, SiglipModel

    config = SiglipConfig(text_config={"vocab_size": 256000, "max_position_embeddings": 64}, vision_config={"image_size": 224})
    SiglipModel(config).eval().save_pretrained(folder)
    SiglipImageProcessor(size={"height": 224, "width": 224}).save_pretrained(folder)
    gemma_pieces(256000).save_pretrained(folder)


def mobileclip(folder: Path) -> None:
    """MobileCLIP 2 S0, whose towers are those of MobileCLIP S0, as OpenCLIP trains it: with branches."""
    import open_clip
    from safetensors.torch import save_file

    model = open_clip.create_model("MobileCLIP2-S0").eval()
    folder.mkdir()
    save_file({name: tensor.contiguous() for name, tensor in model.state_dict().items()}, folder / "open_clip_model.safetensors")
    preprocess = {"mean": [0.0] * 3, "std": [1.0] * 3, "interpolation": "bilinear", "resize_mode": "shortest"}
    config = {"model_cfg": open_clip.get_model_config("MobileCLIP2-S0"), "preprocess_cfg": preprocess}
    (folder / "open_clip_config.json").write_text(json.dumps(config, indent=2), encoding="utf-8")
    writer = Path(__file__).parent / "make_clip_tokenizer.py"
    subprocess.run([sys.executable, writer, folder / "tokenizer.json"], check=True)


MODELS = {
    "bge-small": bert(384, 12, 12, lambda: word_pieces(30522), "cls"),
    "bge-base": bert(768, 12, 12, lambda: word_pieces(30522), "cls"),
    "multilingual-e5-small": bert(384, 12, 12, lambda: unigram_pieces(250_002), "mean"),
    "all-mpnet-base": mpnet, "embeddinggemma-300m": gemma3, "qwen3-embedding-0.6b": qwen3,
    "siglip2-base": siglip, "mobileclip2-s0": mobileclip,
}


def main(out: Path, names: list[str]) -> None:
    """The models that are not there yet."""
    out.mkdir(parents=True, exist_ok=True)
    for name in names or MODELS:
        if (out / name).exists():
            continue
        seed(name)
        unfinished = out / f"{name}.unfinished"
        shutil.rmtree(unfinished, ignore_errors=True)
        MODELS[name](unfinished)
        unfinished.rename(out / name)


if __name__ == "__main__":
    if len(sys.argv) < 2 or not set(sys.argv[2:]) <= set(MODELS):
        sys.exit(__doc__)
    main(Path(sys.argv[1]), sys.argv[2:])
