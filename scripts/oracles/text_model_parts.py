"""The small parts of random text encoders: vocabularies, weights, texts, and a folder written by the installed libraries.

Used by make_text_models.py and fuzz_text_models.py, with sentence-transformers 2 to 6 and transformers 4 and 5.
"""
import json
import os
import shutil
import tempfile
import unicodedata
import zlib
from pathlib import Path

os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", TOKENIZERS_PARALLELISM="false")

import numpy as np

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
PIECES = 400
WORDS = (
    "the a is of query passage hello world Hello World The Query HELLO cafe café Café CAFÉ naive naïve Naïve strasse Straße straße "
    "istanbul İstanbul über uber Über model text un ##ing ##able ##ed ##s ##é ##ß ##σ ##ς ##ü ##字 ##文 ##ый"
)
CHARACTERS = "éàüñøßçÉÜÑςσΣΑΟΔασοδйЙияивпрПİıłœæſﬁ中文日本語字漢ひカ한글กअبש€…–“”😀🚀→²½"
SIZES = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32,
         "max_position_embeddings": 64, "vocab_size": PIECES}


def vocabulary(cased: bool) -> list[str]:
    """Every piece in the order of its id; filled up so that all models have tables of one size."""
    letters = [chr(code) for code in range(33, 127)]
    inner = [f"##{letter}" for letter in letters if letter.isalnum()]
    pieces = SPECIAL + letters + inner + list(CHARACTERS) + WORDS.split()
    if not cased:
        pieces = SPECIAL + [plain(piece) for piece in pieces[len(SPECIAL):]]
    pieces = list(dict.fromkeys(piece for piece in pieces if piece))
    return pieces + [f"[unused{index}]" for index in range(PIECES - len(pieces))]


def plain(piece: str) -> str:
    """Lower case, without accents."""
    return "".join(c for c in unicodedata.normalize("NFD", piece.lower()) if unicodedata.category(c) != "Mn")


def fill(module, seed: int) -> None:
    """Random weights that depend on the name and shape of a tensor only, whatever the library."""
    import torch

    with torch.no_grad():
        for name, tensor in module.state_dict().items():
            if tensor.is_floating_point():
                chance = np.random.default_rng([seed, zlib.crc32(name.encode())])
                spread = chance.standard_normal(tuple(tensor.shape)).astype(np.float32) * np.float32(0.4)
                if "LayerNorm.weight" in name or "norm.weight" in name:
                    spread += 1
                tensor.copy_(torch.from_numpy(spread))


def read_texts(path: str | Path) -> list[str]:
    """The texts of texts.json."""
    return json.loads(Path(path).read_text(encoding="utf-8"))


def texts() -> list[str]:
    """200 texts on which encoders disagree."""
    from tricky_strings import CONTROLS, MARKS, PUNCTUATION, SPACES, WORDS as TRICKY

    long = ["the " * 100, "hello world " * 40, "a" * 99, "a" * 100, "a" * 101, "a" * 300, "字" * 90, "x y " * 31, "x y " * 30 + "x",
            "b " * 61, "b " * 62, "b " * 63, "b " * 64, "start " + "the " * 80 + " end", "Ünïcödé " * 20, "😀" * 90, "[MASK] " * 70,
            "un" * 40 + "able", "1234567890" * 12, "... " * 50]
    special = ["", " ", "   ", "\t", "\n", "\u3000", "\u00a0 ", " hello", "hello ", "  hello  world  ", "\thello\n", "\u2003the\u2003",
               "[MASK]", "[SEP]", "[CLS]", "[PAD]", "[UNK]", "[mask]", "[Mask]", "a [MASK] b", "a[SEP]b", "[CLS] hello [SEP]", "[MASK][MASK]",
               "[MASK]\u0301", "[unused1]", "<mask>", "the [sep] of", "hello [MASK] , world", "##ing", "un ##able", "[MA SK]", "[[MASK]]"]
    plain_ones = ["Hello World", "hello world", "HELLO", "The Query", "CAFÉ Café café cafe", "NAÏVE naïve", "Straße STRASSE", "İstanbul ısı I i",
                  "ΟΔΟΣ ΑΣ ΑΣ. σας", "ΑΣ", "Йогурт ПРИВЕТ привет", "中文字", "日本語 text", "hello中文world", "a中b文c", "ひらカタ한글", "한글", "ﬁne ſ œuvre ÆØ",
                  "été e\u0301te\u0301", "A\u030a\u0323", "กำ", "हिन्दी", "مرحبا بالعالم", "שלום", "😀🚀 hello", "👩‍👩‍👧‍👦", "🇩🇪", "e\u0301" * 70, "Ｈｅｌｌｏ",
                  "don't", "state-of-the-art", "C++ & C#", "100% of $5", "x²+½", "→ … – “q”", "query: hello", "passage: the model", "the query", "theQuery", "tHe"]
    rest = [t for group in (TRICKY, MARKS, CONTROLS, PUNCTUATION, SPACES) for t in group if "\0" not in t and t.isprintable() or t in CONTROLS[1:24:2]]
    found = list(dict.fromkeys(special + long + plain_ones))
    step = max(1, len(rest) // (200 - len(found)))
    for text in rest[::step] + rest:
        if len(found) < 200 and text not in found and "\0" not in text:
            found.append(text)
    return found


def write_encoder(folder: Path, seed: int = 0, cased: bool = True, config: dict | None = None, head: str = "BertModel",
                  tokenizer: dict | None = None) -> None:
    """What transformers' save_pretrained writes: weights, config.json and the tokenizer's files."""
    import transformers

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.txt").write_text("\n".join(vocabulary(cased)) + "\n", encoding="utf-8")
    model = getattr(transformers, head)(transformers.BertConfig(**{**SIZES, **(config or {})}))
    fill(model, seed)
    model.eval().save_pretrained(folder, **({"safe_serialization": True} if transformers.__version__ < "5" else {}))
    options = {"do_lower_case": not cased, **(tokenizer or {})}
    transformers.BertTokenizerFast.from_pretrained(str(folder), **options).save_pretrained(folder)
    if (folder / "tokenizer.json").exists():
        (folder / "vocab.txt").unlink(missing_ok=True)


def write_model(folder: Path, work: Path, case: dict) -> None:
    """What sentence-transformers' save() writes for a case."""
    import torch
    from sentence_transformers import SentenceTransformer, models

    write_encoder(work, **case.get("encoder", {}))
    settings = case.get("transformer", {})
    modules = [models.Transformer(str(work), **settings)]
    if "tokenizer_after" in case:
        for key, value in case["tokenizer_after"].items():
            setattr(modules[0].tokenizer, key, value)
    pooling = case.get("pooling", {"pooling_mode": "mean"})
    modules.append(models.Pooling(SIZES["hidden_size"], **pooling))
    width = modules[-1].pooling_output_dimension
    for number, (kind, options) in enumerate(case.get("modules", [])):
        options = dict(options)
        if kind == "Dense":
            activation = options.pop("activation", "Tanh")
            options = {"in_features": width, **options, "activation_function": getattr(torch.nn, activation)()}
            width = options["out_features"]
        if kind == "LayerNorm":
            options = {"dimension": width}
        module = getattr(models, kind)(**options)
        fill(module, 100 + number)
        modules.append(module)
    model = SentenceTransformer(modules=modules, device="cpu", **case.get("model", {}))
    if case.get("encode_first"):
        model.encode(["hello"] * 3, show_progress_bar=False)
    model.save(str(folder), **({"create_model_card": False} if not case["writer"].startswith("st2.2") else {}))


def edit(folder: Path, edits: dict) -> None:
    """Changes JSON files: {file: {"a.b": value}}; a value of "\\u0000" takes the key out, a file of null is deleted, a text is written as it is."""
    for name, changes in edits.items():
        path = folder / name
        if changes is None:
            path.unlink(missing_ok=True)
        elif isinstance(changes, str):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(changes, encoding="utf-8")
        else:
            whole = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
            for key, value in changes.items():
                put(whole, key.split("."), value)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(whole, indent=2, ensure_ascii=False, sort_keys=not isinstance(whole, list)), encoding="utf-8")


def put(place, keys: list[str], value) -> None:
    """Sets or takes out one key of nested JSON."""
    for key in keys[:-1]:
        place = place[int(key)] if isinstance(place, list) else place.setdefault(key, {})
    last = int(keys[-1]) if isinstance(place, list) else keys[-1]
    if value == "\0" and isinstance(place, list):
        del place[last]
    elif value == "\0":
        place.pop(last, None)
    else:
        place[last] = value


def rename_tensors(path: Path, pairs: list[list[str]], prefix: str = "", drop: str | None = None) -> None:
    """Writes a weight file again under other names."""
    from safetensors.numpy import load_file, save_file

    found = {}
    for name, value in load_file(path).items():
        for old, new in pairs:
            name = name.replace(old, new)
        if drop is None or drop not in name:
            found[prefix + name] = value
    save_file(found, path, metadata={"format": "pt"})


def write_shards(folder: Path, seed: int, alone: bool) -> None:
    """Puts a model of other weights beside the single file, or in its place: several files and their index, as transformers writes them."""
    import transformers

    model = transformers.AutoModel.from_pretrained(str(folder))
    fill(model, seed)
    with tempfile.TemporaryDirectory() as place:
        model.save_pretrained(place, max_shard_size="30KB")
        for path in Path(place).glob("model*"):
            shutil.copy(path, folder / path.name)
    if alone:
        (folder / "model.safetensors").unlink()


def embed(folder: Path, inputs: list[str], batch: int = 1) -> np.ndarray:
    """encode() with defaults; one text per batch unless told."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(folder), device="cpu")
    rows = model.encode(inputs, batch_size=batch, show_progress_bar=False)
    return np.asarray(rows, dtype=np.float32)


def smallest_cosine(left: np.ndarray, right: np.ndarray) -> float:
    """Of all rows; NaN or another shape is -2, two rows of zeros agree."""
    if left.shape != right.shape or left.ndim != 2 or not left.size or not (np.isfinite(left).all() and np.isfinite(right).all()):
        return -2.0
    left, right = left.astype(np.float64), right.astype(np.float64)
    lengths = np.linalg.norm(left, axis=1) * np.linalg.norm(right, axis=1)
    both_zero = (np.abs(left).sum(axis=1) == 0) & (np.abs(right).sum(axis=1) == 0)
    cosines = np.where(both_zero, 1.0, (left * right).sum(axis=1) / np.where(lengths == 0, 1, lengths))
    return float(cosines.min())
