import Testing

@testable import Tokenization

struct PreTokenizerTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let steps: [PreTokenizer.Step]
    let text: String
    let words: [String]
    var testDescription: String { "\(steps) of '\(spelled(scalars(text)))'" }

    init(_ steps: [PreTokenizer.Step], _ text: String, _ words: [String]) {
      self.steps = steps
      self.text = text
      self.words = words
    }
  }

  static let cases: [Case] = [
    Case([], "a b", ["a b"]),
    Case([], "", []),
    Case([.bert], "", []),
    Case([.bert], " \u{3000}\n", []),
    Case(
      [.bert], "Hey friend!     How are you?!?",
      [
        "Hey", "friend", "!", "How", "are", "you", "?", "!", "?",
      ]),
    Case([.bert], "a$b_c-d。e\u{37E}", ["a", "$", "b", "_", "c", "-", "d", "。", "e", "\u{37E}"]),
    // Symbols outside of ASCII are not punctuation.
    Case([.bert], "a€b+c×d", ["a€b", "+", "c×d"]),
    Case([.bert], "a\u{85}b\u{200B}c", ["a", "b\u{200B}c"]),
    Case([.whitespaceSplit], " a,b  c ", ["a,b", "c"]),
    Case([.punctuation], " a,b ", [" a", ",", "b "]),
    Case([.whitespace], "a,, b_c é!?d", ["a", ",,", "b_c", "é", "!?", "d"]),
    Case([.whitespaceSplit, .punctuation], " a,,b c", ["a", ",", ",", "b", "c"]),
    Case([.whitespace, .whitespace], "a,b", ["a", ",", "b"]),
  ]

  @Test(arguments: cases) func cuts(_ test: Case) {
    var text = PreTokenizedText(scalars(test.text), leading: 1)
    PreTokenizer(steps: test.steps).apply(to: &text)
    let words = text.words.map { spelled(text.scalars[$0]) }
    #expect(words == test.words.map { spelled(scalars($0)) })
  }
}
