"""BERT over whole words (WordLevel), behind normalisers and cuts of every kind that a tokenizer.json may have."""
import collections

from encoder_parts import corpus, fill, numbered, read_by, save_encoder

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]


def words(normalizer, splitter, length: int, added=(), side: str = "right", size: int = 300):
    """The most frequent words of the corpus, as the normaliser and the splitter leave them."""
    from tokenizers import Tokenizer, models, processors

    found = collections.Counter(
        word for text in corpus() for word, _ in splitter.pre_tokenize_str(normalizer.normalize_str(text)))
    ranked = sorted(found, key=lambda word: (-found[word], word))
    backend = Tokenizer(models.WordLevel(numbered(SPECIAL, ranked[:size]), unk_token="[UNK]"))
    backend.normalizer, backend.pre_tokenizer = normalizer, splitter
    backend.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    backend.add_tokens(list(added))
    return read_by("PreTrainedTokenizerFast", backend, length, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]",
                   sep_token="[SEP]", truncation_side=side)


def plain(length: int):
    """Composed, in lower case, cut at words and at what is between them."""
    from tokenizers import normalizers, pre_tokenizers

    return words(normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()]), pre_tokenizers.Whitespace(), length)


def stripped(length: int):
    """Without accents, apostrophes replaced, each digit and each sign a word; added tokens of every kind."""
    from tokenizers import AddedToken, normalizers, pre_tokenizers

    normalizer = normalizers.Sequence([
        normalizers.NFD(), normalizers.StripAccents(), normalizers.Replace("\u2019", "'"), normalizers.Strip()])
    splitter = pre_tokenizers.Sequence([
        pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Punctuation(), pre_tokenizers.Digits(individual_digits=True)])
    added = [AddedToken("the cat", lstrip=True, normalized=True), AddedToken("is", single_word=True, rstrip=True, normalized=False),
             AddedToken("caf\u00e9", normalized=True), AddedToken("a", single_word=True, normalized=True)]
    return words(normalizer, splitter, length, added, side="left")


def marked(length: int):
    """Characters as SentencePiece cleans them, spaces shown, runs of digits apart, quotes kept with the word before them."""
    from tokenizers import normalizers, pre_tokenizers

    normalizer = normalizers.Sequence([normalizers.Nmt(), normalizers.NFKD(), normalizers.Prepend("x")])
    splitter = pre_tokenizers.Sequence([
        pre_tokenizers.Split("'", "merged_with_previous"), pre_tokenizers.Metaspace(prepend_scheme="first"),
        pre_tokenizers.Digits(individual_digits=False)])
    return words(normalizer, splitter, length)


def bert(folder, make, heads: int = 2, width: int = 16, length: int = 64, **options):
    """A BERT of two layers."""
    from transformers import BertConfig, BertModel

    tokenizer = make(length)
    model = BertModel(BertConfig(vocab_size=len(tokenizer), hidden_size=width, num_hidden_layers=2, num_attention_heads=heads,
                                 intermediate_size=40, max_position_embeddings=64, pad_token_id=0))
    fill(model)
    save_encoder(folder, model, tokenizer, length=length, **options)


CASES = {
    "words-plain": lambda folder: bert(folder, plain),
    "words-stripped-half": lambda folder: bert(folder, stripped, heads=3, width=18, pooling="cls", dtype="float16", length=21),
    "words-marked-bfloat16-shards": lambda folder: bert(folder, marked, heads=1, width=17, dtype="bfloat16", shard="30KB"),
}
