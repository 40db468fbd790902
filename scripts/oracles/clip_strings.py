"""Writes the strings on which CLIP's tokenisers disagree.

usage: clip_strings.py OUT.jsonl

Every line is {"text": ...}; characters that do not print are written as JSON escapes. Same output on every run. Wrongly
decoded strings are made by decoding UTF-8 as other encodings, those that ftfy tries and some that it does not.
"""
import itertools
import sys

from tricky_strings import line

SPECIAL_TOKENS = [
    "<|startoftext|>", "<|endoftext|>", "<|STARTOFTEXT|>", "<|EndOfText|>", "a <|endoftext|> b", "x<|startoftext|>y", "<|endoftext|>" * 3,
    "<|endoftext|", "<endoftext>", "<start_of_text>", "<end_of_text>", "<START_OF_TEXT>", "a<start_of_text>b", "!<start_of_text>",
    "<start_of_text><end_of_text>", "< start_of_text >", "<start_of_text", "<\u017ftart_of_text>", "<\uff53tart_of_text>", "&lt;end_of_text&gt;",
    "&amp;lt;end_of_text&amp;gt;", "<|end\u200boftext|>", "<|end\u0301oftext|>", "\uff1c|endoftext|\uff1e", "<end_of_text>" * 80, "</w>", "a</w>",
    "photo</w> of", "<unk>", "[CLS] [SEP]",
]

CAPTIONS = [
    "a photo of a cat", "A Photo Of A CAT.", "a water bottle", "an origami pig.", "itap of a {}.", "a rendition of the dog!", "the plastic thing",
    "it's", "It'S", "I'VE we'll they'd don't you're I'm", "'s", "''s", "'''", "x's's", "'ll'll", "'re 're", "!'s", "'\u017f it'\u017f", "rock'n'roll",
    "Donaudampfschifffahrtsgesellschaftskapitän", "word " * 75, "word " * 76, "word " * 77, "word " * 78, "word " * 500, "a" * 76, "a" * 1000, "ab" * 500,
    "abcdefgh" * 200, "1234567890" * 10, "3.14159", "v1.0.3-beta+exp.sha.5114f85", "1,000,000$", "#hashtag @name http://example.org/?q=1&r=2#x",
    "!" * 100, "!?" * 50, "...---...", "C++ C# F♯ .NET", "x=y*z/2", "e=mc²", "½ ⅔ Ⅷ ⅷ ① ㊿ ٣ ३ 三", "snake_case camelCase kebab-case", "under_score__",
    "tab\tnew\nline\r\nreturn\rend", "\x0bvertical\x0cform", "   leading", "trailing   ", "in  the   middle", "", " ", "   ", "\n", "\t\n\r", "\u00a0",
    "\u3000", "\u2003\u2009", "\u200b", "\ufeff", "\ufeffbom first", "\x1c\x1d\x1e\x1f", "a\x1cb\x1db\x1eb\x1fb", "a\x85b", "a\u2028b\u2029c", "a\u180eb",
]

QUOTES = [
    "“double”", "‘single’", "it’s", "ʼn", "ŉ", "„low“", "‚low‘", "«guillemets»", "‹a›", "‛a‟", "a’s b’t c’re d’ve e’m f’ll g’d", "′ ″ ´ ` ’", "O’Neill’s",
]

WIDTHS = [
    "ＬＯＵＤ　ＮＯＩＳＥＳ", "Ｕﾀｰﾝ", "ｶﾞｷﾞｸﾞ", "ﾊﾟ", "１２３", "！＂＃＄％＆＇（）", "ﾡﾢ", "￠￡￢￣￤￥￦", "￨￩￪￫￬￭￮", "ｆｕｌｌｗｉｄｔｈ", "＆ａｍｐ；", "＆lt；", "｡｢｣､･",
    "＜ｅｎｄ＞", "ﬀ ﬁ ﬂ ﬃ ﬄ ﬅ ﬆ", "Ĳ ĳ Ǆ ǅ ǆ Ǉ ǈ ǉ Ǌ ǋ ǌ Ǳ ǲ ǳ", "ﬂuﬃeﬆ", "ﬓ ﬔ", "ʼn'n", "ffi", "㎏ ㏒ ㍍", "ⅻ",
]

CASES = [
    "ΣΑΣ", "ΌΣΟΣ", "Σ", "ΑΣ", "ΑΣ.", "ΑΣ'", "ΑΣ'Α", "ΑΣ\u0301", "ΑΣ\u0301Β", "Α\u0301Σ", "1Σ", "ΑΣ1", "ΑΣ Β", "ΣΣΣ", "İSTANBUL", "ISTANBUL", "ıi̇İI", "ẞß", "ŒŁŻ", "Ⴀ Ა",
    "Ꭰᏸꭰ", "ꞏꞋ", "𐐀𐐨", "𞤀𞤢", "ԱՒ և", "ﬃ ǅ", "Ω K Å", "Ⓐⓐ", "Ⅷⅷ", "ϴ ẞ ϐ ϑ ς", "Ꟁ Ɤ \ua7cb \ua7dc", "\u1c89\u1c8a",
]

SCRIPTS = [
    "一张猫的照片", "猫の写真", "写真を撮る。", "고양이 사진", "한국어", "\u1112\u1161\u11ab", "กขค ภาพถ่าย", "תמונה של חתול", "שָׁלוֹם", "صورة قطة", "السَّلَامُ", "۱۲۳", "क्षत्रिय बिल्ली", "தமிழ்",
    "బిల్లీ", "ခွေး", "ភាសាខ្មែរ", "ལྷ་ས", "ფოტო", "լուսանկար", "фотография кота", "Ёжик", "їжак", "γάτα", "φωτογραφία μιας γάτας", "chụp ảnh con mèo", "ảnh", "a\u0309nh", "añade", "an\u0303ade",
    "Ångström", "A\u030angstro\u0308m", "Å", "ﷺ", "ﻻ", "\u202eabc\u202c", "\u200fabc", "a\u200db", "a\u200cb", "Z\u0351\u036b\u0343algo", "e\u0301\u0323", "e\u0323\u0301",
    "q\u0307\u0323", "\u0344", "\u0345", "a\u0345b", "ᾳ", "α\u0345", "\u0301a", "\U00011935\U00011930", "\U00011938", "\U00010d24\u0301", "ཱི", "각", "가\u11a8",
    "\u09c7\u09be", "\u0b47\u0b3e", "\u1025\u102e", "\U0001d15f", "\U0001d157\U0001d165", "⫝̸", "שּׁ", "豈", "\u2f800", "\U0002f800", "\ud7b0", "𠮷野家", "\U00016d68", "\U000105c9",
]

EMOJI = [
    "😀", "😀😃😄", "👍🏽", "👨‍👩‍👧‍👦", "🏳️‍🌈", "🇩🇪🇫🇷", "❤️", "1️⃣", "☎", "🏴󠁧󠁢󠁷󠁬󠁳󠁿", "photo of a 🐱!", "🐱's", "🫨", "¯\\_(ツ)_/¯", "(╯°□°)╯︵ ┻━┻", "ʕ•ᴥ•ʔ", "( ͡° ͜ʖ ͡°)", "ಠ_ಠ", "(´・ω・｀)", "ヽ(ﾟДﾟ)ﾉ", "♥♦♣♠", "→←↑↓", "½", "№", "™©®",
    "\U0001fae8\U0001fadc", "\U0001f3fb", "\ufe0f", "\u20e3",
]

ENTITIES = [
    "&amp;", "&amp", "&lt;b&gt;", "a &lt b", "<b>&amp;</b>", "&quot;x&quot;", "&nbsp;", "a&nbsp;b", "&eacute;", "&EACUTE;", "P&EACUTE;REZ", "&nTILDE;", "&NTILDE", "&SZLIG;", "&hellip;", "&copy", "&copy2024",
    "&notit;", "&notin;", "&not in", "&#65;", "&#65", "&#x41;", "&#X41;", "&#x41", "&#x;", "&#;", "&#", "&;", "&", "& amp;", "&amp;amp;", "&amp;amp;amp;", "&amp;amp;amp;amp;amp;", "&#38;#65;", "&#0;", "&#128;",
    "&#x80;", "&#129;", "&#x1F600;", "&#xD800;", "&#x110000;", "&#99999999999;", "&#59;", "&#38;", "&#60;b", "&#13;", "&#10;", "&#12;", "&#11;", "&#x85;", "&#65a;", "&#6 5;", "&zwj;", "&ZeroWidthSpace;",
    "&CounterClockwiseContourIntegral;", "&DoubleLongLeftRightArrow;", "&fjlig;", "&ThickSpace;", "&acE;", "&NotEqualTilde;", "&bne;", "&unknown;", "&unknown", "&ampersand;", "&ampx", "&lta", "&gta;", "AT&T", "R&D;", "a&b&c;",
    "?a=1&copy=2&reg=3&amp=4", "&Aacute&aacute;", "&thetasym;", "&sup2;&sup1", "&frac12", "&yen;100", "&euro;", "&Euro;", "&EURO;", "&ALPHA;", "&alpha", "&Alpha;", "&#xfffe;", "&#x0b;", "&#xa0;", "line&#10;two", "&LT;&GT;",
    "&a\u0301mp;", "&\u212b;", "&amp\u037e", "&" + "a" * 40 + ";", "&" + "1" * 30, "&#" + "1" * 100 + ";", "&#x" + "0" * 100 + "41;", "&lsquo;quoted&rsquo;", "&ldquo;quoted&rdquo;", "&#8217;s", "&#146;s",
    "1 < 2 &amp; 3", "&amp; < then", "&amp;\n<b>\n&amp;", "<b>\n&amp;lt;", "a\n&amp;amp;amp;amp;", "&amp;#x27;", "&apos;s",
]

CONTROLS = [
    "a\x00b", "\x01\x02\x03", "a\x07b", "\x1b[31mred\x1b[0m", "\x1b[36;44mblue\x1b[0m", "\x1b[", "\x1b[31", "\x1b[3\x001m", "\x1b[3\u0663m", "\x1b[;;Hx", "\x1b]0;t\x07", "a\x7fb", "a\x80b", "a\x9fb", "\x81\x8d\x8f\x90\x9d",
    "a\u0085b", "\u200e\u200f", "\u2066a\u2069", "\u206aa\u206f", "\ufff9a\ufffb", "a\ufffcb", "a\ufffdb", "\ufffe\uffff", "\U000e0001", "\U000e0041", "a\u00adb", "\u2060", "\u061c", "\ue000", "\U0010ffff", "\uf8ff", "\x1a", "é\x1a", "Ã©\x1a",
]

MOJIBAKE = [
    "âœ” No problems", "schÃ¶n", "voilÃ le travail", "Ã la mode", "fÃ cil", "Ã quele Ã quel Ã s Ã squela", "l’Ã©pi", "Ãºnico", "Â£5", "Â", "Â ", "Ã", "Ã ", " Ã", "aÃ b", "Â« a Â»", "â€œ like this â€\ufffd", "â€™", "â€", "â€œ", "itâ€™s", "donâ€™t â€“ ever", "Â©", "Â®",
    "BrontÃ«", "BrontÃ\x83Â«", "naÃ¯ve cafÃ© rÃ©sumÃ©", "Ã¼ber", "ÃœBER", "Ã‰tÃ©", "Å\x81Ã³dÅº", "Å Ã³dÅº", "Ð¿ÑÐ¸Ð²ÐµÑ", "Ð¿Ñ€Ð¸Ð²ÐµÑ‚", "РїСЂРёРІРµС‚", "ÐŸÑ€Ð¸Ð²ÐµÑ‚, Ð¼Ð¸Ñ€!", "привет Ð¿Ñ€Ð¸Ð²ÐµÑ‚", "æ—¥æœ¬èªž", "æ\x97¥æ\x9c¬èª\x9e", "ã\x83\x84", "¯\\_(ã\x83\x84)_/¯",
    "&macr;\\_(ã\x83\x84)_/&macr;", "ðŸ˜€", "ð\x9f\x98\x80", "ðŸ‘\xa0", "ðŸ‘ ", "ðŸ˜", "í\xa0½í¸\x80", "í ½í¸€", "À\x80", "a À\x80 Ã©", "Ã©À\n", "Ã©í ½í¸\n", "ÃƒÂ©", "ÃƒÆ’Ã‚Â©", "ÃƒÆ’Ã†â€™Ãƒâ€šÃ‚Â©", "Ã¢â‚¬â„¢", "ÃƒÂ¢Ã¢â€šÂ¬Ã¢â€žÂ¢", "вЂ”", "вЂњпїЅвЂќ",
    "вЂ™", "ГўВЂВ™s", "β€™", "β€“ ελληνικά", "ā€", "ā€™s", "√©", "caf√©", "r√©sum√©", "‚Äôs", "‚Äì", "‚àö", "≈ìuvre", "â•", "├⌐", "caf├⌐", "├╝ber", "ÔÇÖ", "donÔÇÖt", "Ă©", "Ä\x8d", "ÄŤ", "Ĺ\x82", "Ăłd", "Å‚Ã³dÅº", "Å\x82", "l'Ã©tÃ© et l’été", "été Ã©tÃ© Ã¢ge", "Ã¢", "Ã\xa0", "Ã¡", "à²", "à¸\x81", "à ¸", "Ø§Ù„Ø¹Ø±Ø¨ÙŠØ©", "Ù…Ø±Ø­Ø¨Ø§",
    "×©×œ×•×\x9d", "à¤¹à¤¿à¤¨à¥\x8dà¤¦à¥€", "í•œêµ\xadì–´", "ÇŽ", "â€¦", "…â€¦", "â„¢", "â‚¬100", "â‚¬ 100", "Ã\x97", "Ã—", "×²", "3×²", "Å“uvre", "œuvre", "œ", "Œ.", "œ5", "a\x92s", "\x93quoted\x94", "\x85", "100\x80", "\x80\x81", "\xa4", "¤¤", "Ã¤Ã¶Ã¼ÃŸ", "¿Qué?", "¡Ã±!", "S\xe3o Paulo", "SÃ£o Paulo", "SÃ£o Tomé", "SAO PAULO Â«", "Â\xa0", "Â \xa0",
    "Ã?", "Â?", "â?\x80", "â€?", "â€?s", "ð??\x80", "Ã\ufffd", "â\ufffd\ufffd", "ð\ufffd˜€", "\ufffd", "\ufffdÃ©", "é\ufffd", "Ã©\ufffd\ufffd", "í\ufffd", "É°", "Å°", "20Â°C", "20°C", "Ã© &amp; Ã¨", "&Atilde;&copy;", "&Atilde;&sup3;", "<Ã©>", "Ã©\nÃ¨\n", "Ã©\né\n", "é\nÃ©", "Ã\n©", "√ 2", "√2", "∫≈°", "‚â†", "‚âà", "‚Ä¢ item", "Ã¥", "Ã…",
    "Hu√≠", "F¸r", "f√ºr", "ƒê", "ƒá", "‰ΩÜ", "Ôªø", "ï»¿", "ï»¿bom", "Ã­", "Ã­ndice", "Â­", "soft\xadhyphenÃ©", "A~Â©", "é©", "Ã©Ã", "ÃÃÃÃ", "ÂÂÂÂ", "Ã©" * 60, "â€™" * 60, "а Ð", "Р°Р±", "С‚", "РўРµСЃС‚", "Тест Р°", "Г©", "Г©tГ©", "Ø", "ÙØ", "Ã˜", "Ã\x98", "Î±Î²Î³", "ÎšÎ±Î»Î·Î¼ÎµÏ\x81Î±", "Ξ±Ξ²", "Îµ", "ÅŸ", "ÅžiÅŸli", "ÄŸ", "Ä±", "Ä°", "ý", "þ", "Åˆ", "å½±", "ç\x8c«", "ç Œ«",
]

ORIGINALS = [
    "schön", "l’été à Paris – “très” beau…", "naïve café", "Łódź", "привет мир", "日本語", "한국어", "שלום", "العربية", "ελληνικά", "😀 👍", "€100 ½", "•—™", "a\xa0b à la", "çığ şı İ", "ไทย", "हिन्दी", "ž š č", "\u0301\ufb01", "À propos, à côté", "São às àquela",
]
ENCODINGS = [
    "latin-1", "cp1252", "cp1251", "cp1250", "cp1253", "cp1254", "cp1257", "iso-8859-2", "mac-roman", "cp437", "cp850", "cp1255", "cp1256", "koi8-r", "gbk",
]


def mixed() -> list[str]:
    """UTF-8 read in other encodings, once and twice, with lost bytes, and beside text that is right."""
    found = []
    for text, encoding in itertools.product(ORIGINALS, ENCODINGS):
        wrong = text.encode().decode(encoding, "replace")
        found.append(wrong)
        if encoding in ("latin-1", "cp1252", "cp1251", "mac-roman"):
            found += [wrong.encode().decode(encoding, "replace"), f"{wrong} {text}", wrong.replace("\xa0", " ")]
        if encoding == "cp1252":
            found += [wrong.replace("\ufffd", "?"), wrong.upper(), f"<i>{wrong}</i>", wrong[1:], wrong[:-1]]
    return found


def strings() -> list[str]:
    """All strings once."""
    listed = (SPECIAL_TOKENS + CAPTIONS + QUOTES + WIDTHS + CASES + SCRIPTS + EMOJI + ENTITIES + CONTROLS + MOJIBAKE)
    return list(dict.fromkeys(listed + mixed()))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], "w", encoding="utf-8", newline="\n") as output:
        output.writelines(line(text) for text in strings())
