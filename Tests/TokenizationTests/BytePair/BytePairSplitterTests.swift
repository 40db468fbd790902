import Testing

@testable import Tokenization

struct BytePairSplitterTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let text: String
    let pieces: [String]
    /// As OpenCLIP, where that differs; special tokens in brackets.
    let openCLIP: [String]

    init(_ text: String, _ pieces: [String], openCLIP: [String]? = nil) {
      self.text = text
      self.pieces = pieces
      self.openCLIP = openCLIP ?? pieces
    }

    var testDescription: String { "'\(spelled(scalars(text)))'" }
  }

  static let cases: [Case] = [
    Case("", []),
    Case(" \u{3000}\t", []),
    Case("a b", ["a", "b"]),
    Case("ab1 23", ["ab", "1", "2", "3"]),
    Case("½Ⅷ٣", ["½", "Ⅷ", "٣"]),
    Case("...a--b", ["...", "a", "--", "b"]),
    Case(
      "i'm you're we've i'll he'd it's isn't",
      [
        "i", "'m", "you", "'re", "we", "'ve", "i", "'ll", "he", "'d", "it", "'s", "isn", "'t",
      ]),
    Case("'s's", ["'s", "'s"]),
    Case("''s", ["''", "s"]),
    Case("'r 'l 'v '", ["'", "r", "'", "l", "'", "v", "'"]),
    Case("'sa", ["'s", "a"]),
    Case("'S", ["'", "S"]),
    Case("'\u{17F}", ["'", "\u{17F}"], openCLIP: ["'\u{17F}"]),
    Case("e\u{301}a", ["e", "\u{301}", "a"]),
    Case("猫の写真", ["猫の写真"]),
    Case("a\u{200D}b", ["a", "\u{200D}", "b"]),
    Case("!\u{345}!", ["!\u{345}!"], openCLIP: ["!", "!"]),
    // Letters of later versions of Unicode are letters to the package regex only.
    Case("a\u{88F}", ["a", "\u{88F}"], openCLIP: ["a\u{88F}"]),
    Case("<end_of_text>", ["<", "end", "_", "of", "_", "text", ">"], openCLIP: ["[1]"]),
    Case(
      "a<start_of_text>b", ["a", "<", "start", "_", "of", "_", "text", ">", "b"],
      openCLIP: ["a", "[0]", "b"]),
    // What begins earlier takes the bracket along.
    Case(
      "!<end_of_text>", ["!<", "end", "_", "of", "_", "text", ">"],
      openCLIP: ["!<", "end", "_", "of", "_", "text", ">"]),
    Case(
      "<\u{17F}tart_of_text>", ["<", "\u{17F}tart", "_", "of", "_", "text", ">"],
      openCLIP: ["<\u{17F}tart_of_text>"]),
    Case("<end_of_tex", ["<", "end", "_", "of", "_", "tex"]),
  ]

  @Test(arguments: cases) func cuts(_ test: Case) {
    #expect(Self.pieces(test.text, .huggingFace) == test.pieces.map { spelled(scalars($0)) })
    #expect(Self.pieces(test.text, .openCLIP) == test.openCLIP.map { spelled(scalars($0)) })
  }

  private static func pieces(_ text: String, _ splitter: BytePairSplitter) -> [String] {
    let text = scalars(text)
    var pieces: [String] = []
    var index = 0
    while let (piece, end) = splitter.next(in: text, from: index) {
      switch piece {
      case .word(let range): pieces.append(spelled(text[range]))
      case .special(let place): pieces.append("[\(place)]")
      }
      index = end
    }
    return pieces
  }
}
