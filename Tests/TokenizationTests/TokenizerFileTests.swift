import StrictJSON
import TestSupport
import Testing

@testable import Tokenization

/// Files that are refused, each with its message.
struct TokenizerFileTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let change: @Sendable (inout SmallTokenizer) -> Void
    /// Without the place, which follows the file's name.
    let message: String

    init(
      _ name: String, _ message: String,
      _ change: @escaping @Sendable (inout SmallTokenizer) -> Void
    ) {
      self.name = name
      self.change = change
      self.message = message
    }

    var testDescription: String { name }
  }

  static func added(_ changes: [String: JSONValue]) -> JSONValue {
    guard case .object(let members) = SmallTokenizer.added("[MASK]", 4) else { return .null }
    return [.object(members.merging(changes) { $1 })]
  }

  static func template(_ single: JSONValue, _ tokens: JSONValue = [:]) -> JSONValue {
    ["type": "TemplateProcessing", "single": single, "pair": [], "special_tokens": tokens]
  }

  static let sequence: JSONValue = ["Sequence": ["id": "A", "type_id": 0]]

  static let parts: [Case] = [
    Case("version", "version '2.0' is not supported; known: 1.0") { $0.parts["version"] = "2.0" },
    Case(
      "another model", "model 'BPE' is not supported; known: WordPiece"
    ) { $0.model["type"] = "BPE" },
    Case(
      "no model",
      "'model' is null, which is not the same as no such key; give it a value or leave it out"
    ) {
      $0.parts["model"] = .null
      $0.hasModel = false
    },
    Case(
      "another normalizer",
      "normalizer 'NFX' is not supported; known: \(Normalizer.known.joined(separator: ", "))"
    ) { $0.parts["normalizer"] = ["type": "NFX"] },
    Case(
      "another normalizer within",
      "normalizer 'Other' is not supported; known: \(Normalizer.known.joined(separator: ", "))"
    ) {
      $0.parts["normalizer"] = [
        "type": "Sequence", "normalizers": [["type": "NFD"], ["type": "Other"]],
      ]
    },
    Case(
      "another replacement",
      "pattern of normalizer 'Replace' ' +' is not supported; known:  {2,}, [\\n\\r\\t], \\n, "
        + "\\s+, \\s{2,}|[\\n\\r\\t]"
    ) {
      $0.parts["normalizer"] = ["type": "Replace", "pattern": ["Regex": " +"], "content": " "]
    },
    Case(
      "replacement of nothing", "pattern of normalizer 'Replace' '' is not supported; known: a text"
    ) {
      $0.parts["normalizer"] = ["type": "Replace", "pattern": ["String": ""], "content": " "]
    },
    Case(
      "a version that is null",
      "'version' is null, which is not the same as no such key; give it a value or leave it out"
    ) { $0.parts["version"] = .null },
    Case(
      "added tokens that are null",
      "'added_tokens' is null, which is not the same as no such key; give it a value or leave it out"
    ) { $0.parts["added_tokens"] = .null },
    Case(
      "an unknown part",
      "the key 'filter' (null) is not understood, and it may change what the model does"
    ) { $0.parts["filter"] = .null },
    Case(
      "an unknown key of a normalizer",
      "the key 'form' (the string \"KC\") is not understood, and it may change what the model does"
    ) { $0.parts["normalizer"] = ["type": "NFC", "form": "KC"] },
    Case(
      "an unknown key of a pre-tokenizer",
      "the key 'regex' (true) is not understood, and it may change what the model does"
    ) { $0.parts["pre_tokenizer"] = ["type": "BertPreTokenizer", "regex": true] },
    Case(
      "an unknown key of the padding",
      "the key 'pads' (true) is not understood, and it may change what the model does"
    ) { $0.parts["padding"] = ["pad_id": 0, "pads": true] },
    Case(
      "an unknown key of the truncation",
      "the key 'cut' (the number 1) is not understood, and it may change what the model does"
    ) { $0.parts["truncation"] = ["max_length": 9, "cut": 1] },
    Case(
      "truncation elsewhere", "direction 'Middle' is not supported; known: left, right"
    ) { $0.parts["truncation"] = ["max_length": 9, "direction": "Middle"] },
    Case("normalizer as text", "'normalizer' is the string \"NFD\", expected an object") {
      $0.parts["normalizer"] = "NFD"
    },
    Case("a sequence of numbers", "'normalizers' holds the number 1, expected objects") {
      $0.parts["normalizer"] = ["type": "Sequence", "normalizers": [1]]
    },
    Case("normalizer without a flag", "the key 'lowercase' is missing") {
      $0.parts["normalizer"] = ["type": "BertNormalizer", "clean_text": true]
    },
    Case(
      "normalizer with an unknown flag",
      "unknown key 'fold_kana'; known here: type, clean_text, handle_chinese_chars, strip_accents, "
        + "lowercase"
    ) {
      $0.parts["normalizer"] = ["type": "BertNormalizer", "lowercase": true, "fold_kana": true]
    },
    Case(
      "another pre-tokenizer",
      "pre_tokenizer 'CharDelimiterSplit' is not supported; known: "
        + PreTokenizer.known.joined(separator: ", ")
    ) { $0.parts["pre_tokenizer"] = ["type": "CharDelimiterSplit"] },
    Case(
      "another behaviour",
      "behavior of pre_tokenizer 'Punctuation' 'Removed' is not supported; known: Isolated"
    ) { $0.parts["pre_tokenizer"] = ["type": "Punctuation", "behavior": "Removed"] },
    Case(
      "another post-processor",
      "post_processor 'Other' is not supported; known: BertProcessing, ByteLevel, "
        + "RobertaProcessing, Sequence, TemplateProcessing"
    ) { $0.parts["post_processor"] = ["type": "Other"] },
    Case("negative padding", "'pad_id' is the number -1, expected 0...2147483646") {
      $0.parts["padding"] = ["pad_id": -1]
    },
    Case("truncation in words", "'max_length' is the string \"128\", expected an integer") {
      $0.parts["truncation"] = ["max_length": "128"]
    },
  ]

  @Test(arguments: parts + models + specialTokens) func refuses(_ test: Case) throws {
    var small = SmallTokenizer()
    test.change(&small)
    #expect(message(small.json).withoutPlace == test.message)
  }

  @Test(arguments: [
    ("", "tokenizer.json:1:1: the text ends where a value is expected"),
    ("[]", "tokenizer.json:1:1: is an array of 0, expected an object"),
    ("{}", "tokenizer.json:1:1: the key 'model' is missing"),
    (
      "{\"model\": {\"unk_token\": \"a\", \"vocab\": {\"a\": 0}, \"continuing_subword_prefix\": \"\", "
        + "\"max_input_chars_per_word\": 1},\n  \"normalizer\": {\"type\": \"Foo\"}}",
      "tokenizer.json:2:26: normalizer 'Foo' is not supported; known: "
        + Normalizer.known.joined(separator: ", ")
    ),
  ])
  func namesThePlace(_ text: String, _ expected: String) {
    #expect(message(Array(text.utf8)).text == expected)
  }

  @Test func aTruncatedFileIsRefusedWherever() throws {
    let json = SmallTokenizer().json
    for length in json.indices {
      #expect(throws: PreprocessingError.self) {
        try WordPieceTokenizer(json: Array(json[..<length]), origin: "tokenizer.json")
      }
    }
  }

  /// Damaged files are refused or read, and what was read can be used; nothing traps.
  @Test func survivesDamage() throws {
    let json = SmallTokenizer().json
    let snippets = ["null", "[]", "{}", "-1", "1e99", "\"A\"", "true", "\\u0301", "NFD", "Strip"]
    var generator = SeededGenerator(seed: 3)
    var accepted = 0
    for _ in 0..<20_000 {
      var damaged = json
      for _ in 0...Int.random(in: 0...2, using: &generator) {
        let start = Int.random(in: damaged.indices, using: &generator)
        let end = min(start + Int.random(in: 0...6, using: &generator), damaged.count)
        let snippet = snippets[Int.random(in: snippets.indices, using: &generator)]
        let byte = UInt8.random(in: 0...127, using: &generator)
        let isByte = Bool.random(using: &generator)
        damaged.replaceSubrange(start..<end, with: isByte ? [byte] : Array(snippet.utf8))
      }
      guard let tokenizer = try? WordPieceTokenizer(json: damaged, origin: "tokenizer.json") else {
        continue
      }
      accepted += 1
      let ids = tokenizer.ids(of: "Hello [MASK] unaffable c\u{E9}", maximumLength: 9)
      #expect(ids.count <= 9 && ids.allSatisfy { 0..<Int32(tokenizer.vocabularySize) ~= $0 })
    }
    #expect(accepted > 100 && accepted < 19_900)
  }

  private func message(_ json: [UInt8]) -> (text: String, withoutPlace: String) {
    do {
      _ = try WordPieceTokenizer(json: json, origin: "tokenizer.json")
      return ("accepted", "accepted")
    } catch {
      let text = "\(error)"
      let parts = text.split(separator: ": ", maxSplits: 1)
      return (text, parts.count == 2 ? String(parts[1]) : text)
    }
  }
}
