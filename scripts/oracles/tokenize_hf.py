"""Proves that Ingot's WordPiece gives the ids that Hugging Face's tokenizers library gives.

usage: tokenize_hf.py TOKENIZER_JSON IN.jsonl MAX_LENGTH

Prints one JSON array of ids for the "text" of every line, cut to MAX_LENGTH, never padded.
"""
import json
import sys

from tokenizers import Tokenizer


def main(tokenizer_json: str, inputs: str, max_length: str) -> None:
    """Prints the ids of every line."""
    tokenizer = Tokenizer.from_file(tokenizer_json)
    tokenizer.no_padding()
    tokenizer.enable_truncation(int(max_length))
    with open(inputs, encoding="utf-8") as lines:
        for line in lines:
            if line.strip("\n"):
                print(json.dumps(tokenizer.encode(json.loads(line)["text"]).ids))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
