import StrictJSON
import TestSupport
import Testing

@testable import Tokenization

/// Ids of whole texts; the expected ones are what Hugging Face's library gives for the same file.
struct WordPieceTokenizerTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let text: String
    let ids: [Int32]
    var maximumLength = 64

    init(_ text: String, _ ids: [Int32], maximumLength: Int = 64) {
      self.text = text
      self.ids = ids
      self.maximumLength = maximumLength
    }

    var testDescription: String { "'\(spelled(scalars(text)))' at \(maximumLength)" }
  }

  static let cases: [Case] = [
    Case("", [2, 3]),
    Case("   ", [2, 3]),
    Case("Hello, World!", [2, 5, 18, 6, 17, 3]),
    Case("unaffable", [2, 7, 8, 9, 3]),
    Case("unaffablex", [2, 1, 3]),
    Case("helloo", [2, 1, 3]),
    Case("aaaa", [2, 11, 10, 10, 10, 3]),
    Case("aaaaaaaaaaaa", [2, 11] + [Int32](repeating: 10, count: 11) + [3]),
    Case("aaaaaaaaaaaaa", [2, 1, 3]),
    Case("caf\u{E9}", [2, 14, 3]),
    Case("cafe\u{301}", [2, 14, 3]),
    Case("CAF\u{C9}", [2, 14, 3]),
    Case("中国", [2, 20, 21, 3]),
    Case("a中b", [2, 11, 20, 13, 3]),
    Case("a\u{200B}b", [2, 11, 12, 3]),
    Case("a\u{A0}b", [2, 11, 13, 3]),
    Case("a\u{0}b\u{FFFD}", [2, 11, 12, 3]),
    Case("a\u{B}b", [2, 11, 12, 3]),
    Case("a\r\nb", [2, 11, 13, 3]),
    Case("[MASK]", [2, 4, 3]),
    Case("hello [MASK]!", [2, 5, 4, 17, 3]),
    Case("[mask]", [2, 27, 29, 28, 3]),
    Case("hello[SEP]world", [2, 5, 3, 6, 3]),
    Case("[CLS]", [2, 2, 3]),
    Case("12", [2, 30, 31, 3]),
    // No final sigma: each scalar by itself.
    Case("ΣΑΣ", [2, 1, 3]),
    Case("\u{130}", [2, 24, 3]),
    Case("ß", [2, 23, 3]),
    Case("가", [2, 1, 3]),
    Case("\u{915}\u{93C}", [2, 33, 3]),
    Case("\u{1F600}", [2, 1, 3]),
    Case("a\u{301}\u{316}b", [2, 11, 12, 3]),
    Case("hello world", [2, 5, 3], maximumLength: 3),
    Case("hello world", [2, 3], maximumLength: 2),
    Case("unaffable", [2, 7, 8, 3], maximumLength: 4),
    Case("hello world", [2, 5, 6, 3], maximumLength: 4),
    Case("hello[MASK] world", [2, 5, 4, 3], maximumLength: 4),
    // Not even room for the special tokens: they stay.
    Case("hello", [2, 3], maximumLength: 1),
    Case("hello", [2, 3], maximumLength: 0),
    Case("hello", [2, 3], maximumLength: .min),
    Case("hello", [2, 5, 3], maximumLength: .max),
  ]

  @Test(arguments: cases) func ids(_ test: Case) throws {
    let tokenizer = try SmallTokenizer().tokenizer()
    #expect(tokenizer.ids(of: test.text, maximumLength: test.maximumLength) == test.ids)
  }

  @Test(arguments: [
    Case("caf\u{E9}", [2, 15, 3]), Case("cafe\u{301}", [2, 1, 3]), Case("CAF\u{C9}", [2, 15, 3]),
    Case("\u{C9}", [2, 16, 3]),
  ])
  func keepsAccents(_ test: Case) throws {
    var small = SmallTokenizer()
    small.parts["normalizer"] = [
      "type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
      "strip_accents": false, "lowercase": true,
    ]
    #expect(try small.tokenizer().ids(of: test.text, maximumLength: 64) == test.ids)
  }

  @Test(arguments: [
    Case("##a", [2, 10, 3]), Case("Hello", [2, 1, 3]), Case("hello", [2, 5, 3]),
    Case("hello,", [2, 1, 3]), Case("un##aff", [2, 1, 3]), Case("e\u{301}", [2, 1, 3]),
    Case("\u{E9}", [2, 16, 3]),
  ])
  func withoutNormalizer(_ test: Case) throws {
    var small = SmallTokenizer()
    small.parts["normalizer"] = .null
    small.parts["pre_tokenizer"] = ["type": "WhitespaceSplit"]
    #expect(try small.tokenizer().ids(of: test.text, maximumLength: 64) == test.ids)
  }

  @Test func withoutSpecialTokens() throws {
    var small = SmallTokenizer()
    small.parts["post_processor"] = .null
    let tokenizer = try small.tokenizer()
    #expect(tokenizer.ids(of: "hello world", maximumLength: 64) == [5, 6])
    #expect(tokenizer.ids(of: "hello world", maximumLength: 1) == [5])
    #expect(tokenizer.ids(of: "hello world", maximumLength: 0) == [])
  }

  @Test(arguments: ["BertProcessing", "RobertaProcessing"]) func processing(type: String) throws {
    var small = SmallTokenizer()
    small.parts["post_processor"] = [
      "type": .string(type), "sep": ["[SEP]", 3], "cls": ["[CLS]", 2],
    ]
    #expect(try small.tokenizer().ids(of: "hello", maximumLength: 64) == [2, 5, 3])
  }

  @Test func facts() throws {
    var small = SmallTokenizer()
    var tokenizer = try small.tokenizer()
    #expect(tokenizer.vocabularySize == 34)
    #expect(tokenizer.paddingID == 0)
    #expect(tokenizer.declaredMaximumLength == 128)

    small.parts["padding"] = ["pad_id": 7]
    small.parts["truncation"] = .null
    small.parts["added_tokens"] = [SmallTokenizer.added("<extra>", 34)]
    tokenizer = try small.tokenizer()
    #expect(tokenizer.vocabularySize == 35)
    #expect(tokenizer.paddingID == 7)
    #expect(tokenizer.declaredMaximumLength == nil)
    #expect(tokenizer.ids(of: "a<extra>b", maximumLength: 64) == [2, 11, 34, 13, 3])
  }

  @Test func lengthsAndEnds() throws {
    let tokenizer = try SmallTokenizer().tokenizer()
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<3000 {
      let text = generator.text()
      let all = tokenizer.ids(of: text, maximumLength: .max)
      let limit = Int.random(in: 2...20, using: &generator)
      let cut = tokenizer.ids(of: text, maximumLength: limit)
      #expect(cut == all.dropLast().prefix(limit - 1) + [3], "seed 7: \(spelled(scalars(text)))")
      #expect(cut.first == 2 && cut.count <= limit)
      #expect(all.allSatisfy { 0..<Int32(tokenizer.vocabularySize) ~= $0 })
    }
  }
}
