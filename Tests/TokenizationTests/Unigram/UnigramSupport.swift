import StrictJSON
import TestSupport

@testable import Tokenization

/// A `tokenizer.json` in the form of XLM-RoBERTa's, with a few pieces.
enum SmallUnigram {
  /// The piece with id `n` is at index `n`.
  static let pieces: [(String, Double)] = [
    ("<s>", 0), ("<pad>", 0), ("</s>", 0), ("<unk>", 0), ("\u{2581}", -3), ("a", -2), ("b", -2),
    ("ab", -3), ("\u{2581}a", -2.5), ("abc", -9), ("c", -3), ("xy", -20), ("<mask>", 0),
  ]

  static func vocabulary(_ pieces: [(String, Double)]) -> JSONValue {
    .array(pieces.map { [.string($0.0), .double($0.1)] })
  }

  static let cutting: JSONValue = [
    "type": "Sequence",
    "pretokenizers": [
      ["type": "WhitespaceSplit"],
      [
        "type": "Metaspace", "replacement": "\u{2581}", "prepend_scheme": "always", "split": true,
      ],
    ],
  ]

  static let template: JSONValue = [
    "type": "TemplateProcessing",
    "single": [
      ["SpecialToken": ["id": "<s>", "type_id": 0]], ["Sequence": ["id": "A", "type_id": 0]],
      ["SpecialToken": ["id": "</s>", "type_id": 0]],
    ],
    "pair": [],
    "special_tokens": [
      "<s>": ["id": "<s>", "ids": [0], "tokens": ["<s>"]],
      "</s>": ["id": "</s>", "ids": [2], "tokens": ["</s>"]],
    ],
  ]

  /// The file, after a test has changed it.
  static func file(_ change: (inout SmallTokenizer) -> Void = { _ in }) -> SmallTokenizer {
    var small = SmallTokenizer()
    small.parts["normalizer"] = .null
    small.parts["pre_tokenizer"] = cutting
    small.parts["post_processor"] = template
    small.parts["decoder"] = .null
    small.parts["added_tokens"] = .array(
      [0, 1, 2, 3, 12].map { SmallTokenizer.added(pieces[$0].0, $0, strip: $0 == 12) })
    small.model = [
      "type": "Unigram", "unk_id": 3, "byte_fallback": false, "vocab": vocabulary(pieces),
    ]
    change(&small)
    return small
  }

  static func read(
    _ change: (inout SmallTokenizer) -> Void = { _ in }
  ) throws -> any TextTokenizer {
    try TextTokenizers.read(
      json: file(change).json, origin: "tokenizer.json", cleaning: .asFileSays)
  }

  /// Why a file is refused, without the place.
  static func refusal(_ change: (inout SmallTokenizer) -> Void) -> String {
    do {
      _ = try read(change)
      return "accepted"
    } catch {
      return "\(error)".replacing(#/^[^ ]+:[0-9]+:[0-9]+: /#, with: "")
    }
  }
}
