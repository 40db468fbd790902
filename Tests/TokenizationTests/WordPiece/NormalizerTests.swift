import StrictJSON
import Testing

@testable import Tokenization

struct NormalizerTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let steps: [Normalizer.Step]
    let text: String
    let expected: String
    var testDescription: String { "\(steps) of '\(spelled(scalars(text)))'" }

    init(_ steps: [Normalizer.Step], _ text: String, _ expected: String) {
      self.steps = steps
      self.text = text
      self.expected = expected
    }
  }

  static let cases: [Case] = [
    Case([], "A\u{0} É", "A\u{0} É"),
    Case([.clean], "a\u{0}\u{FFFD}\u{200B}\u{AD}b", "ab"),
    Case([.clean], "a\tb\nc\rd\u{3000}e\u{2028}f", "a b c d e f"),
    // White space that is a control character as well goes.
    Case([.clean], "a\u{B}b\u{C}c\u{85}d", "abcd"),
    Case([.clean], "\u{E000}\u{F8FF}\u{10FFFD}", ""),
    // Not assigned: stays, unlike what Unicode's category Cn would suggest.
    Case([.clean], "\u{378}", "\u{378}"),
    Case([.spaceIdeographs], "a中国b", "a 中  国 b"),
    Case([.spaceIdeographs], "ひカ한\u{2B81F}", "ひカ한 \u{2B81F} "),
    // The reference leaves out U+2B820…U+2B91F.
    Case([.spaceIdeographs], "\u{2B820}\u{2B91F}\u{2B920}", "\u{2B820}\u{2B91F} \u{2B920} "),
    Case([.decompose], "é각\u{1E69}", "e\u{301}\u{1100}\u{1161}\u{11A8}s\u{323}\u{307}"),
    Case([.decompose], "a\u{301}\u{316}\u{334}", "a\u{334}\u{316}\u{301}"),
    // Equal classes keep their order.
    Case([.decompose], "a\u{301}\u{300}\u{316}", "a\u{316}\u{301}\u{300}"),
    Case([.decompose], "\u{316}\u{301}", "\u{316}\u{301}"),
    Case([.compose], "e\u{301}\u{1100}\u{1161}\u{11A8}s\u{307}\u{323}", "\u{E9}각\u{1E69}"),
    Case([.compose], "A\u{30A}\u{212B}\u{1E9B}\u{323}", "\u{C5}\u{C5}\u{1E9B}\u{323}"),
    // A mark between of the same class bars; one of another class does not.
    Case([.compose], "a\u{300}\u{301} a\u{316}\u{301}", "\u{E0}\u{301} \u{E1}\u{316}"),
    // Not put together, though taken apart: by rule, and where a starter is between.
    Case(
      [.compose], "\u{958} \u{344} a\u{34F}\u{301}", "\u{915}\u{93C} \u{308}\u{301} a\u{34F}\u{301}"
    ),
    Case([.compose], "\u{301}a \u{9C7}\u{9BE} 가\u{11A7}", "\u{301}a \u{9CB} 가\u{11A7}"),
    Case([.collapseSpace], " a\t\n b\u{3000}\u{A0}", " a b "),
    Case([.collapseSpace], "\u{1C}a", "\u{1C}a"),
    Case([.dropNonspacingMarks], "e\u{301}\u{903}\u{20DD}", "e\u{903}\u{20DD}"),
    Case([.dropCombiningMarks], "e\u{301}\u{903}\u{20DD}", "e"),
    Case([.lowercase], "AZ@[ÀÞ", "az@[àþ"),
    Case([.lowercase], "ΑΣ ΟΔΟΣ", "ασ οδοσ"),
    Case([.lowercase], "\u{130}I", "i\u{307}i"),
    Case([.lowercase], "\u{1E9E}\u{10400}Ǆǅ", "ß\u{10428}ǆǆ"),
    Case([.strip(left: true, right: false)], "\u{3000} a ", "a "),
    Case([.strip(left: false, right: true)], " a \n", " a"),
    Case([.strip(left: true, right: true)], " \t ", ""),
    Case([.lowercase, .decompose, .dropNonspacingMarks], "ÀÉ", "ae"),
  ]

  @Test(arguments: cases) func applies(_ test: Case) {
    var text = scalars(test.text)
    Normalizer(steps: test.steps).apply(to: &text)
    #expect(spelled(text) == spelled(scalars(test.expected)))
  }

  struct Part: CustomTestStringConvertible, Sendable {
    let json: String
    let steps: [Normalizer.Step]
    var testDescription: String { json }
  }

  static func bert(_ accents: String, lowercase: Bool) -> String {
    """
    {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true\(accents), \
    "lowercase": \(lowercase)}
    """
  }

  static let parts: [Part] = [
    Part(
      json: bert(", \"strip_accents\": null", lowercase: true),
      steps: [.clean, .spaceIdeographs, .decompose, .dropNonspacingMarks, .lowercase]),
    Part(
      json: bert(", \"strip_accents\": null", lowercase: false), steps: [.clean, .spaceIdeographs]),
    Part(json: bert("", lowercase: false), steps: [.clean, .spaceIdeographs]),
    Part(
      json: bert(", \"strip_accents\": false", lowercase: true),
      steps: [.clean, .spaceIdeographs, .lowercase]),
    Part(
      json: bert(", \"strip_accents\": true", lowercase: false),
      steps: [.clean, .spaceIdeographs, .decompose, .dropNonspacingMarks]),
    Part(
      json: """
        {"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "Lowercase"}, \
        {"type": "StripAccents"}, {"type": "Strip", "strip_left": false, "strip_right": true}]}
        """,
      steps: [
        .decompose, .lowercase, .dropCombiningMarks, .strip(left: false, right: true),
      ]),
  ]

  @Test(arguments: parts) func reads(_ test: Part) throws {
    let part = try JSONParser.parseObject(Array(test.json.utf8), origin: "tokenizer.json")
    #expect(try Normalizer(part).steps == test.steps)
  }
}
