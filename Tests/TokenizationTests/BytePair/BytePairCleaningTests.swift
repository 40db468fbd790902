import Testing

@testable import Tokenization

/// Texts after OpenCLIP's cleaning; the expected ones are from the libraries.
struct BytePairCleaningTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let text: String
    let expected: String
    var testDescription: String { "'\(spelled(scalars(text)))'" }

    init(_ text: String, _ expected: String) {
      self.text = text
      self.expected = expected
    }
  }

  static let repairCases: [Case] = [
    Case("âœ” No problems", "✔ No problems"),
    Case("&macr;\\_(ã\u{83}\u{84})_/&macr;", "¯\\_(ツ)_/¯"),
    Case("Broken text&hellip; it&#x2019;s ﬂubberiﬁc!", "Broken text… it's flubberific!"),
    Case("ＬＯＵＤ　ＮＯＩＳＥＳ", "LOUD NOISES"),
    Case("Ｕﾀｰﾝ ﾊﾟ", "Uターン パ"),
    Case("“double” ‘single’ ŉ", "\"double\" 'single' 'n"),
    Case("Ǆ ﬃ ﬅ", "DŽ ffi ſt"),
    Case("a\r\nb\rc\u{2028}d\u{2029}e", "a\nb\nc\nd\ne"),
    // Not a line break any more by the time these are looked at.
    Case("a\u{85}b", "a…b"),
    Case("\u{1B}[36;44mblue\u{1B}[0m\u{1B}[", "blue["),
    Case("a\u{0}\u{B}\u{7F}\u{FEFF}\u{FFFC}\u{206A}b", "ab"),
    Case("e\u{301}\u{1112}\u{1161}", "\u{E9}\u{D558}"),
    Case("voilÃ le travail", "voilà le travail"),
    Case("Ã quele", "àquele"),
    Case("Ã la mode", "à la mode"),
    Case("â€œ like this â€\u{FFFD}", "\" like this \u{FFFD}"),
    Case("ÃƒÂ©", "é"),
    Case("l'été Ã©tÃ© â€”", "l'été été —"),
    Case("РїСЂРёРІРµС‚", "привет"),
    Case("ðŸ˜€", "😀"),
    Case("í\u{A0}½í¸\u{80}", "😀"),
    Case("caf√© ‚Äî", "café —"),
    Case("r√©sum√©", "résumé"),
    Case("naïve café", "naïve café"),
    Case("a\u{92}s \u{81}", "a's \u{81}"),
    Case("S\u{E3}o Tomé €", "São Tomé €"),
    Case("<b>&amp;", "<b>&amp;"),
    Case("&amp;\n<\n&amp;", "&\n<\n&amp;"),
    Case("&amp;amp;lt;", "<"),
    Case("", ""),
  ]

  @Test(arguments: repairCases) func repairs(_ test: Case) {
    #expect(spelled(TextRepair.repaired(scalars(test.text))) == spelled(scalars(test.expected)))
  }

  static let characterCases: [Case] = [
    Case("&amp; &amp &ampx &lt;&gt;", "& & &x <>"),
    Case("&notit; &notin; &not", "¬it; ∉ ¬"),
    Case("&#65; &#65 &#x41; &#X41g", "A A A Ag"),
    Case("&#0;&#128;&#x81;&#13;", "\u{FFFD}€\u{81}\r"),
    Case("&#xD800;&#x110000;&#99999999999999999999;", "\u{FFFD}\u{FFFD}\u{FFFD}"),
    Case("&#1;&#xB;&#xFFFE;", ""),
    Case("&; & &# &#x &#; &", "&; & &# &#x &#; &"),
    Case("&CounterClockwiseContourIntegral;", "∳"),
    Case("&NotEqualTilde;", "≂̸"),
    Case("&EACUTE; &nosuch; &K\u{212A};", "&EACUTE; &nosuch; &K\u{212A};"),
    Case("&\u{212A}opf;", "&\u{212A}opf;"),
    Case("&amp;lt;", "&lt;"),
  ]

  @Test(arguments: characterCases) func unescapes(_ test: Case) {
    let text = HTMLCharacters.unescaped(scalars(test.text))
    #expect(spelled(text) == spelled(scalars(test.expected)))
  }

  static let strictCases: [Case] = [
    Case("&amp; &amp &notit;", "& &amp &notit;"),
    Case("P&EACUTE;REZ &nTILDE; &SZLIG;", "PÉREZ &nTILDE; SS"),
    Case("&#65;&#65a;&#59;&#x3b;&#38;", "A&#65a;&#59;&#x3b;&"),
    Case("&CounterClockwiseContourIntegral;", "&CounterClockwiseContourIntegral;"),
    Case("&DoubleLongLeftRightArrow;", "⟺"),
  ]

  @Test(arguments: strictCases) func unescapesStrictly(_ test: Case) {
    let text = HTMLCharacters.unescapedStrictly(scalars(test.text))
    #expect(spelled(text) == spelled(scalars(test.expected)))
  }

  static let wholeCases: [Case] = [
    Case("  A\u{1C}b \u{A0}\n c ", "ab c"),
    Case("ΣΑΣ ΑΣ. ΑΣ'Α Σ 1Σ", "σας ας. ασ'α σ 1σ"),
    Case("İ", "i\u{307}"),
    Case("&amp;lt;X&amp;gt;", "<x>"),
    Case("&amp;amp;amp;amp;amp;", "&"),
    Case("&lt;\n&amp;amp;amp;", "< &"),
    Case("<&amp;amp;amp;>", "<&amp;>"),
    Case("&nbsp;&#28;", ""),
  ]

  /// The three ways in which OpenCLIP cleans a text for a tokenizer of Hugging Face.
  @Test(arguments: [
    (TextPreparation.Cleaning.whitespace, "A b_c! &D"), (.lower, "a b_c! &d"),
    (.canonicalize, "a b c d"),
  ])
  func cleansForOtherTokenizers(_ cleaning: TextPreparation.Cleaning, _ expected: String) {
    let text = " A  b_c!\n&amp;D "
    #expect(TextPreparation(cleaning: cleaning).apply(to: text) == expected)
  }

  @Test(arguments: wholeCases) func cleans(_ test: Case) {
    #expect(spelled(OpenCLIPCleaning.clean(scalars(test.text))) == spelled(scalars(test.expected)))
  }

  /// Lines are taken apart at a million scalars, and what is repaired does not reach over the cut.
  @Test func cutsLongLines() {
    let text = scalars(String(repeating: "a", count: 999_999) + "Ã©")
    let cut = TextRepair.repaired(text)
    #expect(cut.count == 1_000_001 && cut.suffix(2) == [0xC3, 0xA9])
    #expect(TextRepair.repaired(Array(text.dropFirst(2))).last == 0xE9)
  }

  /// Layers of characters of HTML are taken off one by one, but not without end.
  @Test func boundsRounds() {
    #expect(TextRepair.maxRounds(0) == 100_000_000 && TextRepair.maxRounds(77) == 1_298_701)
    #expect(TextRepair.maxRounds(1_000_000) == 100 && TextRepair.maxRounds(5_000_000) == 100)
    let layers = scalars("&" + String(repeating: "amp;", count: 2000))
    #expect(TextRepair.repaired(layers) == [0x26])
  }

  struct Bytes: CustomTestStringConvertible, Sendable {
    let bytes: [UInt8]
    let scalars: [UInt32]?
    var testDescription: String { "\(bytes)" }
  }

  static let variantCases: [Bytes] = [
    Bytes(bytes: [], scalars: []),
    Bytes(bytes: [0x61, 0xC3, 0xA9, 0xF0, 0x9F, 0x98, 0x80], scalars: [0x61, 0xE9, 0x1F600]),
    Bytes(bytes: [0xC0, 0x80], scalars: [0]),
    Bytes(bytes: [0xC0, 0x0A], scalars: [0]),
    Bytes(bytes: [0xC0, 0x0A, 0x61], scalars: nil),
    Bytes(bytes: [0xC0], scalars: nil),
    Bytes(bytes: [0xC0, 0x81], scalars: nil),
    Bytes(bytes: [0xED, 0x95, 0x9C], scalars: [0xD55C]),
    Bytes(bytes: [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80], scalars: [0x1F600]),
    Bytes(bytes: [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x0A], scalars: [0x1F60A]),
    Bytes(bytes: [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x0A, 0x61], scalars: nil),
    Bytes(bytes: [0xED, 0xA0, 0xBD], scalars: nil),
    Bytes(bytes: [0xED, 0xB8, 0x80, 0xED, 0xA0, 0xBD], scalars: nil),
    Bytes(bytes: [0xC3], scalars: nil),
    Bytes(bytes: [0xE0, 0x80, 0x80], scalars: nil),
    Bytes(bytes: [0xF4, 0x90, 0x80, 0x80], scalars: nil),
    Bytes(bytes: [0xF8, 0x80, 0x80, 0x80, 0x80], scalars: nil),
    Bytes(bytes: [0x80], scalars: nil),
  ]

  @Test(arguments: variantCases) func readsVariantsOfUTF8(_ test: Bytes) {
    #expect(UTF8Variants.decoded(test.bytes) == test.scalars)
  }

  /// UTF-8 of every scalar, there and back.
  @Test func everyScalarIsBytes() {
    for scalar in UnicodeTests.allScalars {
      var bytes: [UInt8] = []
      UTF8Bytes.forEach(of: scalar.value) { bytes.append($0) }
      #expect(bytes == Array(String(Character(scalar)).utf8))
      let read = UTF8Bytes.scalar(in: bytes, at: 0)
      #expect(read?.scalar == scalar.value && read?.length == bytes.count)
    }
  }

  @Test func encodingsGoThereAndBack() {
    #expect(SingleByteEncoding.all.count == 10)
    for encoding in SingleByteEncoding.all {
      let bytes = (0..<256).map { UInt8($0) }
      let text = bytes.map(encoding.scalar(of:))
      #expect(encoding.encoded(text) == bytes, "\(encoding.name)")
      #expect((encoding.encoded([0xFFFD]) == [0x1A]) == encoding.isSloppy)
      #expect(encoding.encoded([0x1F600]) == nil)
    }
  }

  @Test func findsSequences() {
    let patterns = SequencePatterns("1-2 5 | 3\n^ 7 | 8\n1 | 3 | 4\n9")
    let found = { (numbers: [UInt8]) in numbers.indices.map { patterns.match(numbers, at: $0) } }
    #expect(found([1, 3, 4]) == [2, nil, nil])
    #expect(found([7, 8, 7, 8]) == [2, nil, nil, nil])
    #expect(found([5, 5, 3, 9]) == [nil, 2, nil, 1])
    #expect(found([1]) == [nil])
    #expect(!patterns.isFound(in: []) && !patterns.isFound(in: [3, 4, 8]))
    #expect(
      patterns.replacing(in: [0, 1, 3, 2, 3, 9, 1]) { [UInt8($0.count)] } == [0, 2, 2, 1, 1])
  }
}
