import StrictJSON
import Testing

@testable import Tokenization

/// Ids of whole texts, as the file says and as OpenCLIP; `InteropTests` compares them with both
/// libraries on the real vocabulary.
struct BytePairTokenizerTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let text: String
    /// Between start and end.
    let ids: [Int32]
    /// As OpenCLIP, where that differs.
    let openCLIP: [Int32]

    init(_ text: String, _ ids: [Int32], openCLIP: [Int32]? = nil) {
      self.text = text
      self.ids = ids
      self.openCLIP = openCLIP ?? ids
    }

    var testDescription: String { "'\(spelled(scalars(text)))'" }
  }

  static let cases: [Case] = [
    Case("", []),
    Case(" \t\n\u{3000} ", []),
    Case("hello", [515]),
    Case("HELLO hello", [515, 515]),
    Case("hell", [512, 108, 364]),
    Case("aaa", [516, 353]),
    Case("aaaa", [516, 97, 353]),
    Case("aaaaa", [516, 516, 353]),
    Case("it's", [517, 518]),
    Case("IT'S", [517, 518]),
    Case("it’s", [517, 226, 128, 409, 371], openCLIP: [517, 518]),
    Case("'st", [518, 372]),
    Case("!'s", [33, 295, 371]),
    Case("12", [305, 306]),
    Case("!?", [33, 319]),
    Case("a!1b", [353, 289, 305, 354]),
    Case("e\u{301}", [195, 425]),
    Case("É", [195, 425]),
    Case("\u{1F600}", [240, 159, 152, 384]),
    Case("a\u{0}a", [353, 256, 353], openCLIP: [97, 353]),
    Case("&amp;", [294, 97, 109, 368, 315], openCLIP: [294]),
    Case("Ａ", [239, 189, 385], openCLIP: [353]),
    Case("ÃŸ", [195, 163, 195, 447], openCLIP: [195, 415]),
    Case("Σ", [207, 387]),
    Case("aΣ", [97, 207, 387], openCLIP: [97, 207, 386]),
    Case(
      "<|endoftext|>", [520],
      openCLIP: [60, 380, 101, 110, 100, 111, 102, 116, 101, 120, 372, 124, 318]),
    Case(
      "a<|ENDOFTEXT|>a", [353, 520, 353],
      openCLIP: [353, 60, 380, 101, 110, 100, 111, 102, 116, 101, 120, 372, 124, 318, 353]),
    Case(
      "<end_of_text>", [316, 101, 110, 356, 351, 111, 358, 351, 116, 101, 120, 372, 318],
      openCLIP: [520]),
    Case(
      "A<START_of_text>a",
      [353, 316, 115, 116, 97, 114, 372, 351, 111, 358, 351, 116, 101, 120, 372, 318, 353],
      openCLIP: [353, 519, 353]),
    Case(
      "<\u{17F}tart_of_text>",
      [316, 197, 191, 116, 97, 114, 372, 351, 111, 358, 351, 116, 101, 120, 372, 318],
      openCLIP: [60, 197, 191, 116, 97, 114, 116, 95, 111, 102, 95, 116, 101, 120, 116, 318]),
    Case("a\u{345}a", [353, 205, 389, 353], openCLIP: [353, 353]),
  ]

  @Test(arguments: cases) func asTheFileSays(_ test: Case) throws {
    let tokenizer = try SmallBytePairs().tokenizer()
    #expect(tokenizer.ids(of: test.text, maximumLength: 77) == [519] + test.ids + [520])
  }

  @Test(arguments: cases) func asOpenCLIP(_ test: Case) throws {
    let tokenizer = try SmallBytePairs().tokenizer(.openCLIP)
    #expect(tokenizer.ids(of: test.text, maximumLength: 77) == [519] + test.openCLIP + [520])
  }

  /// A text that is too long is cut at the end; start and end tokens stay.
  @Test(arguments: [TextCleaning.asFileSays, .openCLIP]) func cuts(_ cleaning: TextCleaning) throws
  {
    let tokenizer = try SmallBytePairs().tokenizer(cleaning)
    let text = String(repeating: "hello it's ", count: 40)
    let all = tokenizer.ids(of: text, maximumLength: 1000)
    #expect(all.count == 122)
    for length in 2...124 {
      let ids = tokenizer.ids(of: text, maximumLength: length)
      #expect(ids == all.dropLast().prefix(length - 1) + [520])
    }
    for length in [Int.min, -1, 0, 1] {
      #expect(tokenizer.ids(of: text, maximumLength: length) == [519, 520])
    }
    #expect(tokenizer.ids(of: text, maximumLength: .max) == all)
  }

  @Test func readsMergesAsPairs() throws {
    var small = SmallBytePairs()
    small.model["merges"] = .array(
      SmallBytePairs.merges.map { .array($0.split(separator: " ").map { .string(String($0)) }) })
    #expect(
      try small.tokenizer().ids(of: "hello it's", maximumLength: 9) == [519, 515, 517, 518, 520])
  }

  /// Files of before the type was written, and without parts that have no effect.
  @Test func readsOldFiles() throws {
    var small = SmallBytePairs()
    for key in ["type", "dropout", "fuse_unk", "byte_fallback", "ignore_merges", "unk_token"] {
      small.model[key] = nil
    }
    small.model["continuing_subword_prefix"] = .null
    small.parts["version"] = nil
    #expect(try small.tokenizer().ids(of: "hello", maximumLength: 9) == [519, 515, 520])
  }

  @Test func specialTokensInTheRawTextOnly() throws {
    var small = SmallBytePairs()
    small.parts["added_tokens"] = [
      SmallBytePairs.added("<|startoftext|>", 519, isNormalized: false),
      SmallBytePairs.added("<|endoftext|>", 520, isNormalized: false),
    ]
    let tokenizer = try small.tokenizer()
    #expect(tokenizer.ids(of: "<|endoftext|>", maximumLength: 9) == [519, 520, 520])
    #expect(tokenizer.ids(of: "<|ENDOFTEXT|>", maximumLength: 99).count > 9)
  }

  @Test func saysWhatModelsAsk() throws {
    var small = SmallBytePairs()
    for (cleaning, padding) in [(TextCleaning.asFileSays, Int32(520)), (.openCLIP, 0)] {
      let tokenizer = try small.tokenizer(cleaning)
      #expect(tokenizer.vocabularySize == 521)
      #expect(tokenizer.paddingID == padding)
      #expect(tokenizer.declaredMaximumLength == nil)
    }
    small.parts["padding"] = ["pad_id": 3]
    small.parts["truncation"] = ["max_length": 77]
    for (cleaning, padding) in [(TextCleaning.asFileSays, Int32(3)), (.openCLIP, 0)] {
      let tokenizer = try small.tokenizer(cleaning)
      #expect(tokenizer.paddingID == padding)
      #expect(tokenizer.declaredMaximumLength == 77)
    }
  }

  @Test func readsWordPieceToo() throws {
    let tokenizer = try TextTokenizers.read(
      json: SmallTokenizer().json, origin: "tokenizer.json", cleaning: .asFileSays)
    #expect(tokenizer.ids(of: "Hello", maximumLength: 9) == [2, 5, 3])
  }

  /// A word of a megabyte: a search through all pairs for each merge would take hours.
  @Test(.timeLimit(.minutes(240)), arguments: [TextCleaning.asFileSays, .openCLIP])
  func longWords(_ cleaning: TextCleaning) throws {
    let tokenizer = try SmallBytePairs().tokenizer(cleaning)
    let count = 1 << 20
    let a = tokenizer.ids(of: String(repeating: "a", count: count), maximumLength: 2 * count)
    #expect(a.count == count / 2 + 3)
    let hell = tokenizer.ids(of: String(repeating: "hell", count: count / 4), maximumLength: 77)
    #expect(hell == [519] + [Int32](repeating: 514, count: 75) + [520])
  }

  /// Texts made to cost time in the cleaning.
  @Test(
    .timeLimit(.minutes(240)),
    arguments: [
      "Ã©", "Ã", "&amp;", "&a", "\u{301}\u{316}", "Σ\u{301}", "\u{1B}[1", "\u{FFFD}", "â€™ é", "<",
      "\u{81}é", "Ã\n", "'s", "<start_of_text",
    ])
  func longTexts(_ part: String) throws {
    let tokenizer = try SmallBytePairs().tokenizer(.openCLIP)
    let text = String(repeating: part, count: 100_000 / part.unicodeScalars.count)
    #expect(tokenizer.ids(of: "&" + text, maximumLength: 77).count <= 77)
  }
}
