"""Proves that Ingot makes of a folder's files the tokenizer that transformers makes of them.

usage: tokenize_folders.py ROOT IN.jsonl MAX_LENGTH

Loads every folder in ROOT with AutoTokenizer, in the order of their names, and prints one JSON object for each: "ids" for
the "text" of every line, cut to MAX_LENGTH and padded as sentence-transformers calls it (what the mask hides is left
out), "pad", "limit" (null for none) and "cuts", the side that is cut; or "error" where the library does not load it.
"""
import json
import pathlib
import sys
import warnings

import transformers
from transformers import AutoTokenizer

transformers.logging.set_verbosity_error()
warnings.simplefilter("ignore")


def facts(folder: pathlib.Path, texts: list[str], length: int) -> dict:
    """What the library makes of one folder."""
    try:
        tokenizer = AutoTokenizer.from_pretrained(str(folder))
        padding = tokenizer.pad_token is not None
        batch = tokenizer(texts, padding=padding, truncation="longest_first", max_length=length)
    except Exception as error:  # whatever stops the library
        return {"error": f"{type(error).__name__}: {error}"[:300]}
    for types in batch.get("token_type_ids", []):
        if any(types):
            return {"error": "token types other than 0"}
    pairs = zip(batch["input_ids"], batch["attention_mask"])
    limit = tokenizer.model_max_length
    return {
        "ids": [[i for i, seen in zip(ids, mask) if seen] for ids, mask in pairs], "pad": tokenizer.pad_token_id,
        "limit": limit if limit < 1e20 else None, "cuts": tokenizer.truncation_side,
        "pads": tokenizer.padding_side}


def main(root: str, inputs: str, length: str) -> None:
    """Prints the facts of every folder."""
    with open(inputs, encoding="utf-8") as lines:
        texts = [json.loads(line)["text"] for line in lines if line.strip("\n")]
    for folder in sorted(pathlib.Path(root).iterdir()):
        print(json.dumps({"folder": folder.name} | facts(folder, texts, int(length))))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
