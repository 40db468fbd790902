/// Texts that are not YAML, or YAML that is not accepted.
extension ProjectReaderTests {
  static let texts = [
    Case("empty", text: "", "1:1: the file is empty"),
    Case("only a comment", text: "# nothing\n", "1:1: the file is empty"),
    Case(
      "a word", text: "hello",
      "1:1: the project is a text of 5 characters, expected a group of keys"),
    Case("a list", text: "- a\n", "1:1: the project is a list, expected a group of keys"),
    Case("null", text: "~", "1:1: the project is empty, expected a group of keys"),
    Case(
      "invalid UTF-8", bytes: [0x61, 0x3A, 0x20, 0xFF], ["1:1: the text is not valid UTF-8"]),
    Case(
      "NUL", text: "ingot: 1\na: \0b\n", "2:4: a control character (byte 0) is in the text"),
    Case(
      "unclosed list", text: "ingot: [1\n",
      "2:1: is not YAML: while parsing a flow sequence, did not find expected ',' or ']'"),
    Case(
      "tab as indentation", text: "models:\n\ta: 1\n",
      "2:1: is not YAML: while scanning for the next token, "
        + "found character that cannot start any token"),
    Case(
      "braces without quotes", text: "gate: {references: flows/{flowName}/x}\n",
      "1:26: is not YAML: while parsing a flow mapping, did not find expected ',' or '}' "
        + "[inside { … } write a value that holds braces in quotes]"),
    Case(
      "two documents", text: "ingot: 1\n---\ningot: 1\n",
      "2:1: a second document starts here; the file has to be one"),
    Case("key twice", text: "ingot: 1\ningot: 1\n", "1:1: the key 'ingot' appears twice"),
    Case("another file with a key twice", text: "a: 1\na: 1\n", "1:1: a key appears twice"),
    Case("a list as key", text: "[a]: 1\n", "1:1: a key is a list, expected a word"),
    Case("tag", text: "ingot: !!int 1\n", "1:8: tags ('!') are not supported"),
    Case("own tag", text: "ingot: !x 1\n", "1:8: tags ('!') are not supported"),
    Case(
      "alias", text: "a: &x 1\nb: *x\n",
      "2:4: aliases ('*name') are not supported "
        + "[write the value out; a text that starts with '*' needs quotes]"),
    Case(
      "alias behind a quoted quote", text: "a: x \"\nb: *x\n",
      "2:4: aliases ('*name') are not supported "
        + "[write the value out; a text that starts with '*' needs quotes]"),
    Case(
      "alias after a strange line end", text: "# a\u{2028}b: *x\n",
      "2:4: aliases ('*name') are not supported "
        + "[write the value out; a text that starts with '*' needs quotes]"),
    Case(
      "alias bomb", text: "a: &a [x,x]\n" + (0..<30).map { "b\($0): &b [*a,*a]\n" }.joined(),
      "2:9: aliases ('*name') are not supported "
        + "[write the value out; a text that starts with '*' needs quotes]"),
    Case(
      "nesting of 40", text: String(repeating: "[", count: 40) + String(repeating: "]", count: 40),
      "1:33: values nest deeper than 32 levels"),
    Case(
      "nesting of 100,000", text: String(repeating: "[", count: 100_000),
      "1:1: values nest deeper than 32 levels"),
  ]
}
