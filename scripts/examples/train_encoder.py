"""Trains the quickstart's sentence encoder: all-MiniLM-L6-v2 distilled into two small layers on a cut vocabulary.

usage: train_encoder.py MINILM_DIR OUT_DIR [PAIRS.jsonl ...]

The student learns the teacher's cosines (within each batch) and, through a projection that is thrown away, the
teacher's embeddings. Sentences of PAIRS are never trained on: the rank correlation of student and teacher on them
is printed.
Seeded, but the last digits of the weights depend on the processor and on the Python version's documentation.
"""
import json
import random
import re
import sys
import time
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from torch.nn.functional import cosine_similarity, normalize
from transformers import BertConfig, BertModel

import corpus

sys.path.append(str(Path(__file__).resolve().parent.parent / "oracles"))
from reference_encoder import ReferenceEncoder, embed, load_tokenizer, padded, ranks, read_pairs

SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
VOCABULARY, HIDDEN, LAYERS, HEADS, INNER, LENGTH = 3200, 128, 2, 4, 256, 128
BATCH, EPOCHS, RATE, SEED = 256, 16, 2e-3, 20240517
FIRST_WORD = 1996  # MiniLM's ids below are special, unused or single characters; from here on by falling frequency


def write_json(path: Path, value: object) -> None:
    """Readable JSON with a final newline."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def choose_vocabulary(teacher: Tokenizer, sentences: list[str]) -> list[str]:
    """Special tokens, ASCII characters, every piece of the sentences, then MiniLM's most frequent pieces."""
    full = teacher.get_vocab()
    by_rank = sorted(full, key=full.get)
    single = [piece for piece in by_rank if len(piece.removeprefix("##")) == 1 and piece.isascii()]
    used = {piece for encoding in teacher.encode_batch(sentences) for piece in encoding.tokens}
    frequent = [piece for piece in by_rank[FIRST_WORD:] if piece.isascii()]
    wanted = dict.fromkeys(SPECIALS + single + sorted(used, key=full.get) + frequent)
    return SPECIALS + sorted(list(wanted)[len(SPECIALS):VOCABULARY], key=full.get)


def write_tokenizer(source: Path, target: Path, vocabulary: list[str]) -> None:
    """MiniLM's tokenizer with the cut vocabulary and its own ids."""
    settings = json.loads((source / "tokenizer.json").read_text(encoding="utf-8"))
    ids = {piece: index for index, piece in enumerate(vocabulary)}
    settings["truncation"] = settings["padding"] = None
    settings["model"]["vocab"] = ids
    for token in settings["added_tokens"]:
        token["id"] = ids[token["content"]]
    for name, token in settings["post_processor"]["special_tokens"].items():
        token["ids"] = [ids[name]]
    settings["added_tokens"].sort(key=lambda token: token["id"])
    write_json(target / "tokenizer.json", settings)
    (target / "vocab.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")


def write_layout(target: Path) -> BertConfig:
    """Everything of the sentence-transformers layout but the weights."""
    kind = "sentence_transformers.models."
    modules = [("", "Transformer"), ("1_Pooling", "Pooling"), ("2_Normalize", "Normalize")]
    write_json(target / "modules.json", [
        {"idx": index, "name": str(index), "path": path, "type": kind + name} for index, (path, name) in enumerate(modules)])
    write_json(target / "sentence_bert_config.json", {"max_seq_length": LENGTH, "do_lower_case": False})
    write_json(target / "1_Pooling" / "config.json", {
        "word_embedding_dimension": HIDDEN, "pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True,
        "pooling_mode_max_tokens": False, "pooling_mode_mean_sqrt_len_tokens": False})
    settings = {
        "architectures": ["BertModel"], "model_type": "bert", "hidden_act": "gelu", "hidden_size": HIDDEN,
        "num_hidden_layers": LAYERS, "num_attention_heads": HEADS, "intermediate_size": INNER, "vocab_size": VOCABULARY,
        "max_position_embeddings": LENGTH, "type_vocab_size": 2, "layer_norm_eps": 1e-12, "pad_token_id": 0,
        "position_embedding_type": "absolute", "hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    write_json(target / "config.json", settings)
    return BertConfig(**settings)


def start_table(teacher: ReferenceEncoder, full: dict[str, int], vocabulary: list[str]) -> torch.Tensor:
    """The teacher's word table in its first principal directions, scaled as a fresh table would be."""
    table = teacher.bert.embeddings.word_embeddings.weight.detach()[[full[piece] for piece in vocabulary]]
    centred = table - table.mean(dim=0)
    directions = torch.linalg.svd(centred, full_matrices=False).Vh[:HIDDEN]
    reduced = centred @ directions.T
    return reduced * (0.05 / reduced.std())


def bare(text: str) -> str:
    """What is left of a text when case, punctuation and spacing do not count."""
    return " ".join(re.findall(r"\w+", text.lower()))


def batches(rows: list[list[int]], chance: random.Random) -> list[list[int]]:
    """All indices in random batches of about one length, so that padding costs little."""
    order = list(range(len(rows)))
    chance.shuffle(order)
    order.sort(key=lambda index: len(rows[index]) + chance.uniform(-2, 2))
    parts = [order[start:start + BATCH] for start in range(0, len(rows) - BATCH + 1, BATCH)]
    chance.shuffle(parts)
    return parts


def loss(student: torch.Tensor, projected: torch.Tensor, teacher: torch.Tensor) -> torch.Tensor:
    """How far cosines within the batch, and projected embeddings, are from the teacher's."""
    relations = ((student @ student.T - teacher @ teacher.T) ** 2).mean()
    return 20 * relations + (1 - cosine_similarity(projected, teacher)).mean()


def train(model: ReferenceEncoder, rows: list[list[int]], targets: torch.Tensor) -> None:
    """Distils in place."""
    chance, head = random.Random(SEED), torch.nn.Linear(HIDDEN, targets.shape[1], bias=False)
    parameters = [*model.parameters(), *head.parameters()]
    optimiser = torch.optim.AdamW(parameters, lr=RATE, weight_decay=0.01)
    steps = EPOCHS * (len(rows) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=steps, pct_start=0.1)
    for epoch in range(EPOCHS):
        total, started, parts = 0.0, time.monotonic(), batches(rows, chance)
        for part in parts:
            student = model(*padded([rows[index] for index in part]))
            value = loss(student, head(student), targets[part])
            optimiser.zero_grad()
            value.backward()
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
            optimiser.step()
            schedule.step()
            total += value.item()
        print(f"epoch {epoch + 1}: loss {total / len(parts):.4f}, {time.monotonic() - started:.0f} s", file=sys.stderr)


def agreement(student: ReferenceEncoder, teacher: ReferenceEncoder, folders: tuple[Path, Path], pairs: Path) -> dict:
    """Rank correlation of the two models' cosines, and of each with the labels."""
    found = read_pairs(pairs)
    texts = [pair[side]["text"] for side in "ab" for pair in found]
    cosines = []
    for model, folder in zip((student, teacher), folders):
        rows = embed(model, load_tokenizer(folder), texts)
        cosines.append(ranks((rows[:len(found)] * rows[len(found):]).sum(axis=1)))
    labels = ranks(np.array([pair["similarity"] for pair in found]))
    rank = lambda x, y: round(float(np.corrcoef(x, y)[0, 1]), 4)
    ours, theirs = cosines
    return {"studentTeacher": rank(ours, theirs), "studentLabels": rank(ours, labels), "teacherLabels": rank(theirs, labels)}


def training_texts(made: list[str], vocabulary: list[str], held_out: list[Path]) -> list[str]:
    """Everything to train on, without the sentences that the student is judged on."""
    words = [piece for piece in vocabulary if piece.isalpha()]
    texts = made + corpus.documentation_sentences(12_000, SEED) + corpus.word_groups(words, 20_000, SEED)
    used = {bare(pair[side]["text"]) for pairs in held_out for pair in read_pairs(pairs) for side in "ab"}
    return [text for text in texts if bare(text) not in used]


def write_weights(student: ReferenceEncoder, target: Path) -> None:
    """One safetensors file with the names Hugging Face uses."""
    weights = {name: value.detach().contiguous() for name, value in student.bert.state_dict().items()}
    save_file(weights, str(target / "model.safetensors"), metadata={"format": "pt"})
    (target / "model.safetensors").chmod(0o644)


def main(source: Path, target: Path, held_out: list[Path]) -> None:
    """Builds the corpus, distils, writes the folder, prints the agreement."""
    torch.set_num_threads(2)
    torch.manual_seed(SEED)
    teacher, teacher_tokenizer = ReferenceEncoder(source), load_tokenizer(source, LENGTH)
    made = corpus.made_sentences(45_000, SEED)
    vocabulary = choose_vocabulary(teacher_tokenizer, made)
    texts = training_texts(made, vocabulary, held_out)
    write_tokenizer(source, target, vocabulary)
    config = write_layout(target)
    BertModel(config, add_pooling_layer=False).save_pretrained(target)
    student = ReferenceEncoder(target)
    student.bert.embeddings.word_embeddings.weight.data = start_table(teacher, teacher_tokenizer.get_vocab(), vocabulary)
    targets = torch.from_numpy(embed(teacher, teacher_tokenizer, texts))
    rows = [encoding.ids for encoding in load_tokenizer(target).encode_batch(texts)]
    print(f"{len(texts)} texts, {sum(map(len, rows))} tokens", file=sys.stderr)
    train(student.train(), rows, targets)
    write_weights(student.eval(), target)
    write_layout(target)
    print(json.dumps({str(path): agreement(student, teacher, (target, source), path) for path in held_out}, indent=2))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]), [Path(path) for path in sys.argv[3:]])
