"""Writes the tables of Sources/Tokenization/Cleaning/Tables from what OpenCLIP's cleaning does.

usage: generate-cleaning-tables.py OUTPUT_FOLDER

OpenCLIP cleans text by ftfy, Python's own str and html, and cuts it by the package regex, each with
the Unicode version of its own. So nothing is taken from a standard: every scalar is put through those
parts and what comes out is written down. The rules by which ftfy (Apache License 2.0) tells mojibake
are read from its compiled expressions. Needs the packages ftfy, regex and tokenizers and Python 3.11
(pinned in scripts/oracles/requirements.txt); another Python has other character tables.
"""
import html
import importlib.metadata
import pathlib
import re
import sys
import textwrap
import unicodedata
from re import _constants, _parser

import ftfy
import regex
from ftfy import badness, chardata, fixes
from swift_tables import mapping_items, range_items, runs, span, swift, write
from tokenizers import normalizers

SCALARS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
PYTHON = f"Python {sys.version_info.major}.{sys.version_info.minor}"


def matched(pattern: str) -> list[int]:
    """Scalars that one character class of the package regex matches, whatever their case."""
    compiled = regex.compile(pattern, regex.IGNORECASE)
    return [c for c in SCALARS if compiled.fullmatch(chr(c))]


def cased() -> tuple[list[int], list[int]]:
    """Scalars that count as cased, and those passed over, where a final sigma is looked for."""
    passed = [c for c in SCALARS if c != 0x3A3 and (
        f"A{chr(c)}\u03a3".lower()[-1] == "\u03c2" and f"1{chr(c)}\u03a3".lower()[-1] == "\u03c3")]
    before = [c for c in SCALARS if f"1{chr(c)}\u03a3".lower()[-1] == "\u03c2"]
    assert not set(passed) & set(before)
    return before, passed


def normal_form_differences() -> tuple[list[str], list[str]]:
    """Decompositions and combining classes that Python has and Hugging Face's library has not."""
    nfd, nfc = normalizers.NFD().normalize_str, normalizers.NFC().normalize_str
    low, high = "\u0334", "\u0345"
    decompositions, classes = {}, {}
    for c in SCALARS:
        t = chr(c)
        mine = unicodedata.normalize("NFD", t)
        assert nfc(t) == unicodedata.normalize("NFC", t)
        if nfd(t) != mine:
            assert nfd(t) == t and unicodedata.normalize("NFC", mine) == t
            decompositions[c] = mine
        elif nfd(t + low) != (u := unicodedata.normalize("NFD", t + low)) or nfd(high + t) != (
            unicodedata.normalize("NFD", high + t)
        ):
            assert nfd(t + low) == t + low and nfd(high + t) == high + t, hex(c)
            classes[c] = unicodedata.combining(t)
    return mapping_items(decompositions), [f"{span(a, b)}={k:X}" for a, b, k in runs(classes)]


def write_characters(out: pathlib.Path, origin: str) -> None:
    letters, numbers, spaces = matched(r"[\p{L}]"), matched(r"[\p{N}]"), matched(r"\s")
    others = set(matched(r"[^\s\p{L}\p{N}]"))
    # Of no kind: its other case is a letter, so the negated set leaves it out.
    assert set(SCALARS) - {*letters, *numbers, *spaces} - others == {0x345}
    assert [c for c in matched("s") if chr(c) not in "sS"] == [0x17F]
    assert all(len(matched(c)) == (1 if c.lower() == c.upper() else 2) for c in "'trevmldaofxn_<>")
    before, passed = cased()
    lower = {c: chr(c).lower() for c in SCALARS if c != 0x3A3 and chr(c).lower() != chr(c)}
    lower[0x3A3] = "\u03c3"
    decompositions, classes = normal_form_differences()
    control = sorted(chardata.CONTROL_CHARS)
    write(out / "CleaningTables.swift", origin, "CleaningTables",
          "Which scalars belong to the classes that OpenCLIP's cleaning asks for.", [
        swift(range_items(letters), "letter", "Letters (L) of the package regex."),
        swift(range_items(numbers), "number", "Numbers (N) of the package regex."),
        swift(range_items(sorted({*spaces, 0x345})), "whitespace",
              "White space of the package regex, and the one scalar that it puts into no kind."),
        swift(range_items([c for c in SCALARS if chr(c).isspace()]), "stripped",
              "White space by which str.split splits and that str.strip removes."),
        swift(range_items([c for c in SCALARS if re.match(r"\w", chr(c))]), "word",
              "Word characters of Python's re."),
        swift(range_items([c for c in SCALARS if re.match(r"\d", chr(c))]), "digit",
              "Decimal digits of Python's re."),
        swift(range_items(before), "cased", "Cased, where a final sigma is looked for."),
        swift(range_items(passed), "caseIgnorable", "Passed over there."),
        swift(range_items(control), "control", "Left out by ftfy as control characters."),
    ])
    write(out / "CleaningMappings.swift", origin, "CleaningMappings",
          "Replacements of scalars in OpenCLIP's cleaning.", [
        swift(mapping_items(lower), "lowercase", "By str.lower, but for a final sigma."),
        swift(mapping_items(chardata.WIDTH_MAP), "width", "Forms of other widths, by ftfy."),
        swift(mapping_items(chardata.LIGATURES), "ligature", "Latin ligatures, by ftfy."),
        swift(decompositions, "decomposition",
              "Canonical decompositions that Hugging Face's library does not have yet."),
        swift(classes, "combiningClass",
              "Combining classes that Hugging Face's library does not have yet."),
    ])


def expanded(items) -> list[list[tuple]]:
    """The alternatives of a parsed expression, each a sequence of one-character items."""
    outs: list[list] = [[]]
    for operation, value in items:
        name = str(operation)
        if name == "BRANCH":
            parts = [sequence for branch in value[1] for sequence in expanded(branch)]
        elif name == "SUBPATTERN":
            parts = expanded(value[3])
        elif name == "MAX_REPEAT":
            assert value[:2] == (0, 1)
            parts = [[]] + expanded(value[2])
        else:
            parts = [[(name, value)]]
        outs = [out + part for out in outs for part in parts]
    return outs


def holds(item: tuple, c: int) -> bool:
    """Whether a one-character item of a parsed expression matches a scalar."""
    name, value = item
    if name == "LITERAL":
        return c == value
    if name == "ANY":
        return c != 10
    assert name == "IN", item
    found, negated = False, False
    for operation, operand in value:
        match str(operation):
            case "LITERAL": found |= c == operand
            case "RANGE": found |= operand[0] <= c <= operand[1]
            case "NEGATE": negated = True
            case "CATEGORY":
                assert operand in (_constants.CATEGORY_SPACE, _constants.CATEGORY_WORD)
                space = operand == _constants.CATEGORY_SPACE
                found |= chr(c).isspace() if space else chr(c).isalnum() or c == 95
            case other: raise AssertionError(other)
    return found != negated


def mojibake_rules() -> tuple[list[str], list[str]]:
    """The kinds of scalars that the rules tell apart, and the rules as sequences of kinds."""
    rules = expanded(_parser.parse(badness.BADNESS_RE.pattern, re.VERBOSE))
    items = sorted({repr(item): item for rule in rules for item in rule if item[0] != "AT"}.items())
    members: dict[tuple, list[int]] = {}
    for c in SCALARS:
        members.setdefault(tuple(holds(item, c) for _, item in items), []).append(c)
    # The two large kinds are all else: what is no word character, and what is one.
    large = sorted((m for m in members if len(members[m]) > 1000), key=lambda m: chr(members[m][-1]).isalnum())
    assert [chr(c).isalnum() or c == 95 for m in large for c in members[m]] == (
        [False] * len(members[large[0]]) + [True] * len(members[large[1]]))
    small = sorted((m for m in members if len(members[m]) <= 1000), key=lambda m: members[m][0])
    order = large + small
    kinds = {c: n for n, m in enumerate(order) if m in small for c in members[m]}
    place = {key: n for n, (key, _) in enumerate(items)}
    lines = []
    for rule in rules:
        start = rule[0][0] == "AT"
        assert all(item[0] != "AT" for item in rule[start:])
        sets = [range_items([n for n, m in enumerate(order) if m[place[repr(item)]]])
                for item in rule[start:]]
        lines.append(("^ " if start else "") + " | ".join(" ".join(s) for s in sets))
    return [f"{span(a, b)}={k:X}" for a, b, k in runs(kinds)], lines


def lines_table(lines: list[str], name: str, comment: str) -> str:
    doc = "\n".join(f"  /// {line}" for line in textwrap.wrap(comment, 92))
    wrapped = []
    for line in lines:
        parts = textwrap.wrap(line, 90, break_on_hyphens=False)
        wrapped += [part + " \\" for part in parts[:-1]] + [parts[-1]]
    body = "\n".join(f"    {line}" for line in wrapped)
    return f'{doc}\n  static let {name} = """\n{body}\n    """\n'


def clue(name: str) -> list[int]:
    compiled = re.compile(f"[{chardata.UTF8_CLUES[name]}]")
    return [c for c in SCALARS if compiled.match(chr(c))]


def write_mojibake(out: pathlib.Path, origin: str) -> None:
    kinds, rules = mojibake_rules()
    encodings = []
    for encoding in chardata.CHARMAP_ENCODINGS:
        decoded = bytes(range(256)).decode(encoding)
        assert len(set(decoded)) == 256 and decoded[:0x1A] + decoded[0x1B:0x80] == "".join(
            chr(c) for c in range(0x80) if c != 0x1A)
        assert decoded[0x1A] == ("\ufffd" if encoding.startswith("sloppy") else "\x1a")
        assert all(
            chardata.possible_encoding(chr(c), encoding) == (chr(c) in decoded) for c in range(0x10000))
        places = {128 + n: t for n, t in enumerate(decoded[128:])}
        encodings.append(swift(
            mapping_items(places), re.sub(r"[-_](\w)", lambda m: m[1].upper(), encoding),
            f"Characters of the bytes from 80 up in {encoding}."))
    for c in range(0x80, 0xA0):  # What is refused by the encoding of that name, stays in the sloppy one.
        try:
            t = bytes([c]).decode("windows-1252")
        except UnicodeDecodeError:
            t = chr(c)
        assert bytes([c]).decode("sloppy-windows-1252") == t == fixes.fix_c1_controls(chr(c))
    tables = [
        swift(kinds, "kinds", "The kind of each scalar that is neither just a word character "
              "(kind 1) nor just another (kind 0)."),
        lines_table(rules, "rules", "Patterns of mojibake: one sequence a line, sets of kinds with | "
                    "between neighbours; ^ if it matches only at the start."),
    ] + [
        swift(range_items(clue(name)), swift_name, what) for name, swift_name, what in [
            ("utf8_first_of_2", "firstOfTwo", "Letters that may be the first byte of two."),
            ("utf8_first_of_3", "firstOfThree", "Letters that may be the first byte of three."),
            ("utf8_first_of_4", "firstOfFour", "Letters that may be the first byte of four."),
            ("utf8_continuation", "continuation", "Characters that may be a continuation byte."),
            ("utf8_continuation_strict", "strictContinuation",
             "Characters that may be a continuation byte and are rarely meant as themselves."),
        ]
    ]
    write(out / "MojibakeTables.swift", origin, "MojibakeTables",
          "The patterns by which ftfy recognises text decoded in a wrong encoding.", tables)
    write(out / "EncodingTables.swift", origin, "EncodingTables",
          "Encodings of one byte a character that ftfy tries.", encodings)


def entity_items(entities: dict[str, str], bare: set[str]) -> list[str]:
    return [f"{name}{'!' if name in bare else ''}={'.'.join(f'{ord(c):X}' for c in entities[name])}"
            for name in sorted(entities)]


def write_entities(out: pathlib.Path, origin: str) -> None:
    all_names = html.entities.html5
    ended = {name[:-1]: text for name, text in all_names.items() if name.endswith(";")}
    bare = {name for name in all_names if not name.endswith(";")}
    assert all(ended[name] == all_names[name] for name in bare)
    upper = {name[1:-1]: text for name, text in chardata.HTML_ENTITIES.items()
             if name[1:] not in all_names}
    assert all(chardata.HTML_ENTITIES["&" + name] == text
               for name, text in all_names.items() if name.endswith(";"))
    write(out / "CapitalEntityTable.swift", origin, "CapitalEntityTable",
          "Names of HTML characters in capitals.", [
        swift(entity_items(upper, set()), "names", "Names that ftfy adds to the standard's."),
    ])
    codes = {c: html._invalid_charrefs[c] for c in sorted(html._invalid_charrefs)}
    write(out / "EntityTables.swift", origin, "EntityTables",
          "Named and numbered characters of HTML.", [
        swift(entity_items(ended, bare), "named",
              "Characters by name; ! if the name also counts without a semicolon."),
        swift(mapping_items(codes), "numbered", "Numbers that mean another character."),
        swift(range_items(sorted(html._invalid_codepoints)), "dropped",
              "Numbers that are dropped."),
    ])


def main(folder: str) -> None:
    out = pathlib.Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    packages = f"ftfy {ftfy.__version__} and regex {importlib.metadata.version('regex')}"
    origin = f"scripts/generate-cleaning-tables.py from {PYTHON},\n// {packages}"
    write_characters(out, origin)
    write_mojibake(out, origin)
    write_entities(out, origin)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
