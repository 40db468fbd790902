"""Writes the tokenizer files of CLIP from the merges that OpenCLIP carries; imported by the oracles of CLIP.

The files are those that transformers saves for openai's models: tokenizer.json, vocab.json, merges.txt and two more.
"""
import gzip
import json
from pathlib import Path
from tempfile import TemporaryDirectory

from open_clip.tokenizer import bytes_to_unicode, default_bpe
from transformers import CLIPTokenizer, CLIPTokenizerFast

FIRST, LAST = "<|startoftext|>", "<|endoftext|>"
MERGES = 49152 - 256 - 2  # as many as openai's vocabulary has: the file has more


def tokenizer() -> CLIPTokenizerFast:
    """Hugging Face's tokenizer with openai's 49408 words."""
    with gzip.open(default_bpe(), "rt", encoding="utf-8") as file:
        merges = file.read().split("\n")[1:MERGES + 1]
    letters = list(bytes_to_unicode().values())
    words = letters + [letter + "</w>" for letter in letters] + ["".join(merge.split()) for merge in merges]
    with TemporaryDirectory() as folder:
        vocabulary, pairs = Path(folder, "vocab.json"), Path(folder, "merges.txt")
        vocabulary.write_text(json.dumps({word: number for number, word in enumerate([*words, FIRST, LAST])},
                                         ensure_ascii=False), encoding="utf-8")
        pairs.write_text("#version: 0.2\n" + "\n".join(merges) + "\n", encoding="utf-8")
        slow = CLIPTokenizer(str(vocabulary), str(pairs), model_max_length=77)
        return CLIPTokenizerFast.from_pretrained(_saved(slow, Path(folder, "saved")))


def _saved(slow: CLIPTokenizer, folder: Path) -> str:
    slow.save_pretrained(folder)
    return str(folder)
