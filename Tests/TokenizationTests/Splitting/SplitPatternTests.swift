import TestSupport
import Testing

@testable import Tokenization

/// The pieces are those of Hugging Face's library `tokenizers` 0.22.
struct SplitPatternTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let text: String
    /// By the first expressions of `SplitPattern.known`: GPT-2, GPT-4, Qwen 2, Qwen 3.5, GPT-4o.
    let pieces: [[String]]

    init(_ text: String, _ pieces: [String]...) {
      self.text = text
      self.pieces = pieces
    }

    var testDescription: String { "'\(spelled(scalars(text)))'" }
  }

  static let cases: [Case] = [
    Case(
      "I'll  go\u{A}\u{A} 'S",
      ["I", "'ll", " ", " go", "\u{A}\u{A}", " '", "S"],
      ["I", "'ll", " ", " go", "\u{A}\u{A}", " '", "S"],
      ["I", "'ll", " ", " go", "\u{A}\u{A}", " '", "S"],
      ["I", "'ll", " ", " go", "\u{A}\u{A}", " '", "S"],
      ["I'll", " ", " go", "\u{A}\u{A}", " '", "S"]),
    Case(
      "it'\u{17F}t",
      ["it", "'", "\u{17F}t"],
      ["it", "'\u{17F}", "t"],
      ["it", "'\u{17F}", "t"],
      ["it", "'\u{17F}", "t"],
      ["it'\u{17F}", "t"]),
    Case(
      "don'T12345",
      ["don", "'", "T", "12345"],
      ["don", "'T", "123", "45"],
      ["don", "'T", "1", "2", "3", "4", "5"],
      ["don", "'T", "1", "2", "3", "4", "5"],
      ["don'T", "123", "45"]),
    Case(
      "a1 23 \u{BD}",
      ["a", "1", " 23", " \u{BD}"],
      ["a", "1", " ", "23", " ", "\u{BD}"],
      ["a", "1", " ", "2", "3", " ", "\u{BD}"],
      ["a", "1", " ", "2", "3", " ", "\u{BD}"],
      ["a", "1", " ", "23", " ", "\u{BD}"]),
    Case(
      "  x",
      [" ", " x"],
      [" ", " x"],
      [" ", " x"],
      [" ", " x"],
      [" ", " x"]),
    Case(
      "x \u{9}\u{D}\u{A} y",
      ["x", " \u{9}\u{D}\u{A}", " y"],
      ["x", " \u{9}\u{D}\u{A}", " y"],
      ["x", " \u{9}\u{D}\u{A}", " y"],
      ["x", " \u{9}\u{D}\u{A}", " y"],
      ["x", " \u{9}\u{D}\u{A}", " y"]),
    Case(
      "HTTPServer's",
      ["HTTPServer", "'s"],
      ["HTTPServer", "'s"],
      ["HTTPServer", "'s"],
      ["HTTPServer", "'s"],
      ["HTTPServer's"]),
    Case(
      "e\u{301}\u{301}A",
      ["e", "\u{301}\u{301}", "A"],
      ["e", "\u{301}\u{301}", "A"],
      ["e", "\u{301}\u{301}", "A"],
      ["e\u{301}\u{301}A"],
      ["e\u{301}\u{301}", "A"]),
    Case(
      "\u{301}a \u{301}",
      ["\u{301}", "a", " \u{301}"],
      ["\u{301}a", " \u{301}"],
      ["\u{301}a", " \u{301}"],
      ["\u{301}a", " \u{301}"],
      ["\u{301}a", " \u{301}"]),
    Case(
      "!?\u{A}/\u{A}!",
      ["!?", "\u{A}", "/", "\u{A}", "!"],
      ["!?\u{A}", "/\u{A}", "!"],
      ["!?\u{A}", "/\u{A}", "!"],
      ["!?\u{A}", "/\u{A}", "!"],
      ["!?\u{A}/\u{A}", "!"]),
    Case(
      " !\u{D}\u{A}!",
      [" !", "\u{D}", "\u{A}", "!"],
      [" !\u{D}\u{A}", "!"],
      [" !\u{D}\u{A}", "!"],
      [" !\u{D}\u{A}", "!"],
      [" !\u{D}\u{A}", "!"]),
    Case(
      "\u{1C5}ab Ab\u{732B}\u{2B0}",
      ["\u{1C5}ab", " Ab\u{732B}\u{2B0}"],
      ["\u{1C5}ab", " Ab\u{732B}\u{2B0}"],
      ["\u{1C5}ab", " Ab\u{732B}\u{2B0}"],
      ["\u{1C5}ab", " Ab\u{732B}\u{2B0}"],
      ["\u{1C5}ab", " Ab\u{732B}\u{2B0}"]),
    Case(
      "\u{A0}a\u{3000}\u{85}",
      ["\u{A0}", "a", "\u{3000}\u{85}"],
      ["\u{A0}a", "\u{3000}\u{85}"],
      ["\u{A0}a", "\u{3000}\u{85}"],
      ["\u{A0}a", "\u{3000}\u{85}"],
      ["\u{A0}a", "\u{3000}\u{85}"]),
  ]

  @Test(arguments: cases) func cutsAsTheLibrary(_ test: Case) {
    for (known, pieces) in zip(SplitPattern.known, test.pieces) {
      let step = SplitStep(pattern: known.pattern, behavior: .isolated, inverts: false)
      #expect(Self.pieces(test.text, .split(step)) == pieces.map { spelled(scalars($0)) })
    }
  }

  @Test(arguments: [
    (SplitBehavior.isolated, false, ["-", "a", "-", "-", "b", "-"]),
    (SplitBehavior.isolated, true, ["-", "a", "-", "-", "b", "-"]),
    (SplitBehavior.removed, false, ["a", "b"]),
    (SplitBehavior.removed, true, ["-", "-", "-", "-"]),
    (SplitBehavior.mergedWithPrevious, false, ["-", "a-", "-", "b-"]),
    (SplitBehavior.mergedWithPrevious, true, ["-a", "-", "-b", "-"]),
    (SplitBehavior.mergedWithNext, false, ["-a", "-", "-b", "-"]),
    (SplitBehavior.mergedWithNext, true, ["-", "a-", "-", "b-"]),
    (SplitBehavior.contiguous, false, ["-", "a", "--", "b", "-"]),
    (SplitBehavior.contiguous, true, ["-", "a", "--", "b", "-"]),
  ])
  func joins(_ behavior: SplitBehavior, _ inverts: Bool, _ pieces: [String]) {
    let step = SplitStep(pattern: .string([0x2D]), behavior: behavior, inverts: inverts)
    #expect(Self.pieces("-a--b-", .split(step)) == pieces)
  }

  /// Every scalar belongs to one word, and none is empty.
  @Test func coversEveryScalar() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<2000 {
      let text = scalars(generator.text())
      for known in SplitPattern.known.prefix(5) {
        var place = 0
        while let match = known.pattern.match(in: text, text.indices, from: place) {
          #expect(match.lowerBound == place && match.upperBound > place)
          place = match.upperBound
        }
        #expect(place == text.count)
      }
    }
  }

  @Test func bytesOfWords() {
    let step = { (addsSpace: Bool, cuts: Bool) in
      PreTokenizer.Step.byteLevel(ByteLevelStep(addsSpace: addsSpace, cuts: cuts))
    }
    let spelling = { (text: String) in spelled(scalars(text)) }
    #expect(Self.pieces("a b\u{E9}", step(false, true)) == ["a", "ĠbÃ©"].map(spelling))
    #expect(Self.pieces("a b", step(true, true)) == ["Ġa", "Ġb"].map(spelling))
    #expect(Self.pieces(" a b", step(true, false)) == ["ĠaĠb"].map(spelling))
    #expect(Self.pieces("", step(true, true)) == [])
  }

  private static func pieces(_ text: String, _ step: PreTokenizer.Step) -> [String] {
    var text = PreTokenizedText(scalars(text), leading: 1)
    PreTokenizer(steps: [step]).apply(to: &text)
    return text.words.map { spelled(text.scalars[$0]) }
  }
}
