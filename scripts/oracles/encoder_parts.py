"""What the families of make_encoders.py share: texts, random weights, tokenizers, saving, and the library's answers."""
import collections
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


FILLED = []  # what the numbers of `fill` depend on beside names and shapes: nothing, or a seed


def seed(name: str, number: int = 0) -> None:
    """Makes everything random depend on a name, and on a number that is not 0."""
    import torch

    FILLED[:] = [number] if number else []
    torch.manual_seed(zlib.crc32(name.encode()) + number)


def fill(module, number: int = 0, spread: float = 0.3) -> None:
    """Random weights that depend on the name and shape of a tensor alone: gains near 1, the rest around 0."""
    import torch

    with torch.no_grad():
        for name, tensor in module.state_dict().items():
            if tensor.is_floating_point():
                chance = np.random.default_rng([*FILLED, number, zlib.crc32(name.encode())])
                values = chance.standard_normal(tuple(tensor.shape)).astype(np.float32) * np.float32(spread)
                if "norm" in name.lower() and name.endswith("weight"):
                    values += 1
                tensor.copy_(torch.from_numpy(np.asarray(values)))


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


# Byte-pair tokenizers. Each is a tokenizer.json, read by its class: so both generations of the library make the same of it.

GPT2_SPECIAL = ["<|endoftext|>"]
QWEN_PATTERN = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")


def learned_pairs(splitter, normalizer=None, size: int = 400, alphabet: int | None = None) -> tuple[list[str], list[list[str]]]:
    """Pieces and merges learned from the corpus: those of bytes, or, with an alphabet, of its most frequent characters."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    learner = Tokenizer(models.BPE())
    learner.pre_tokenizer = splitter
    if normalizer:
        learner.normalizer = normalizer
    letters = frequent_characters(normalizer, alphabet) if alphabet else pre_tokenizers.ByteLevel.alphabet()
    learner.train_from_iterator(corpus(), trainers.BpeTrainer(
        vocab_size=size, show_progress=False, initial_alphabet=letters, limit_alphabet=len(letters)))
    model = json.loads(learner.to_str())["model"]
    return sorted(model["vocab"], key=model["vocab"].get), [list(pair) for pair in model["merges"]]


def frequent_characters(normalizer, count: int) -> list[str]:
    """The most frequent characters of the corpus; the trainer's own choice depends on chance where some are as frequent."""
    counts = collections.Counter(letter for text in corpus() for letter in normalizer.normalize_str(text))
    return sorted(counts, key=lambda letter: (-counts[letter], letter))[:count]


def numbered(*lists: list[str]) -> dict[str, int]:
    """Ids in the order of the pieces."""
    return {piece: number for number, piece in enumerate(piece for pieces in lists for piece in pieces)}


def read_by(name: str, backend, length: int, **settings):
    """A tokenizer as a class of transformers reads it from its file."""
    import transformers

    with tempfile.TemporaryDirectory() as place:
        backend.save(str(Path(place) / "tokenizer.json"))
        return getattr(transformers, name).from_pretrained(place, model_max_length=length, **settings)


def byte_pieces(before: list[str], behind: list[str] = [], size: int = 400, add_prefix_space: bool = False,
                normalizer=None, splitter=None, template: tuple[str, str] | None = None):
    """A byte-level tokenizer, its special tokens before or behind the pieces, and a template of ids around a text."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, processors

    splitter = splitter or pre_tokenizers.ByteLevel(add_prefix_space=add_prefix_space)
    pieces, merges = learned_pairs(splitter, normalizer, size)
    vocabulary = numbered(before, pieces)
    backend = Tokenizer(models.BPE(vocab=vocabulary, merges=[tuple(pair) for pair in merges]))
    backend.pre_tokenizer, backend.decoder = splitter, decoders.ByteLevel()
    if normalizer:
        backend.normalizer = normalizer
    backend.add_special_tokens([AddedToken(token, special=True, normalized=False, lstrip="mask" in token.lower())
                                for token in [*before, *behind]])
    if template:
        known = [(token, backend.token_to_id(token)) for token in template if token]
        start, end = (f"{token}:0 " if token else "" for token in template)
        backend.post_processor = processors.TemplateProcessing(f"{start}$A:0 {end}".strip(), None, known)
    return backend


def roberta_pieces(length: int = 64, size: int = 400, add_prefix_space: bool = False):
    """RoBERTa's byte-level tokenizer: <s>, <pad>, </s>, <unk> first, <mask> behind."""
    from tokenizers import processors

    backend = byte_pieces(["<s>", "<pad>", "</s>", "<unk>"], ["<mask>"], size, add_prefix_space)
    backend.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), True, add_prefix_space)
    return read_by("RobertaTokenizerFast", backend, length, add_prefix_space=add_prefix_space)


def gpt2_pieces(length: int = 64, size: int = 400):
    """GPT-2's byte-level tokenizer: no token around a text."""
    return read_by("GPT2TokenizerFast", byte_pieces([], GPT2_SPECIAL, size), length, pad_token="<|endoftext|>")


def deberta_byte_pieces(length: int = 64, size: int = 400):
    """The byte-level tokenizer of DeBERTa's first version."""
    backend = byte_pieces(["[PAD]", "[CLS]", "[SEP]", "[UNK]"], ["[MASK]"], size, template=("[CLS]", "[SEP]"))
    return read_by("DebertaTokenizerFast", backend, length)


def qwen_pieces(length: int = 64, size: int = 400, ends: bool = True):
    """Qwen2's and Qwen3's tokenizer; with <|endoftext|> behind every text as Qwen3-Embedding has it, padded on the left."""
    from tokenizers import Regex, normalizers, pre_tokenizers

    splitter = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(QWEN_PATTERN), "isolated", False),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    backend = byte_pieces([], ["<|endoftext|>", "<|im_start|>", "<|im_end|>"], size, normalizer=normalizers.NFC(),
                          splitter=splitter, template=("", "<|endoftext|>") if ends else None)
    return read_by("Qwen2TokenizerFast", backend, length, eos_token="<|im_end|>", padding_side="left")


def modernbert_pieces(length: int = 64, size: int = 400):
    """ModernBERT's tokenizer, that of OLMo: byte-level in composed form, runs of spaces as added tokens."""
    from tokenizers import AddedToken, normalizers, processors

    backend = byte_pieces(["<|endoftext|>", "<|padding|>"], [], size, normalizer=normalizers.NFC())
    backend.add_tokens([AddedToken(" " * count, normalized=True) for count in range(24, 1, -1)])
    backend.add_tokens([AddedToken("|||EMAIL_ADDRESS|||", normalized=True)])
    backend.add_special_tokens([AddedToken(token, special=True, normalized=False, lstrip=token == "[MASK]")
                                for token in ["[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]"]])
    backend.post_processor = processors.TemplateProcessing(
        "[CLS]:0 $A:0 [SEP]:0", None, [(token, backend.token_to_id(token)) for token in ("[CLS]", "[SEP]")])
    names = {f"{name}_token": f"[{name.upper()}]" for name in ("unk", "cls", "sep", "pad", "mask")}
    return read_by("PreTrainedTokenizerFast", backend, length, **names)


def gemma_pieces(length: int = 64, size: int = 500, ends: bool = True):
    """Gemma's tokenizer: pairs of characters as SentencePiece has them, bytes for what is missing, <bos> and <eos> around
    a text as EmbeddingGemma has them."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

    normalizer = normalizers.Replace(" ", "▁")
    splitter = pre_tokenizers.Split(" ", "merged_with_previous", False)
    words = pre_tokenizers.Split("▁", "merged_with_next", False)  # short words: learning sees no whole sentence
    pieces, merges = learned_pairs(words, normalizer, size, alphabet=120)
    special = ["<pad>", "<eos>", "<bos>", "<unk>", "<mask>"]
    vocabulary = numbered(special, [f"<0x{byte:02X}>" for byte in range(256)], pieces)
    backend = Tokenizer(models.BPE(vocab=vocabulary, merges=[tuple(pair) for pair in merges], unk_token="<unk>",
                                   fuse_unk=True, byte_fallback=True))
    backend.normalizer, backend.pre_tokenizer = normalizer, splitter
    backend.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    backend.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in special])
    behind = " <eos>:0" if ends else ""
    backend.post_processor = processors.TemplateProcessing(f"<bos>:0 $A:0{behind}", None, [("<bos>", 2), ("<eos>", 1)])
    return read_by("GemmaTokenizerFast", backend, length, add_bos_token=True, add_eos_token=ends)


def mpnet_pieces(length: int = 64, lowercase: bool = True):
    """MPNet's tokenizer: BERT's pieces between RoBERTa's special tokens."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

    from text_model_parts import vocabulary

    special = ["<s>", "<pad>", "</s>", "<unk>"]
    pieces = numbered(special, [piece for piece in vocabulary(cased=not lowercase) if piece != "[PAD]"], ["<mask>"])
    backend = Tokenizer(models.WordPiece(pieces, unk_token="[UNK]"))
    backend.normalizer = normalizers.BertNormalizer(lowercase=lowercase)
    backend.pre_tokenizer, backend.decoder = pre_tokenizers.BertPreTokenizer(), decoders.WordPiece()
    backend.add_special_tokens([AddedToken(token, special=True, normalized=False, lstrip=token == "<mask>")
                                for token in [*special, "[UNK]", "<mask>"]])
    backend.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), True, False)
    return read_by("MPNetTokenizerFast", backend, length, do_lower_case=lowercase)


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
