"""Writes the strings on which WordPiece tokenisers disagree: Tests/InteropTests/Fixtures/tricky-strings.jsonl.

usage: tricky_strings.py OUT.jsonl

Every line is {"text": ...}; characters that do not print are written as JSON escapes. Same output on every run.
"""
import json
import sys
import unicodedata

SPECIAL_TOKENS = [
    "[CLS]", "[SEP]", "[MASK]", "[PAD]", "[UNK]", "[cls]", "[mask]", "[Mask]", " [MASK]", "[MASK] ", " [MASK]x", "x[MASK]y",
    "[MASK] in [SEP] text", "[MASK][MASK]", "[MASK]]", "[[MASK]", "[[MASK]]", "[ MASK ]", "[MA SK]", "[MASK\u0301]", "[MASK]\u0301",
    "[UNK] is known", "[PAD][PAD]text", "text[SEP]", "[CLS] hello [SEP] world [SEP]", "un[MASK]able", "\u200b[MASK]\u200b",
    "[unused0]", "[unused98]", "##ing", "##", "# #", "a ##b", "<s>", "</s>", "<|endoftext|>", "[MASK]" * 20, "[MAS", "MASK]", "[]",
    "[CLS", "\uff3bMASK\uff3d", "[M\u0000ASK]", "[MASK]\n[SEP]", "\t[CLS]\t",
]

WORDS = [
    "unaffable", "unwanted running", "embeddings", "tokenization", "a", "Z", "aaaaaaaaaa", "zzzzzzzzzzzz", "bbbbbbbbbbbbbbbbbbbb", "xqzjk",
    "hello" * 19, "a" * 99, "a" * 100, "a" * 101, "a" * 250, "x " + "b" * 100 + " y", "x " + "b" * 101 + " y", "é" * 100, "é" * 101,
    "e\u0301" * 50, "e\u0301" * 51, "e\u0301" * 100, "e\u0301" * 101, "ß" * 100, "ß" * 101, "İ" * 50, "İ" * 100, "ﬁ" * 60, "я" * 100, "я" * 101,
    "한" * 34, "한" * 33, "한" * 101, "字" * 101, "😀" * 100, "😀" * 101, "a-" * 101, "a" * 60 + "\u00ad" + "a" * 60, "a" * 60 + "'" + "a" * 60,
    "supercalifragilisticexpialidocious", "Donaudampfschifffahrtsgesellschaftskapitän", "hippopotomonstrosesquippedaliophobia",
    "don't", "can’t", "I'd've", "'tis", "rock'n'roll", "o'clock", "state-of-the-art", "e.g.", "U.S.A.", "a.m.", "C++", "C#", "F♯", ".NET",
    "AT&T", "R&D", "and/or", "w/o", "24/7", "co-op", "re-\u200benter", "naive", "naïve", "NAÏVE", "café", "CAFÉ", "cafe\u0301", "CAFE\u0301",
]

PUNCTUATION = [
    "!\"#$%&'()*+,-./", ":;<=>?@", "[\\]^_`", "{|}~", "^", "$", "+", "`", "~", "|", "<", ">", "=", "a^b", "a$b", "a+b", "a`b", "a~b", "a|b",
    "a<b>c=d", "x=1;y=2", "100%", "50€", "£5", "¥100", "¢99", "₹500", "₿1", "±1", "×", "÷", "2×3", "10÷2", "§4", "¶", "a¶b", "©2024", "®", "™",
    "x°", "20°C", "№5", "a·b", "a•b", "…", "wait…", "a‥b", "–", "—", "―", "a–b", "a—b", "‘a’", "“a”", "„a“", "«a»", "‹a›", "¿a?", "¡a!", "†", "‡",
    "‰", "′", "″", "※", "‽", "⁂", "⸮", "、", "。", "「日本」", "『本』", "【】", "〜", "・", "！", "？", "，", "：", "；", "（）", "～", "＄", "＋", "＜", "＝", "＾", "｀", "｜",
    "،", "؛", "؟", "٪", "۔", "।", "॥", "෴", "།", "༎", "።", "፣", "᠃", "᭚", "⸺", "⹀", "⹒", "\u2e52", "\u2e5d", "\u061d", "\u1b7d", "\U00010a50", "\U0001f5f8",
    "𐩐", "𒑰", "֊", "־", "׀", "׃", "\u05f3", "\u05f4", "᐀", "゠", "﹏", "︙", "﴾a﴿", "॰", "ʹ", "ʻ", "ˈ", "´", "¨", "¯", "¸", "a¨b", "^^", "```code```", "~~strike~~", "$$", "a++b", "||", "=>", "->", "<-", "!=", "≠", "≤", "→", "a→b", "∑", "∫", "√2",
    "a_b", "__init__", "....", "?!?!?!", "----", "#1", "@me", "me@example.org", "http://a.b/c?d=e&f=g#h", "https://例え.jp/パス", "ftp://user:pw@host:21/", "C:\\dir\\file.txt", "/usr/bin", "~/.config", "*.swift", "$HOME", "${VAR}", "`ls`", "$(ls)", "a&amp;b", "&nbsp;", "%20", "\\n", "\\u0041",
]

CONTROLS = [
    "\u0000", "a\u0000b", "\u0001", "a\u0001b", "a\u0007b", "a\u0008b", "a\tb", "a\nb", "a\u000bb", "a\u000cb", "a\rb", "a\r\nb", "a\u001bb", "a\u001cb", "a\u001db",
    "a\u001eb", "a\u001fb", "a\u007fb", "a\u0080b", "a\u0085b", "a\u009fb", "\ufffd", "a\ufffdb", "\ufffd\ufffd x", "\ufeffa", "a\ufeffb", "a\u00adb", "a\u200bb", "a\u200cb", "a\u200db",
    "a\u200eb", "a\u200fb", "a\u202ab", "a\u202eb\u202c", "a\u2060b", "a\u2061b", "a\u2064b", "a\u2066b\u2069", "a\u206fb", "a\u180eb", "a\u061cb", "a\ufff9b\ufffb", "a\U000e0001b", "a\U000e0041b",
    "a\U000110bdb", "a\u0600b", "a\u06ddb", "a\u070fb", "a\u08e2b", "\ue000", "a\ue000b", "a\uf8ffb", "a\U000f0000b", "a\U0010fffdb", "\ufdd0", "a\ufdd0b", "a\uffffb", "a\ufffeb", "a\U0001ffffb",
    "a\u0378b", "a\u0379b", "a\u05ffb", "a\u2e60b", "a\U0001faffb", "a\U000e0080b", "a\ufffcb",
]

SPACES = [f"a{space}b" for space in map(chr, [
    0x20, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0x2800, 0x3164, 0x115F, 0xFFA0])] + [
    "", " ", "  ", "\t", "\n", "\u3000", "\u00a0", " a", "a ", "  a  b  ", "\u2003a\u2003", "a \u0301b", "a\u00a0\u00a0b", "a\u2028b\u2029c", "\u200b", "\u00ad", "\u0301",
]

MARKS = [
    "\u00e9", "e\u0301", "e\u0301\u0323", "e\u0323\u0301", "\u1ec7", "ệ", "Å", "\u212b", "A\u030a", "ñ", "n\u0303", "ç", "c\u0327", "ö", "O\u0308", "ø", "Ø", "ł", "Ł", "đ", "Đ", "ħ", "æ", "Æ", "œ", "þ", "ð",
    "ß", "ẞ", "STRASSE Straße", "ſ", "ŉ", "ĸ", "ı", "I", "i", "İ", "İstanbul", "ISTANBUL ılık", "i\u0307", "I\u0307", "ǅ", "ǆ", "Ǆ", "ﬁ", "ﬀ", "ﬃ", "ﬅ", "ĳ", "Ĳ", "K", "Ω", "Ω ω", "µ μ",
    "Σ", "ΟΔΥΣΣΕΥΣ", "ΣΑΣ ΣΑΣ", "σς", "ά", "ά", "ᾳ", "ᾼ", "ΐ", "Ϊ", "ᾮ", "Ё ё", "Й й", "и\u0306", "Ѐ", "Ї", "Ѷ", "а\u0301", "z\u0351\u036b\u0343\u036a\u0302\u036b\u033da\u034f\u0334\u0319\u0324l\u0321g\u0322o", "a\u034fb", "a\u0489b", "a\u20ddb", "1\ufe0f\u20e3",
    "כָּל", "שָׁלוֹם", "ﬡ", "שׁ", "كِتَابٌ", "ٱ", "أ", "ؤ", "ئ", "ﷺ", "ﻼ", "لا", "ك\u0640تاب", "क़", "\u0958", "की", "हिन्दी", "বাংলা", "ড়", "தமிழ்", "ක්‍ර", "ไทย", "ที่นี่", "ລາວ", "မြန်မာ", "ខ្មែរ", "བོད་", "ᠮᠣᠩᠭᠣᠯ",
    "a\u0898b", "a\u1ac1b", "a\u1df6b", "a\u0b55b", "a\u0c3cb", "a\U00010efdb", "a\U0001e08fb", "a\u1cf4b", "a\u1dfbb", "a\u08d3b", "a\u0afab", "a\ufe2fb", "a\ufe0fb", "a\ufe00b", "a\U000e0100b",
]

SCRIPTS = [
    "漢字", "汉字abc", "abc漢字def", "㐀", "䶿", "\u9fff", "\U00020000", "𠀋𠂢", "\U0002a6df", "\U0002a700", "\U0002b740", "\U0002b820", "\U0002ceb0", "\U00030000", "\U00031350", "豈", "\U0002f800", "々", "〇", "〆", "⼀", "⺀", "㍿", "㌀", "㊗", "ひらがな", "カタカナ", "ﾊﾝｶｸ", "パ", "ハ\u309a", "が", "か\u3099", "ー", "ㄅㄆㄇ", "ㆠ",
    "한국어", "\u1112\u1161\u11ab", "ㅎㅏㄴ", "\ud7b0", "각", "가각갂", "\uac01\u11a8", "한a글", "서울에서 부산까지", "ﾡ",
    "Привет мир", "ПРИВЕТ", "Ќ ќ", "Ελληνικά", "ქართული", "ᲥᲐᲠᲗᲣᲚᲘ", "Ⴀ", "ⴀ", "ՀԱՅԵՐԵՆ հայերեն", "և", "አማርኛ", "ᏣᎳᎩ", "ꭰ", "ᐃᓄᒃᑎᑐᑦ", "ꦗꦮ", "𐐀𐐨", "𐌀", "𒀀", "𓀀", "𝐀𝐛𝒄", "𝟘𝟙", "𞤀𞤢", "Ⓐⓐ", "Ⅳⅳ", "Ａｂｃ", "ᴀʙᴄ", "ₐ", "xⁿ", "ªº",
    "раураl paypal", "abc абв αβγ", "日本語とEnglishと한국어", "مرحبا hello שלום", "a\u05d0b\u0627c",
]

NUMBERS = [
    "0", "007", "1234567890", "3.14", "-1", "+1", "1e-5", "1,000", "1.000,00", "1 000", "1\u00a0000", "1\u202f000", "٠١٢٣٤", "۰۱۲۳", "०१२३", "๐๑๒", "０１２", "①②③", "½", "⅓ ¼", "x²", "10³", "H₂O", "Ⅻ", "〡〢〣", "一二三", "𝟎𝟏", "1st 2nd", "2024-01-01", "12:34:56", "0x1F", "1/2", "1⁄2", "50%", "#1!", "5'10\"", "1_000",
]

EMOJI = [
    "😀", "a😀b", "😀😀", "👍🏽", "👩‍💻", "👨‍👩‍👧‍👦", "🏳️‍🌈", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🇩🇪", "🇩🇪🇫🇷", "❤", "❤️", "❤︎", "☔️", "✈️ flight", "1️⃣", "#️⃣", "©️", "🧑🏿‍🚀", "🫠", "🫨", "🪿", "\U0001fae9", "🀄", "🂡", "🏿", "\u200d", "\ufe0f", "♀️", "⚧", "☺ :)", "🙂hello🙂world",
]


def strings() -> list[str]:
    """All strings once, then the composed and decomposed forms of what has several."""
    first = SPECIAL_TOKENS + WORDS + PUNCTUATION + CONTROLS + SPACES + MARKS + SCRIPTS + NUMBERS + EMOJI
    forms = [unicodedata.normalize(form, text) for text in MARKS + SCRIPTS for form in ("NFC", "NFD", "NFKD")]
    return list(dict.fromkeys(first + forms))


def line(text: str) -> str:
    """One JSON line, readable where it prints."""
    return json.dumps({"text": text}, ensure_ascii=not all(c.isprintable() for c in text)) + "\n"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], "w", encoding="utf-8", newline="\n") as output:
        output.writelines(line(text) for text in strings())
