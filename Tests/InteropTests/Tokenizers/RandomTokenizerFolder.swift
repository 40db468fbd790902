import Foundation
import StrictJSON
import TestSupport
import Testing
import Tokenization

/// Makes folders with files that agree with each other or do not.
struct RandomTokenizerFolder {
  /// Texts with the tokens that files add.
  static let texts = [
    "<new> a<NEW>b", "Two two TWO", "a [MASK]  b [mask][PAD]", "<old> <s><m>", "[CLS]a[SEP]b[UNK]",
    "a  [MASK]  b", "aTwob Two", "\u{C9}\u{DF}\u{130} ΣΑΣ", String(repeating: "ab ", count: 40),
  ]
  private static let special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]

  private let pieces: [String]
  private var state: UInt64

  /// - Parameter texts: the vocabulary has every scalar of these.
  init(texts: [String], seed: UInt64) {
    var known: Set<Unicode.Scalar> = []
    for text in texts {
      let forms = [text, text.lowercased(), text.decomposedStringWithCanonicalMapping]
      known.formUnion(forms.joined().decomposedStringWithCanonicalMapping.unicodeScalars)
      known.formUnion(forms.joined().unicodeScalars)
    }
    let scalars = known.filter { !$0.properties.isWhitespace }.sorted()
    pieces =
      Self.special + ["mask", "two", "Two", "ab", "##ab"]
      + scalars.map { String($0) } + scalars.map { "##\($0)" }
    state = seed
  }

  // A linear congruential generator (Knuth, MMIX): the high bits of the state.
  mutating func random(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }

  private mutating func chance(_ percent: Int) -> Bool { random(100) < percent }
  private mutating func bool() -> JSONValue { .bool(chance(50)) }
  private mutating func pick(_ values: [JSONValue]) -> JSONValue { values[random(values.count)] }

  mutating func write(to folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let put = { (name: String, value: JSONValue) in
      try value.compact.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
    }
    var model: [String: JSONValue] = ["model_type": "bert"]
    let versions: [JSONValue] = ["4.57.6", "4.57.6", "4.36.2", "5.23.0"]
    if chance(75) { model["transformers_version"] = pick(versions) }
    try put("config.json", .object(model))
    if chance(85) { try put("tokenizer.json", tokenizer()) }
    let vocabulary = pieces.joined(separator: "\n") + "\n"
    try vocabulary.write(toFile: "\(folder)/vocab.txt", atomically: true, encoding: .utf8)
    if chance(85) { try put("tokenizer_config.json", configuration()) }
    if chance(30) {
      try put(
        "special_tokens_map.json",
        .object(["mask_token": pick(["[MASK]", "<m>", token("[MASK]")]), "cls_token": "[CLS]"]))
    }
    if chance(15) { try put("added_tokens.json", ["<old>": .integer(pieces.count)]) }
  }

  mutating func tokenizer() -> JSONValue {
    let ids = Dictionary(pieces.enumerated().map { ($1, JSONValue.integer($0)) }) { first, _ in
      first
    }
    let side: JSONValue = pick(["Left", "Right", "Right"])
    return [
      "version": "1.0",
      "truncation": chance(30)
        ? ["max_length": 9, "stride": 0, "strategy": "LongestFirst", "direction": side] : .null,
      "padding": chance(30)
        ? [
          "strategy": "BatchLongest", "direction": side, "pad_to_multiple_of": .null, "pad_id": 0,
          "pad_type_id": 0, "pad_token": "[PAD]",
        ] : .null,
      "added_tokens": addedTokens(), "normalizer": normalizer(),
      "pre_tokenizer": pick([
        ["type": "BertPreTokenizer"], ["type": "BertPreTokenizer"], ["type": "BertPreTokenizer"],
        ["type": "Whitespace"],
      ]),
      "post_processor": postProcessor(),
      "decoder": ["type": "WordPiece", "prefix": "##", "cleanup": true],
      "model": [
        "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
        "max_input_chars_per_word": pick([100, 100, 100, 3]), "vocab": .object(ids),
      ],
    ]
  }

  private mutating func normalizer() -> JSONValue {
    guard chance(85) else {
      return pick([
        ["type": "Lowercase"],
        ["type": "Sequence", "normalizers": [["type": "NFD"], ["type": "StripAccents"]]],
        ["type": "NFC"],
      ])
    }
    return [
      "type": "BertNormalizer", "clean_text": .bool(chance(90)), "handle_chinese_chars": bool(),
      "strip_accents": pick([.null, true, false]), "lowercase": bool(),
    ]
  }

  private mutating func postProcessor() -> JSONValue {
    if chance(10) { return .null }
    if chance(30) { return ["type": "BertProcessing", "cls": ["[CLS]", 2], "sep": ["[SEP]", 3]] }
    let piece = { (name: JSONValue) -> JSONValue in
      ["SpecialToken": ["id": name, "type_id": 0]]
    }
    return [
      "type": "TemplateProcessing",
      "single": [piece("[CLS]"), ["Sequence": ["id": "A", "type_id": 0]], piece("[SEP]")],
      "pair": [],
      "special_tokens": [
        "[CLS]": ["id": "[CLS]", "ids": [2], "tokens": ["[CLS]"]],
        "[SEP]": ["id": "[SEP]", "ids": [3], "tokens": ["[SEP]"]],
      ],
    ]
  }

  private mutating func addedTokens() -> JSONValue {
    var tokens: [JSONValue] = []
    for (id, name) in Self.special.enumerated() where chance(85) {
      tokens.append(token(name, id: id))
    }
    if chance(25) { tokens.append(token("<new>", id: pieces.count)) }
    if chance(25), let id = pieces.firstIndex(of: "Two") { tokens.append(token("Two", id: id)) }
    return .array(tokens)
  }

  private mutating func token(_ content: String, id: Int? = nil) -> JSONValue {
    var members: [String: JSONValue] = [
      "content": .string(content), "single_word": .bool(chance(5)), "lstrip": .bool(chance(10)),
      "rstrip": .bool(chance(10)), "normalized": .bool(chance(5)),
    ]
    if let id {
      members["id"] = .integer(id)
      members["special"] = .bool(chance(85))
    }
    return .object(members)
  }

  private mutating func configuration() -> JSONValue {
    var members: [String: JSONValue] = [:]
    let keys: [(String, Int, [JSONValue])] = [
      (
        "tokenizer_class", 80,
        [
          "BertTokenizer", "BertTokenizer", "BertTokenizerFast", "PreTrainedTokenizerFast",
          "DistilBertTokenizer",
        ]
      ),
      ("do_lower_case", 60, [true, false]), ("strip_accents", 50, [true, false, .null]),
      ("tokenize_chinese_chars", 50, [true, false]),
      ("model_max_length", 60, [512, 12, .double(1e30)]), ("max_len", 10, [128]),
      ("truncation_side", 30, ["left", "right"]), ("padding_side", 30, ["left", "right"]),
      ("mask_token", 40, ["[MASK]", "<m>", "mask", .null]), ("pad_token", 40, ["[PAD]", "[UNK]"]),
      ("cls_token", 40, ["[CLS]", "[CLS]", "[CLS]", "[MASK]"]), ("unk_token", 30, ["[UNK]"]),
      ("bos_token", 10, ["<s>", "[CLS]"]), ("do_basic_tokenize", 30, [true, false]),
      ("never_split", 20, [.null, ["ab"]]),
      ("additional_special_tokens", 15, [[], ["<s>", "ab"]]),
      ("clean_up_tokenization_spaces", 20, [true, false]),
      ("split_special_tokens", 5, [true, false]),
      (
        "model_input_names", 10,
        [
          ["input_ids", "attention_mask"], ["input_ids", "token_type_ids", "attention_mask"],
        ]
      ),
    ]
    for (key, percent, values) in keys where chance(percent) { members[key] = pick(values) }
    if chance(15) {
      let mask = chance(70) ? "[MASK]" : "<new>"
      members["added_tokens_decoder"] = .object([
        mask == "[MASK]" ? "4" : "\(pieces.count)": [
          "content": .string(mask), "single_word": false, "lstrip": false, "rstrip": false,
          "normalized": false, "special": true,
        ]
      ])
    }
    return .object(members)
  }
}
