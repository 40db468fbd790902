"""Proves that Ingot gives the ids that OpenCLIP's own tokenizer gives.

usage: tokenize_openclip.py IN.jsonl MAX_LENGTH

Prints one JSON array of ids for the "text" of every line, cut to MAX_LENGTH, without the zeros that fill it up; null
where OpenCLIP fails.
"""
import importlib.util
import json
import pathlib
import sys


def tokenizer_module():
    """open_clip.tokenizer by itself: the package imports torchvision, which nothing here needs."""
    folder = importlib.util.find_spec("open_clip").submodule_search_locations[0]
    spec = importlib.util.spec_from_file_location("openclip_tokenizer", pathlib.Path(folder) / "tokenizer.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ids(tokenize, text: str, length: int) -> list[int] | None:
    """The ids of one text, the end token last."""
    try:
        row = tokenize([text], length)[0].tolist()
    except ValueError:
        return None
    while row and row[-1] == 0:
        row.pop()
    return row


def main(inputs: str, max_length: str) -> None:
    """Prints the ids of every line."""
    tokenize = tokenizer_module().tokenize
    with open(inputs, encoding="utf-8") as lines:
        for line in lines:
            if line.strip("\n"):
                print(json.dumps(ids(tokenize, json.loads(line)["text"], int(max_length))))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
