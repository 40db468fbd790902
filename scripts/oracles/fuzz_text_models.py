"""Random text encoders, written by a random version and changed in their files: does Ingot ever say something else than the library?

usage: fuzz_text_models.py --seed S --count N --ingot PATH [--work DIR] [--keep]

Makes N folders, embeds 40 texts with ST 6.2 and transformers 4.57 in this process and with `ingot embed`, and prints a tally.
Run it with PYTHONPATH=.build-oracle-st6.2; other versions write the folders in processes of their own (--writers to choose).
Exit status 1 on any silent disagreement (both run, smallest cosine below 0.999999 or another length) and on any crash of Ingot. --keep leaves those folders.
"""
import argparse
import copy
import json
import os
import random
import shutil
import subprocess
import sys
import warnings
from collections import Counter
from pathlib import Path

warnings.filterwarnings("ignore")
import numpy as np

from text_model_cases import CST, MODES, OUT, POOL, SBC, THE, TJ, TOK
from text_model_parts import edit, embed, rename_tensors, smallest_cosine, texts, vocabulary, write_model

ROOT = Path(__file__).resolve().parents[2]
WRITERS = ["st6.2", "st6.2-tf5", "st5.3", "st4.1", "st3.4", "st2.7"]
BASES = 6  # folders that each version writes; every model starts as one of them
ENOUGH = 0.999999
TAIL = 1e-6
TEXTS = 40


def base(chance: random.Random, writer: str) -> dict:
    """What a version is asked to write."""
    def maybe(share: float, value):
        return value if chance.random() < share else None

    tokenizer = {key: value for key, value in {
        "do_lower_case": maybe(0.4, chance.random() < 0.5), "strip_accents": maybe(0.3, chance.random() < 0.5),
        "tokenize_chinese_chars": maybe(0.2, False), "model_max_length": maybe(0.4, chance.randint(3, 64)),
        "truncation_side": maybe(0.3, chance.choice(["left", "right"])), "padding_side": maybe(0.2, "left"),
    }.items() if value is not None}
    case = {"writer": writer, "encoder": {"seed": chance.randint(0, 2), "cased": chance.random() < 0.6, "tokenizer": tokenizer,
                                          "config": {"hidden_act": chance.choice(["gelu", "gelu", "relu", "gelu_new", "silu"])}}}
    case["transformer"] = {key: value for key, value in {
        "max_seq_length": maybe(0.3, chance.randint(3, 64)), "do_lower_case": maybe(0.3, True)}.items() if value is not None}
    case["pooling"] = {"pooling_mode": chance.choice(MODES)}
    if writer.startswith("st6") and chance.random() < 0.4:
        case["pooling"] = {"pooling_mode": chance.sample(MODES, chance.randint(1, 4))}
    if chance.random() < 0.3:
        case["pooling"]["include_prompt"] = False
    modules = [["Normalize", {}], ["Dropout", {"dropout": 0.4}]]
    if writer not in ("st2.7",):
        modules += [["LayerNorm", {}], ["Dense", {"out_features": chance.randint(2, 20), "bias": chance.random() < 0.7,
                                                  "activation": chance.choice(["Tanh", "Identity", "ReLU", "GELU", "Sigmoid"])}]]
    case["modules"] = [copy.deepcopy(chance.choice(modules)) for _ in range(chance.choice([0, 1, 1, 2, 3]))]
    if chance.random() < 0.5:
        case["model"] = {"prompts": {"q": chance.choice(["the query: ", "un", "[MASK] ", "Ü ", "passage:", " ", "the " * 70])}, "default_prompt_name": "q"}
    if writer.startswith("st6"):
        case["encode_first"] = chance.random() < 0.4
    return case


def changes(chance: random.Random) -> list[tuple[str, str, object]]:
    """Every change that may be made to a describing file: file, key, value."""
    side = chance.choice(["left", "right"])
    length = chance.choice([2, 3, 5, 12, 30, 64, 65, 512, 10 ** 30])
    token = {"content": chance.choice(["hello", "the", "[MASK]", "q", "<new>"]), "lstrip": chance.random() < 0.5, "rstrip": chance.random() < 0.5,
             "normalized": chance.random() < 0.5, "single_word": chance.random() < 0.5, "special": chance.random() < 0.5}
    flag = chance.random() < 0.5
    return [
        (TOK, "do_lower_case", chance.choice([True, False, OUT])), (TOK, "strip_accents", chance.choice([True, False, None, OUT])),
        (TOK, "tokenize_chinese_chars", chance.choice([True, False, OUT])), (TOK, "model_max_length", chance.choice([length, OUT])),
        (TOK, "max_len", length), (TOK, "truncation_side", chance.choice([side, OUT])), (TOK, "padding_side", chance.choice([side, OUT])),
        (TOK, "tokenizer_class", chance.choice(["BertTokenizer", "BertTokenizerFast", "PreTrainedTokenizerFast", "DistilBertTokenizer",
                                                "ElectraTokenizerFast", "MPNetTokenizer", "RobertaTokenizer", OUT])),
        (TOK, "added_tokens_decoder", chance.choice([OUT, {}])), (TOK, "added_tokens_decoder.4", {**token, "content": "[MASK]"}),
        (TOK, f"added_tokens_decoder.{chance.choice([150, 170, 399, 400])}", token), (TOK, "additional_special_tokens", chance.choice([["the"], [], ["[MASK]"]])),
        (TOK, "mask_token", chance.choice(["[MASK]", "the", "<m>", OUT])), (TOK, "cls_token", chance.choice(["[CLS]", "[MASK]", OUT])),
        (TOK, "unk_token", chance.choice(["[UNK]", "x", OUT])), (TOK, "pad_token", chance.choice(["[PAD]", "[UNK]", OUT])),
        (TOK, "split_special_tokens", flag), (TOK, "model_input_names", chance.choice([["input_ids", "attention_mask"], ["input_ids"]])),
        (TOK, "do_basic_tokenize", flag), (TOK, "never_split", chance.choice([None, ["hello"]])), (TOK, "clean_up_tokenization_spaces", flag),
        (TOK, "extra_special_tokens", chance.choice([{}, {"a_token": "the"}])), (TOK, "foo_token", "the"), (TOK, "lowercase_umlauts", True),
        (TOK, "bos_token", "the"), (TOK, "stride", 2), (TOK, "max_length", 8), (TOK, "pad_to_multiple_of", 8), (TOK, "add_prefix_space", flag),
        (TJ, "truncation", chance.choice([None, {"direction": chance.choice(["Left", "Right"]), "max_length": 9, "strategy": "LongestFirst", "stride": 0}])),
        (TJ, "padding", chance.choice([None, {"strategy": chance.choice(["BatchLongest", {"Fixed": 20}]), "direction": chance.choice(["Left", "Right"]),
                                              "pad_to_multiple_of": chance.choice([None, 8]), "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]"}])),
        (TJ, "normalizer.lowercase", flag), (TJ, "normalizer.strip_accents", chance.choice([True, False, None])),
        (TJ, "normalizer.handle_chinese_chars", flag), (TJ, "normalizer.clean_text", flag), (TJ, "model.max_input_chars_per_word", chance.choice([5, 100, 200])),
        (TJ, "model.unk_token", chance.choice(["[UNK]", "[MASK]"])), (TJ, "model.continuing_subword_prefix", chance.choice(["##", "@@"])),
        (TJ, "pre_tokenizer", chance.choice([{"type": "BertPreTokenizer"}, {"type": "Whitespace"}, {"type": "WhitespaceSplit"}])),
        (TJ, "post_processor", chance.choice([{"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]}, None])),
        (TJ, "normalizer", chance.choice([None, {"type": "Lowercase"}, {"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "Lowercase"}]}])),
        (TJ, f"added_tokens.{chance.randint(0, 4)}.{chance.choice(['lstrip', 'rstrip', 'single_word', 'normalized', 'special'])}", flag),
        (SBC, "max_seq_length", chance.choice([length, None, OUT])), (SBC, "do_lower_case", chance.choice([True, False, OUT])),
        (SBC, "transformer_task", chance.choice(["feature-extraction", "fill-mask"])), (SBC, "module_output_name", chance.choice(["token_embeddings", "sentence_embedding"])),
        (SBC, "tokenizer_args", {"model_max_length": 10}), (SBC, "model_args", {"hidden_act": "relu"}), (SBC, "unpad_inputs", None),
        (SBC, "query_length", 5), (SBC, "processing_kwargs", {"text": {"max_length": 7}}), (SBC, "pool_twice", 1),
        (SBC, "modality_config.message", {"method": "forward", "method_output_name": "last_hidden_state"}),
        (TOK, "chat_template", "{% for m in messages %}[MASK] {{ m['content'] }}{% endfor %}"), (TOK, "tokenizer_file", chance.choice([None, "x.json"])),
        ("modules.json", "1.foo", 1), ("modules.json", f"{chance.randint(1, 2)}.name", "1"),
        ("sentence_roberta_config.json", "max_seq_length", 7),
        (CST, "truncate_dim", chance.choice([1, 4, 16, 100, None, 0, -3])), (CST, "default_prompt_name", chance.choice(["q", "query", "document", None, OUT, "zz"])),
        (CST, "prompts", chance.choice([{}, {"q": ""}, {"q": None}, {"q": "The "}, {"query": "query: "}])),
        (CST, "similarity_fn_name", chance.choice(["cosine", "dot", None])), (CST, "model_type", chance.choice(["SentenceTransformer", "CrossEncoder", "SparseEncoder"])),
        (CST, "rescale", 2), (CST, "__version__.sentence_transformers", "9.0.0"),
        (POOL, "pooling_mode", chance.choice([*MODES, ["cls", "mean"], "MEAN", OUT])), (POOL, "include_prompt", chance.choice([flag, OUT])),
        *[(POOL, f"pooling_mode_{mode}", chance.choice([flag, OUT])) for mode in ("cls_token", "max_tokens", "mean_tokens", "lasttoken", "weightedmean_tokens")],
        (POOL, "word_embedding_dimension", chance.choice([16, 8])), (POOL, "scale", 2),
        ("config.json", "hidden_act", chance.choice(["gelu", "relu", "gelu_new", "gelu_pytorch_tanh", "silu", "swish", "quick_gelu", "mish", "gelu_python"])),
        ("config.json", "layer_norm_eps", chance.choice([1e-12, 1e-5, 0.01])), ("config.json", "position_embedding_type", chance.choice(["absolute", "relative_key"])),
        ("config.json", "is_decoder", flag), ("config.json", "torch_dtype", "float16"), ("config.json", "output_hidden_states", flag),
        ("config.json", "num_hidden_layers", chance.choice([1, 2])), ("config.json", "num_attention_heads", chance.choice([1, 2, 4])),
        ("config.json", "tokenizer_class", chance.choice(["BertTokenizer", "PreTrainedTokenizerFast", "RobertaTokenizer"])), ("config.json", "chunk_size_feed_forward", chance.choice([0, 4])),
        ("config.json", "pad_token_id", chance.choice([0, 3, None])), ("config.json", "use_cache", flag), ("config.json", "pruned_heads", chance.choice([{}, {"0": [1]}])),
        ("config.json", "type_vocab_size", 2), ("config.json", "architectures", ["BertForMaskedLM"]), ("config.json", "hidden_dropout_prob", 0.5),
        ("special_tokens_map.json", "mask_token", chance.choice(["[MASK]", "the"])), ("added_tokens.json", "hello", chance.choice([170, 400])), ("added_tokens.json", "the", THE),
        ("modules.json", f"{chance.randint(0, 1)}.type", chance.choice(["sentence_transformers.models.Transformer", "sentence_transformers.models.Pooling"])),
        ("modules.json", "0.kwargs", chance.choice([[], ["task"]])), ("modules.json", "1.idx", 7), ("modules.json", "1.name", "pool"),
        ("2_Dense/config.json", "activation_function", chance.choice(["torch.nn.modules.activation.ReLU", "torch.nn.modules.activation.Mish", "mine.Tanh", OUT])),
        ("2_Dense/config.json", "bias", flag), ("2_Dense/config.json", "use_residual", flag), ("2_Dense/config.json", "scale", 3),
        ("2_Normalize/config.json", "module_input_name", chance.choice(["sentence_embedding", "token_embeddings"])),
    ]


WHOLE = [TOK, TJ, SBC, CST, POOL, "special_tokens_map.json"]  # files that may go as a whole


def mutate(folder: Path, chance: random.Random) -> list[str]:
    """Changes a folder at random; what was changed."""
    said = []
    for _ in range(chance.choice([0, 1, 1, 2, 2, 3, 4])):
        name, key, value = chance.choice(changes(chance))
        if not (folder / name).exists() and name not in ("added_tokens.json", "special_tokens_map.json", "sentence_roberta_config.json"):
            continue
        try:
            edit(folder, {name: {key: value}})
        except (IndexError, KeyError, TypeError, AttributeError):  # the place is not there in this file
            continue
        said.append(f"{name}: {key} = {'(out)' if value == OUT else json.dumps(value)}")
    if chance.random() < 0.08:
        name = chance.choice(WHOLE)
        edit(folder, {name: None})
        said.append(f"{name}: deleted")
    if chance.random() < 0.1 or not (folder / TJ).exists():
        (folder / TJ).unlink(missing_ok=True)
        (folder / "vocab.txt").write_text("\n".join(vocabulary(chance.random() < 0.6)) + "\n", encoding="utf-8")
        said.append("vocab.txt only")
    if chance.random() < 0.08:
        rename_tensors(folder / "model.safetensors", [["LayerNorm.weight", "LayerNorm.gamma"], ["LayerNorm.bias", "LayerNorm.beta"]],
                       chance.choice(["", "bert."]), chance.choice([None, "pooler"]))
        said.append("tensor names")
    return said


def write_bases(writer: str, seed: int, place: Path) -> None:
    """Runs in the environment of the version: its folders."""
    chance = random.Random(f"{seed} {writer}")
    for number in range(BASES * 4):
        case = base(chance, writer)
        try:
            write_model(place / f"{number}", place / f"encoder-{number}", case)
        except Exception as error:
            print(f"{writer} does not write {case}: {error}", file=sys.stderr)
            shutil.rmtree(place / f"{number}", ignore_errors=True)
        shutil.rmtree(place / f"encoder-{number}", ignore_errors=True)


def make_bases(writers: list[str], seed: int, work: Path) -> list[Path]:
    """The folders that all others are made from."""
    for writer in writers:
        variables = {**os.environ, "PYTHONPATH": str(ROOT / f".build-oracle-{writer}"), "PYTHONWARNINGS": "ignore"}
        command = [sys.executable, __file__, "--bases", writer, "--seed", str(seed), "--work", str(work / writer)]
        done = subprocess.run(command, env=variables, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{writer}: {done.stderr[-2000:]}")
    return sorted(path for writer in writers for path in (work / writer).iterdir() if (path / "modules.json").exists())


def run_ingot(ingot: str, folder: Path, inputs: Path, output: Path) -> tuple[np.ndarray | None, str, bool]:
    """Its vectors, or what it says; and whether it crashed."""
    output.unlink(missing_ok=True)
    command = [ingot, "embed", str(folder), "--inputs", str(inputs), "--output", str(output), "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0:
        return np.load(output), "", False
    return None, done.stderr.strip(), done.returncode not in (1, 64)


def judge(folder: Path, inputs: list[str]) -> tuple[np.ndarray | None, str]:
    """The library's vectors, or its error."""
    try:
        rows = embed(folder, inputs)
        return (rows, "") if np.isfinite(rows).all() and rows.shape[1] else (None, "not finite, or of no width")
    except Exception as error:
        return None, f"{type(error).__name__}: {error}"


def same_lengths(ours: np.ndarray, theirs: np.ndarray) -> bool:
    """Whether vectors are as long as theirs: a cosine does not see a Normalize that is too much or too little."""
    one, other = (np.linalg.norm(rows.astype(np.float64), axis=1) for rows in (ours, theirs))
    return bool((np.abs(one - other) <= 1e-4 * np.maximum(one, other) + TAIL).all())


def disagreement(ours: np.ndarray, theirs: np.ndarray) -> str:
    """Whether rows of another direction also differ in size: a Dense module with GELU can leave a vector of nothing but the tail
    of GELU, 1e-5 and less, in which float32 holds few digits; Ingot promises 1e-6 for a GELU (FunctionTests), the library's own
    float32 is as far from its float64."""
    if ours.shape == theirs.shape and np.isfinite(ours).all():
        rows = [row for row in range(len(ours)) if smallest_cosine(ours[row:row + 1], theirs[row:row + 1]) < ENOUGH
                or not same_lengths(ours[row:row + 1], theirs[row:row + 1])]
        if all(np.abs(ours[row] - theirs[row]).max() <= TAIL for row in rows):
            return f"agreed within {TAIL}"
    return "DISAGREED"


def reason(message: str, folder: Path) -> str:
    """The first line of a refusal without what is particular to the folder."""
    return message.split("\n")[0].replace(str(folder), "MODEL")[:140]


def main(seed: int, count: int, ingot: str, work: Path, writers: list[str], keep: bool) -> int:
    """Makes, runs, compares, tells."""
    import logging

    import transformers
    logging.disable(logging.ERROR)
    transformers.logging.set_verbosity_error()
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    bases = make_bases(writers, seed, work)
    every = texts()
    tally, reasons, bad = Counter(), Counter(), 0
    for number in range(count):
        chance = random.Random(f"{seed}/{number}")
        folder = work / f"model-{number}"
        source = chance.choice(bases)
        shutil.copytree(source, folder)
        said = mutate(folder, chance)
        chosen = ["", " ", "the " * 100, "a [MASK] b"] + chance.sample(every, TEXTS - 4)
        inputs = work / "inputs.jsonl"
        inputs.write_text("".join(json.dumps({"text": text}) + "\n" for text in chosen), encoding="utf-8")
        ours, message, crashed = run_ingot(ingot, folder, inputs, work / "ours.npy")
        theirs, error = judge(folder, chosen) if ours is not None else (None, "")
        if crashed:
            verdict = "CRASHED"
        elif ours is None:
            verdict = "refused"
            reasons[reason(message, folder)] += 1
        elif theirs is None:
            verdict = "library refused"
        else:
            cosine = smallest_cosine(ours, theirs)
            verdict = "agreed" if cosine >= ENOUGH and same_lengths(ours, theirs) else disagreement(ours, theirs)
        tally[verdict] += 1
        if verdict in ("CRASHED", "DISAGREED"):
            bad += 1
            detail = message if crashed else f"cosine {cosine:.7f}, shapes {ours.shape} {theirs.shape}"
            print(f"{verdict} {number} from {source.parent.name}/{source.name}: {detail}\n  " + "\n  ".join(said), flush=True)
        elif verdict == "library refused":
            reasons[f"(library) {error[:120]}"] += 1
        if not (keep and verdict in ("CRASHED", "DISAGREED")):
            shutil.rmtree(folder)
    print(f"seed {seed}: " + ", ".join(f"{verdict} {tally[verdict]}" for verdict in sorted(tally)) + f" of {count}")
    for text, times in reasons.most_common(60):
        print(f"{times:5} {text}")
    return 1 if bad else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--ingot", default="ingot")
    parser.add_argument("--work", type=Path, default=ROOT / ".build-text-models-fuzz")
    parser.add_argument("--writers", nargs="+", default=WRITERS)
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--bases", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.bases:
        write_bases(arguments.bases, arguments.seed, arguments.work)
    else:
        sys.exit(main(arguments.seed, arguments.count, arguments.ingot, arguments.work.resolve(), arguments.writers, arguments.keep))
