import StrictJSON

@testable import Tokenization

/// A `tokenizer.json` in the form of CLIP's, with a vocabulary of all bytes and a few merges.
///
/// A byte within a word has itself as id, at the end of a word 256 more; merges follow from 512 on.
struct SmallBytePairs {
  static let merges = ["h e", "l l", "he ll", "hell o</w>", "a a", "i t</w>", "' s</w>"]
  /// Behind the 7 merges.
  static let (start, end): (Int32, Int32) = (519, 520)

  static let normalizer: JSONValue = [
    "type": "Sequence",
    "normalizers": [
      ["type": "NFC"], ["type": "Replace", "pattern": ["Regex": "\\s+"], "content": " "],
      ["type": "Lowercase"],
    ],
  ]
  static let split: [String: JSONValue] = [
    "type": "Split", "pattern": ["Regex": .string(BytePairSplitter.pattern)],
    "behavior": "Removed", "invert": true,
  ]
  static let byteLevel: [String: JSONValue] = [
    "type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true,
  ]

  /// The tokens by id.
  static func vocabulary(_ merges: [String] = merges) -> [String] {
    let bytes = ByteAlphabet.scalars.compactMap { Unicode.Scalar($0).map { String($0) } }
    let joined = merges.map { String($0.filter { $0 != " " }) }
    return bytes + bytes.map { $0 + "</w>" } + joined + ["<|startoftext|>", "<|endoftext|>"]
  }

  static func added(_ content: String, _ id: Int, isNormalized: Bool = true) -> JSONValue {
    [
      "id": .integer(id), "content": .string(content), "special": true,
      "normalized": .bool(isNormalized), "single_word": false, "lstrip": false, "rstrip": false,
    ]
  }

  static func sequence(_ members: [String: JSONValue]...) -> JSONValue {
    ["type": "Sequence", "pretokenizers": .array(members.map { .object($0) })]
  }

  /// The parts of the file, to be changed by a test.
  var parts: [String: JSONValue] = [
    "version": "1.0", "truncation": .null, "padding": .null, "normalizer": normalizer,
    "pre_tokenizer": sequence(split, byteLevel),
    "post_processor": [
      "type": "RobertaProcessing", "sep": ["<|endoftext|>", 520], "cls": ["<|startoftext|>", 519],
      "trim_offsets": false, "add_prefix_space": false,
    ],
    "added_tokens": [added("<|startoftext|>", 519), added("<|endoftext|>", 520)],
  ]
  /// The parts of the model, to be changed by a test.
  var model: [String: JSONValue] = [
    "type": "BPE", "dropout": .null, "unk_token": "<|endoftext|>",
    "continuing_subword_prefix": "", "end_of_word_suffix": "</w>", "fuse_unk": false,
    "byte_fallback": false, "ignore_merges": false, "vocab": SmallTokenizer.ids(of: vocabulary()),
    "merges": .array(merges.map { .string($0) }),
  ]

  var json: [UInt8] {
    var file = parts
    file["model"] = .object(model)
    return Array(JSONValue.object(file).compact.utf8)
  }

  func tokenizer(_ cleaning: TextCleaning = .asFileSays) throws -> any TextTokenizer {
    try TextTokenizers.read(json: json, origin: "tokenizer.json", cleaning: cleaning)
  }
}
