"""What the families of make_encoders.py share: texts, random weights, tokenizers, saving, and the library's answers."""
import functools
import json
import os
import tempfile
import zlib
from pathlib import Path

os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", TOKENIZERS_PARALLELISM="false")

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
TEXTS = ROOT / "Tests/InteropTests/Fixtures/text-models/texts.json"
SENTENCES = ROOT / "Tests/InteropTests/Fixtures/sentences.jsonl"


@functools.cache
def texts() -> list[str]:
    """The 200 texts on which encoders disagree."""
    return json.loads(TEXTS.read_text(encoding="utf-8"))


@functools.cache
def corpus() -> list[str]:
    """Texts on which small tokenizers are trained."""
    lines = SENTENCES.read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["text"] for line in lines] + texts()


def seed(name: str) -> None:
    """Makes everything random depend on a name alone."""
    import torch

    torch.manual_seed(zlib.crc32(name.encode()))


def fill(module, number: int = 0, spread: float = 0.3) -> None:
    """Random weights that depend on the name and shape of a tensor alone: gains near 1, the rest around 0."""
    import torch

    with torch.no_grad():
        for name, tensor in module.state_dict().items():
            if tensor.is_floating_point():
                chance = np.random.default_rng([number, zlib.crc32(name.encode())])
                values = chance.standard_normal(tuple(tensor.shape)).astype(np.float32) * np.float32(spread)
                if "norm" in name.lower() and name.endswith("weight"):
                    values += 1
                tensor.copy_(torch.from_numpy(values))


def save_encoder(folder: Path, model, tokenizer, pooling: str = "mean", dtype: str = "float32", length: int | None = None,
                 modules=(), shard: str | None = None, prompts: dict | None = None) -> None:
    """Saves a transformer and its tokenizer with sentence-transformers, as people do: Transformer, Pooling, then modules."""
    import torch
    from sentence_transformers import SentenceTransformer, models

    with tempfile.TemporaryDirectory() as place:
        model.eval().to(getattr(torch, dtype)).save_pretrained(place)
        tokenizer.save_pretrained(place)
        transformer = models.Transformer(place, **({"max_seq_length": length} if length else {}),
                                         model_kwargs={"torch_dtype": getattr(torch, dtype)})
        chain = [transformer, models.Pooling(transformer.get_word_embedding_dimension(), pooling_mode=pooling), *modules]
        whole = SentenceTransformer(modules=chain, device="cpu", prompts=prompts)
        whole.save(str(folder), create_model_card=False)
        if shard:
            for path in folder.glob("model*.safetensors"):
                path.unlink()
            transformer.auto_model.save_pretrained(folder, max_shard_size=shard)


@functools.cache
def judge(folder: Path):
    """The model as sentence-transformers loads it, in float32."""
    import torch
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(folder), device="cpu", model_kwargs={"torch_dtype": torch.float32}).eval()


def judge_ids(folder: Path) -> list[list[int]]:
    """Token ids of every text, alone."""
    model = judge(folder)
    return [model.preprocess([text])["input_ids"][0].tolist() for text in texts()]


def judge_vectors(folder: Path) -> np.ndarray:
    """encode() of every text, alone: float32 [200, width]."""
    return np.asarray(judge(folder).encode(texts(), batch_size=1, show_progress_bar=False), dtype=np.float32)


# Tokenizers, trained on the corpus.

def word_pieces(lowercase: bool = True, length: int = 64):
    """A WordPiece tokenizer as BERT's class reads it; its vocabulary is that of the table of text models."""
    from transformers import BertTokenizerFast

    from text_model_parts import vocabulary

    with tempfile.TemporaryDirectory() as place:
        (Path(place) / "vocab.txt").write_text("\n".join(vocabulary(cased=not lowercase)) + "\n", encoding="utf-8")
        return BertTokenizerFast.from_pretrained(place, do_lower_case=lowercase, model_max_length=length)


@functools.cache
def sentence_pieces(size: int = 1500, rule: str = "nmt_nfkc") -> tuple[list[tuple[str, float]], bytes]:
    """A Unigram model trained with SentencePiece: its pieces with their scores, and its map of characters."""
    import io

    import sentencepiece

    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([text.replace("\n", " ") for text in corpus()]), model_writer=model, vocab_size=size,
        model_type="unigram", normalization_rule_name=rule, num_threads=1, minloglevel=2)
    processor = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    pieces = [(processor.id_to_piece(n), processor.get_score(n)) for n in range(processor.get_piece_size())]
    # Of ways to cut a long run of one character many have the same sum but for rounding, and there tokenizers 0.22 and
    # 0.23 choose in different ways: no piece is such a run.
    pieces = [(piece, score) for piece, score in pieces if len(piece) == 1 or len(set(piece.strip("\u2581"))) != 1
              or len(piece.strip("\u2581")) == 1]
    return pieces, dict(fields(dict(fields(model.getvalue()))[3]))[2]


def fields(message: bytes):
    """The fields of a protobuf message that hold bytes, as (number, content)."""
    place = 0

    def number() -> int:
        nonlocal place
        value = shift = 0
        while True:
            byte = message[place]
            place += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while place < len(message):
        key = number()
        if key & 7 == 2:
            length = number()
            yield key >> 3, message[place:place + length]
            place += length
        elif key & 7 == 0:
            number()
        else:
            place += 8 if key & 7 == 1 else 4


def sentence_piece_class(name: str, head: list[str], tail: list[str], rule: str = "nmt_nfkc", **options):
    """A tokenizer of a class of transformers 5, from pieces between the special ones that the class expects."""
    import transformers

    pieces, charsmap = sentence_pieces(rule=rule)
    vocabulary = [(token, 0.0) for token in head] + pieces[3:] + [(token, 0.0) for token in tail]
    return getattr(transformers, name)(vocab=vocabulary, _spm_precompiled_charsmap=charsmap, **options)


def unigram_pieces(length: int = 64):
    """As XLM-RoBERTa has it, and multilingual BERTs distilled from it."""
    return sentence_piece_class("XLMRobertaTokenizer", ["<s>", "<pad>", "</s>", "<unk>"], ["<mask>"], model_max_length=length)


def camembert_pieces(length: int = 64):
    """As CamemBERT has it."""
    head = ["<s>NOTUSED", "<pad>", "</s>NOTUSED", "<unk>", "<unk>NOTUSED", "<s>", "</s>"]
    return sentence_piece_class("CamembertTokenizer", head, ["<mask>"], model_max_length=length)


def albert_pieces(length: int = 64, lowercase: bool = True):
    """As ALBERT has it."""
    head = ["<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]"]
    return sentence_piece_class("AlbertTokenizer", head, [], model_max_length=length, do_lower_case=lowercase)


def t5_pieces(length: int = 64):
    """As T5 has it, with its hundred extra tokens."""
    tail = [f"<extra_id_{number}>" for number in reversed(range(100))]
    return sentence_piece_class("T5Tokenizer", ["<pad>", "</s>", "<unk>"], tail, model_max_length=length)


def deberta_pieces(length: int = 64, lowercase: bool = False):
    """As DeBERTa v2 and v3 have it."""
    head = ["[PAD]", "[CLS]", "[SEP]", "[UNK]"]
    return sentence_piece_class("DebertaV2Tokenizer", head, ["[MASK]"], model_max_length=length, do_lower_case=lowercase)
