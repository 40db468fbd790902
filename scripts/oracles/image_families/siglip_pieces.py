"""SigLIP of the first version with its own tokenizer, which runs the library SentencePiece on spiece.model.

transformers 5 wrote these; `_siglip_pieces_transformers4.py` has the same folders as transformers 4.57 reads them, whose ids differ where a
text has a capital sigma or a special token in capitals. transformers 4.57 reads such files with protobuf 7.36 or later.
"""
import tempfile
from pathlib import Path

from encoder_families.piece_files import sentence_pieces, tied
from encoder_parts import word_pieces
from image_families.siglip import siglip

T5 = {"pad_id": 0, "eos_id": 1, "unk_id": 2, "bos_id": -1}


def pieces(settings: dict = {}, change=lambda file: file, **options):
    """A maker of SigLIP's tokenizer from a model that SentencePiece trained with the options."""
    def make(length: int):
        from transformers import SiglipTokenizer

        place = Path(tempfile.mkdtemp()) / "spiece.model"
        place.write_bytes(change(sentence_pieces(**T5 | options)))
        return SiglipTokenizer(str(place), model_max_length=length, model_input_names=["input_ids"], **settings)
    return make


def beside_file(folder, **options):
    """A case with a tokenizer.json that the class does not look at."""
    judge = siglip(folder, **options)
    with tempfile.TemporaryDirectory() as place:
        word_pieces().save_pretrained(place)
        (folder / "tokenizer.json").write_bytes((Path(place) / "tokenizer.json").read_bytes())
    return judge


CASES = {
    "siglip-pieces": lambda folder: siglip(folder, heads=4, width=16, pieces=pieces(normalization_rule_name="nmt_nfkc")),
    "siglip-pieces-bytes": lambda folder: beside_file(folder, heads=1, width=10, length=40, pieces=pieces(
        {"do_lower_case": False}, byte_fallback=True, vocab_size=620, user_defined_symbols=("\u2581\u2581", "ou", "abc", "\u2581the"),
        remove_extra_whitespaces=False)),
    "siglip-pieces-ties": lambda folder: siglip(folder, heads=1, width=18, length=33, pieces=pieces(
        {"pad_token": "<pad>"}, tied, treat_whitespace_as_suffix=True, add_dummy_prefix=False)),
    "siglip-pieces-start": lambda folder: siglip(folder, width=16, length=16, pieces=pieces(
        {"truncation_side": "left", "unk_token": "unknown"}, unk_piece="unknown", split_by_whitespace=False,
        user_defined_symbols=("\u1e9b", "hello w"))),
}
