import StrictJSON
import Testing

@testable import Tokenization

/// The keys of files that people have, each form as its makers wrote it.
@Suite struct RealTokenizerFilesTests {
  /// all-MiniLM-L6-v2, of 2021.
  static let miniLM = """
    {"do_lower_case": true, "unk_token": "[UNK]", "sep_token": "[SEP]", "pad_token": "[PAD]", \
    "cls_token": "[CLS]", "mask_token": "[MASK]", "tokenize_chinese_chars": true, \
    "strip_accents": null, "name_or_path": "nreimers/MiniLM-L6-H384-uncased", \
    "do_basic_tokenize": true, "never_split": null, "tokenizer_class": "BertTokenizer", \
    "model_max_length": 512}
    """
  /// As transformers 4.57 saves it again.
  static let saved = """
    {"added_tokens_decoder": {"4": {"content": "[MASK]", "lstrip": true, "normalized": false, \
    "rstrip": false, "single_word": false, "special": true}}, \
    "clean_up_tokenization_spaces": false, "cls_token": "[CLS]", "do_basic_tokenize": true, \
    "do_lower_case": true, "extra_special_tokens": {}, "mask_token": "[MASK]", \
    "max_length": 128, "model_max_length": 256, "never_split": null, \
    "pad_to_multiple_of": null, "pad_token": "[PAD]", "pad_token_type_id": 0, \
    "padding_side": "right", "sep_token": "[SEP]", "stride": 0, "strip_accents": null, \
    "tokenize_chinese_chars": true, "tokenizer_class": "BertTokenizer", \
    "truncation_side": "right", "truncation_strategy": "longest_first", "unk_token": "[UNK]"}
    """
  /// As transformers 5 saves it.
  static let five = """
    {"backend": "tokenizers", "cls_token": "[CLS]", "do_lower_case": true, "is_local": true, \
    "local_files_only": false, "mask_token": "[MASK]", "model_max_length": 512, \
    "pad_token": "[PAD]", "sep_token": "[SEP]", "strip_accents": null, \
    "tokenize_chinese_chars": true, "tokenizer_class": "BertTokenizer", "unk_token": "[UNK]"}
    """

  @Test(arguments: [miniLM, saved, five]) func bert(json: String) throws {
    var folder = SmallFolder()
    let root = try JSONParser.parse(Array(json.utf8), origin: "f")
    guard case .object(let members) = root.value else { return }
    folder.configuration = members
    folder.specialTokens = [
      "mask_token": "[MASK]",
      "pad_token": [
        "content": "[PAD]", "lstrip": false, "normalized": false, "rstrip": false,
        "single_word": false,
      ],
    ]
    #expect(folder.refusal == "accepted")
    #expect(try folder.ids("Hello [MASK]") == [5, 4])
  }

  /// CLIP of 2021: the flags of `special_tokens_map.json` give way to those of `tokenizer.json`.
  @Test(arguments: [true, false]) func clip(isNormalized: Bool) throws {
    let token = { (content: JSONValue) -> JSONValue in
      [
        "content": content, "single_word": false, "lstrip": false, "rstrip": false,
        "normalized": true,
      ]
    }
    let (start, end): (JSONValue, JSONValue) = ("<|startoftext|>", "<|endoftext|>")
    let configuration: JSONValue = [
      "unk_token": [
        "content": end, "single_word": false, "lstrip": false, "rstrip": false,
        "normalized": true, "__type": "AddedToken",
      ],
      "bos_token": start, "eos_token": end, "pad_token": end, "add_prefix_space": false,
      "errors": "replace", "do_lower_case": true, "name_or_path": "./clip_ViT_B_32/",
      "model_max_length": 77, "special_tokens_map_file": "./special_tokens_map.json",
      "tokenizer_class": "CLIPTokenizer",
    ]
    let map: JSONValue = [
      "bos_token": token(start), "eos_token": token(end), "unk_token": token(end),
      "pad_token": end,
    ]
    var small = SmallBytePairs()
    small.parts["added_tokens"] = [
      SmallBytePairs.added("<|startoftext|>", 519, isNormalized: isNormalized),
      SmallBytePairs.added("<|endoftext|>", 520, isNormalized: isNormalized),
    ]
    let json = { (value: JSONValue) in
      TokenizerFiles.File(origin: "f", bytes: Array(value.compact.utf8))
    }
    let files = TokenizerFiles([
      .tokenizer: .init(origin: "tokenizer.json", bytes: small.json),
      .configuration: json(configuration), .specialTokens: json(map),
      .model: json(["model_type": "clip", "transformers_version": "4.16.0.dev0"]),
    ])
    let tokenizer = try TextTokenizers.read(files)
    #expect(tokenizer.configuredMaximumLength == 77)
    #expect(tokenizer.paddingID == 520)
    #expect(
      tokenizer.ids(of: "Hello <|endoftext|>", maximumLength: 77)
        == (try small.tokenizer()).ids(of: "Hello <|endoftext|>", maximumLength: 77))
  }

  /// The expression of transformers 5 makes a word of a special token that was not found before.
  @Test func clipOfFive() throws {
    var small = SmallBytePairs()
    let cut: JSONValue = .object(
      SmallBytePairs.split.merging(
        ["pattern": ["Regex": .string(BytePairSplitter.patternWithTokens)]]) { $1 })
    small.parts["pre_tokenizer"] = [
      "type": "Sequence", "pretokenizers": [cut, .object(SmallBytePairs.byteLevel)],
    ]
    let plain = try SmallBytePairs().tokenizer()
    let text = "hello <|ENDOFTEXT|>it"
    #expect(
      try small.tokenizer().ids(of: text, maximumLength: 99)
        == plain.ids(of: text, maximumLength: 99))
    small.parts["added_tokens"] = [
      SmallBytePairs.added("<|startoftext|>", 519, isNormalized: false),
      SmallBytePairs.added("<|endoftext|>", 520, isNormalized: false),
    ]
    let ids = try small.tokenizer().ids(of: "<|ENDOFTEXT|>it", maximumLength: 99)
    // 13 bytes of one word; only the last one ends it.
    #expect(ids.count == 16 && ids[13] == 0x3E + 256)
  }
}
