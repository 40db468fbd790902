import Foundation
import StrictJSON
import TestSupport
import Testing
import Tokenization

/// Our ids against those of Hugging Face's tokenizers library, text by text.
struct TokenizerInteropTests {
  static let quickstart =
    "\(Oracle.repository)/specs/examples/quickstart/models/sentence-encoder/tokenizer.json"
  static let hasQuickstart =
    Oracle.isAvailable && FileManager.default.fileExists(atPath: quickstart)

  @Test(
    .enabled(if: Oracle.hasMiniLM, "no oracle environment: run scripts/test"), arguments: [256, 16])
  func miniLM(maximumLength: Int) throws {
    let folder = try #require(Oracle.miniLM)
    try compare("\(folder)/tokenizer.json", Self.trickyStrings(), maximumLength)
    try compare("\(folder)/tokenizer.json", Self.randomStrings(), maximumLength)
  }

  @Test(
    .enabled(if: hasQuickstart, "no oracle environment: run scripts/test"), arguments: [256, 16])
  func quickstartEncoder(maximumLength: Int) throws {
    try compare(Self.quickstart, Self.trickyStrings(), maximumLength)
    try compare(Self.quickstart, Self.randomStrings(), maximumLength)
  }

  /// Scalars of every kind through each of the parts. The vocabulary holds them by themselves, so
  /// that no difference hides behind the unknown token.
  @Test(
    .enabled(if: Oracle.isAvailable, "no oracle environment: run scripts/test"),
    arguments: CharacterTokenizer.allCases)
  func everyScalar(_ kind: CharacterTokenizer) throws {
    let folder = try TemporaryFolder()
    let file = folder.path("tokenizer.json")
    for part in CharacterTokenizer.parts {
      try kind.json(part.vocabulary).write(toFile: file, atomically: true, encoding: .utf8)
      try compare(file, part.texts, 1_000_000)
    }
  }

  /// Fails where a text has other ids than the library gives, naming the first few such texts.
  private func compare(_ tokenizerPath: String, _ texts: [String], _ maximumLength: Int) throws {
    try #require(!texts.isEmpty)
    let folder = try TemporaryFolder()
    let lines = texts.map { JSONValue.object(["text": .string($0)]).compact + "\n" }.joined()
    try lines.write(toFile: folder.path("in.jsonl"), atomically: true, encoding: .utf8)
    let printed = try Oracle.run(
      "tokenize_hf.py", [tokenizerPath, folder.path("in.jsonl"), "\(maximumLength)"])
    let expected = printed.split(separator: "\n")
    try #require(expected.count == texts.count)

    let json = [UInt8](try Data(contentsOf: URL(filePath: tokenizerPath)))
    let tokenizer = try WordPieceTokenizer(json: json, origin: "tokenizer.json")
    var differences: [String] = []
    for (text, ids) in zip(texts, expected) {
      let ours = "\(tokenizer.ids(of: text, maximumLength: maximumLength))"
      if ours != ids {
        differences.append("\(JSONValue.string(text).compact): \(ours), not \(ids)")
      }
    }
    #expect(differences.isEmpty, "\(differences.count) of \(texts.count): \(differences.prefix(5))")
  }

  static func trickyStrings() throws -> [String] {
    let strings = try strings(at: Oracle.fixture("tricky-strings.jsonl"))
    try #require(strings.count >= 300)
    return strings
  }

  /// The "text" of every line of a file.
  static func strings(at path: String) throws -> [String] {
    try String(contentsOfFile: path, encoding: .utf8).utf8.split(separator: 0x0A).map { line in
      try JSONParser.parseObject(Array(line), origin: path).string("text")
    }
  }

  /// 5,000 texts that mix words, scripts, marks, spaces and special tokens.
  static func randomStrings() -> [String] {
    let blocks: [ClosedRange<UInt32>] = [
      0x20...0x7E, 0x61...0x7A, 0...0x2F, 0x80...0xFF, 0x100...0x24F, 0x300...0x36F, 0x370...0x3FF,
      0x400...0x52F, 0x590...0x5FF, 0x600...0x6FF, 0x900...0x97F, 0xE00...0xE7F, 0xF00...0xFFF,
      0x1100...0x11FF, 0x1E00...0x1FFF, 0x2000...0x206F, 0x2100...0x2BFF, 0x3000...0x30FF,
      0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xE000...0xFAFF, 0xFB00...0xFFFF, 0x10000...0x1FFFF,
      0x20000...0x2FA1F, 0xE0000...0xE01FF, 0x10FF00...0x10FFFF,
    ]
    let words = [
      "Running", "unaffable", "café", "İstanbul", "ΣΑΣ", "[MASK]", "[SEP]", "don't", "3.14",
    ]
    let between = ["", " ", "  ", "\t", "\n", "\u{A0}", "\u{3000}", "-", "_", "\u{301}"]
    var state: UInt64 = 20_250_101
    // A linear congruential generator (Knuth, MMIX): the high bits of the state.
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    return (0..<5000).map { _ in
      var text = ""
      for _ in 0..<random(14) {
        let block = blocks[random(blocks.count)]
        for _ in 0..<random(8) {
          let value = block.lowerBound + UInt32(random(block.count))
          if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
        }
        if random(3) == 0 { text += words[random(words.count)] }
        text += between[random(between.count)]
      }
      return text
    }
  }
}

/// Tokenizers whose vocabulary is single scalars, each with other parts before it.
enum CharacterTokenizer: String, CaseIterable, CustomTestStringConvertible {
  case bert, bertCased, sequence, lowercaseWhitespace, punctuation

  var testDescription: String { rawValue }

  /// Texts of scalars, and the vocabulary of what the scalars may become.
  struct Part: Sendable {
    let texts: [String]
    let vocabulary: String

    init(_ scalars: ArraySlice<Unicode.Scalar>) {
      texts = stride(from: scalars.startIndex, to: scalars.endIndex, by: 8).map { first in
        scalars[first..<min(first + 8, scalars.endIndex)].map { "a\($0)b \($0)\($0)" }
          .joined(separator: " ")
      }
      vocabulary = CharacterTokenizer.vocabulary(scalars)
    }
  }

  /// Of the planes that hold alphabets, marks and variation selectors all scalars; of the others,
  /// ideographs and private use, the first and the last of each 16, where blocks start and end.
  static let parts: [Part] = {
    let scalars = (UInt32(0)..<0x110000).filter(isTried).compactMap { Unicode.Scalar($0) }
    let size = 130_000
    return stride(from: 0, to: scalars.count, by: size).map { start in
      Part(scalars[start..<min(start + size, scalars.count)])
    }
  }()

  private static func isTried(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0..<0x20000, 0x2F800..<0x30000, 0xE0000..<0xE1000: true
    default: scalar & 15 == 0 || scalar & 15 == 15 || scalar & 0xFFF0 == 0xFFF0
    }
  }

  private var normalizer: String {
    switch self {
    case .bert, .bertCased:
      """
      {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, \
      "strip_accents": null, "lowercase": \(self == .bert)}
      """
    case .sequence:
      #"{"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "StripAccents"}]}"#
    case .lowercaseWhitespace: #"{"type": "Lowercase"}"#
    case .punctuation: #"{"type": "NFD"}"#
    }
  }

  private var preTokenizer: String {
    switch self {
    case .bert, .bertCased: #"{"type": "BertPreTokenizer"}"#
    case .sequence: #"{"type": "WhitespaceSplit"}"#
    case .lowercaseWhitespace: #"{"type": "Whitespace"}"#
    case .punctuation: #"{"type": "Punctuation", "behavior": "Isolated"}"#
    }
  }

  /// The scalars, what they decompose to and become in lower case, each as a piece that starts a
  /// word and as one that continues it.
  private static func vocabulary(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var known: Set<Unicode.Scalar> = ["a", "b"]
    for scalar in scalars {
      for text in [String(scalar), scalar.properties.lowercaseMapping] {
        known.formUnion(text.unicodeScalars)
        known.formUnion(text.decomposedStringWithCanonicalMapping.unicodeScalars)
      }
    }
    var vocabulary = "{\"[UNK]\": 0"
    for (place, scalar) in known.sorted().enumerated() {
      let start = JSONValue.string(String(scalar)).compact
      let continued = JSONValue.string("##\(scalar)").compact
      vocabulary += ", \(start): \(place * 2 + 1), \(continued): \(place * 2 + 2)"
    }
    return vocabulary + "}"
  }

  /// A `tokenizer.json` with the parts of this kind.
  func json(_ vocabulary: String) -> String {
    """
    {"version": "1.0", "truncation": null, "padding": null, "added_tokens": [], \
    "normalizer": \(normalizer), "pre_tokenizer": \(preTokenizer), "post_processor": null, \
    "decoder": null, "model": {"type": "WordPiece", "unk_token": "[UNK]", \
    "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": \(vocabulary)}}
    """
  }
}
