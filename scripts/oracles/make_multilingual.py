"""A folder with the shape of multilingual E5 small: OUT [PIECES [LAYERS]]

Twelve layers, 384 wide, 250,002 pieces of Unigram, random weights in float32. The pieces are the words and parts of words of the
sentences among the fixtures, then made-up words in the letters of eight scripts; OUT/corpus.jsonl has texts in two languages.
"""
import collections
import json
import random
import sys
from pathlib import Path

from encoder_parts import SENTENCES, fill, read_by, save_encoder

GERMAN = ("der die das und ist nicht ein eine mit auf für von dem den Haus Wasser Baum Straße Kind Frau Mann Tag Nacht Jahr Zeit Weg Hand "
          "trinkt läuft schläft liest schreibt kocht singt wartet sucht findet heute morgen gestern immer nie schnell langsam groß klein "
          "schöner alter neuer roter grüner Vogel Hund Katze Garten Fenster Tür Brücke Schule Buch Brief Lampe Zug Rad Brot Milch").split()
SCRIPTS = ["abcdefghijklmnopqrstuvwxyzäöüßéèñç", "абвгдежзийклмнопрстуфхцчшщьюя", "αβγδεζηθικλμνξοπρστυφχψω", "אבגדהוזחטיכלמנסעפצקרשת",
           "ابتثجحخدذرزسشصضطظعغفقكلمنهوي", "कखगघचछजझटठडढतथदधनपफबभमयरलवशसह", "กขคงจฉชซญดตถทธนบปผพฟภมยรลวสหอ",
           "的一是了我不人在他有这个上们来到时大地为子中你说生国年着就那和要她出也得里后自以会"]


def sentences() -> list[str]:
    """English ones of the fixtures, and as many made of German words."""
    english = [json.loads(line)["text"] for line in SENTENCES.read_text(encoding="utf-8").splitlines()]
    chance = random.Random(5)
    return english + [" ".join(chance.choices(GERMAN, k=chance.randint(4, 12))) + "." for _ in english]


def pieces(count: int) -> list[tuple[str, float]]:
    """Pieces of the corpus by how often they occur, then made-up ones; scores fall from -3 to -16."""
    counts = collections.Counter()
    for text in sentences():
        for word in text.split():
            word = "▁" + word
            for start in range(len(word)):
                for end in range(start + 1, min(len(word), start + 12) + 1):
                    counts[word[start:end]] += end - start
    found = [piece for piece, _ in counts.most_common(count // 10)]
    found += [letter for script in SCRIPTS for letter in script] + ["▁"]
    known = dict.fromkeys(["<s>", "<pad>", "</s>", "<unk>", *found])
    chance = random.Random(3)
    while len(known) < count - 1:
        letters = chance.choice(SCRIPTS)
        known[chance.choice(["▁", ""]) + "".join(chance.choices(letters, k=chance.randint(2, 9)))] = None
    names = list(known)[: count - 1]
    scores = [0.0] * 4 + [-3 - 13 * place / count for place in range(len(names) - 4)]
    return list(zip(names, scores)) + [("<mask>", 0.0)]


def tokenizer(count: int):
    """Read by XLM-RoBERTa's class."""
    from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers, processors

    backend = Tokenizer(models.Unigram(pieces(count), unk_id=3, byte_fallback=False))
    backend.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(" {2,}", " ")])
    backend.pre_tokenizer = pre_tokenizers.Metaspace("▁", "always")
    backend.post_processor = processors.TemplateProcessing("<s> $A </s>", "<s> $A </s> </s> $B </s>", [("<s>", 0), ("</s>", 2)])
    backend.add_special_tokens([AddedToken(token, special=True, normalized=False, lstrip=token == "<mask>")
                                for token in ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]])
    return backend


def main(folder: str, count: str = "250002", layers: str = "12") -> None:
    """Writes the folder and the corpus."""
    from transformers import BertConfig, BertModel

    pieces = read_by("PreTrainedTokenizerFast", tokenizer(int(count)), 512, bos_token="<s>", eos_token="</s>", unk_token="<unk>",
                     pad_token="<pad>", mask_token="<mask>", cls_token="<s>", sep_token="</s>")
    model = BertModel(BertConfig(vocab_size=int(count), hidden_size=384, num_hidden_layers=int(layers), num_attention_heads=12,
                                 intermediate_size=1536, max_position_embeddings=512, pad_token_id=1))
    fill(model, spread=0.05)
    save_encoder(Path(folder), model, pieces)
    lines = [json.dumps({"text": text}, ensure_ascii=False) for text in sentences()]
    (Path(folder) / "corpus.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
