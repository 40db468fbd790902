"""A small byte-pair tokenizer of CLIP: as OpenCLIP reads it from merges, and as transformers saves it; imported by families of make_image_encoders.py."""
import functools
import gzip
import json
import tempfile
from pathlib import Path

from encoder_parts import corpus  # first: it keeps the libraries off the network

FIRST, LAST = "<|startoftext|>", "<|endoftext|>"
PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"


@functools.cache
def merges(count: int = 60) -> list[tuple[str, str]]:
    """Merges learned from the corpus, whose words all end with `</w>`."""
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

    learner = Tokenizer(models.BPE(end_of_word_suffix="</w>"))
    learner.normalizer = normalizers.Lowercase()
    learner.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(PATTERN), "removed", invert=True), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    learner.train_from_iterator(corpus(), trainers.BpeTrainer(
        vocab_size=512 + count, show_progress=False, end_of_word_suffix="</w>", initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet())))
    known = set(letters())
    found = []
    for left, right in json.loads(learner.to_str())["model"]["merges"]:
        if left in known and right in known:
            found.append((left, right))
            known.add(left + right)
    return found[:count]


def letters() -> list[str]:
    """A sign for every byte, then each at the end of a word."""
    from open_clip.tokenizer import bytes_to_unicode

    signs = list(bytes_to_unicode().values())
    return signs + [sign + "</w>" for sign in signs]


def vocabulary() -> list[str]:
    """All pieces in the order of their ids."""
    return letters() + ["".join(pair) for pair in merges()] + [FIRST, LAST]


def open_clip_tokenizer(length: int):
    """OpenCLIP's tokenizer with these merges."""
    import open_clip

    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "merges.txt.gz"
        lines = ["#version: 0.2", *(" ".join(pair) for pair in merges())]
        path.write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))
        return open_clip.SimpleTokenizer(bpe_path=str(path), context_length=length)


def save(folder: Path) -> None:
    """tokenizer.json and what else transformers 5 saves of the same tokenizer."""
    from transformers import CLIPTokenizer

    words = {piece: number for number, piece in enumerate(vocabulary())}
    CLIPTokenizer(vocab=words, merges=merges(), model_max_length=77).save_pretrained(folder)
