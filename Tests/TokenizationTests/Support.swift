import StrictJSON
import TestSupport

@testable import Tokenization

/// A `tokenizer.json` in the form of real ones, with a vocabulary of a few pieces.
struct SmallTokenizer {
  /// The piece with id `n` is at index `n`.
  static let vocabulary = [
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "hello", "world", "un", "##aff", "##able",
    "##a", "a", "##b", "b", "cafe", "caf\u{E9}", "\u{E9}", "!", ",", ".", "中", "国", "ss", "ß",
    "i", "σας", "##ς", "[", "]", "mask", "1", "##2", "tea", "\u{915}",
  ]

  static let bertNormalizer: JSONValue = [
    "type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
    "strip_accents": .null, "lowercase": true,
  ]

  static let template: JSONValue = [
    "type": "TemplateProcessing",
    "single": [
      ["SpecialToken": ["id": "[CLS]", "type_id": 0]],
      ["Sequence": ["id": "A", "type_id": 0]],
      ["SpecialToken": ["id": "[SEP]", "type_id": 0]],
    ],
    "pair": [],
    "special_tokens": [
      "[CLS]": ["id": "[CLS]", "ids": [2], "tokens": ["[CLS]"]],
      "[SEP]": ["id": "[SEP]", "ids": [3], "tokens": ["[SEP]"]],
    ],
  ]

  /// The parts of the file, to be changed by a test.
  var parts: [String: JSONValue] = [
    "version": "1.0", "truncation": ["max_length": 128, "strategy": "LongestFirst", "stride": 0],
    "padding": .null, "normalizer": bertNormalizer, "pre_tokenizer": ["type": "BertPreTokenizer"],
    "post_processor": template, "decoder": ["type": "WordPiece", "prefix": "##", "cleanup": true],
    "added_tokens": .array((0..<5).map { added(vocabulary[$0], $0, strip: $0 == 4) }),
  ]
  /// The parts of the model, to be changed by a test.
  var model: [String: JSONValue] = [
    "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
    "max_input_chars_per_word": 12, "vocab": ids(of: vocabulary),
  ]

  /// Whether the parts of the model make up the part `model`.
  var hasModel = true

  /// The pieces with their places as ids.
  static func ids(of pieces: [String]) -> JSONValue {
    .object(
      Dictionary(uniqueKeysWithValues: pieces.enumerated().map { ($1, .integer($0)) }))
  }

  /// A special token of the model's vocabulary, found in the raw text.
  static func added(_ content: String, _ id: Int, strip: Bool = false) -> JSONValue {
    [
      "id": .integer(id), "content": .string(content), "special": true, "normalized": false,
      "single_word": false, "lstrip": .bool(strip), "rstrip": false,
    ]
  }

  var json: [UInt8] {
    var file = parts
    if hasModel { file["model"] = .object(model) }
    return Array(JSONValue.object(file).compact.utf8)
  }

  func tokenizer() throws -> WordPieceTokenizer {
    try WordPieceTokenizer(json: json, origin: "tokenizer.json")
  }
}

/// A text as the scalars that the parts of a tokenizer work on.
func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

/// Scalars as text, each as `{xx}` where it is not a plain visible one, so that failures can be read
/// and canonically equivalent texts differ.
func spelled(_ scalars: some Sequence<UInt32>) -> String {
  scalars.map { 0x20...0x7E ~= $0 ? "\(Unicode.Scalar(UInt8($0)))" : "{\(String($0, radix: 16))}" }
    .joined()
}

extension SeededGenerator {
  /// A text of up to 40 scalars from many blocks, with spaces and special tokens strewn in.
  mutating func text() -> String {
    let blocks: [ClosedRange<UInt32>] = [
      0x20...0x7E, 0x61...0x7A, 0x61...0x62, 0...0x2F, 0x80...0x24F, 0x300...0x36F, 0x370...0x52F,
      0x590...0x6FF, 0x900...0x97F, 0xE00...0xFFF, 0x1100...0x11FF, 0x1E00...0x20FF,
      0x3000...0x30FF, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xE000...0xFFFF, 0x10000...0x1FFFF,
      0x20000...0x2FA1F, 0xE0000...0xE01FF, 0x10FF00...0x10FFFF,
    ]
    var text = ""
    for _ in 0..<Int.random(in: 0...8, using: &self) {
      let block = blocks[Int.random(in: blocks.indices, using: &self)]
      for _ in 0..<Int.random(in: 0...5, using: &self) {
        guard let scalar = Unicode.Scalar(UInt32.random(in: block, using: &self)) else { continue }
        text.unicodeScalars.append(scalar)
      }
      let between = ["", " ", "\t", "[MASK]", "\u{A0}", "hello", "\u{301}"]
      text += between[Int.random(in: between.indices, using: &self)]
    }
    return text
  }
}
