import StrictJSON

extension TokenizerConfiguration {
  /// Every key of `tokenizer_config.json` that is known, for the class that it names.
  static func rules(_ root: JSONObject) -> KeyRules {
    if isSiglip(root) { return siglipKeys }
    return root["tokenizer_class"]?.string?.hasPrefix("Gemma") == true ? gemmaKeys : keys
  }

  /// Whether the file names SigLIP's class.
  static func isSiglip(_ root: JSONObject) -> Bool {
    root["tokenizer_class"]?.string?.hasPrefix("Siglip") == true
  }

  static let keys = rules(understood: [])
  /// Only Gemma's class takes these two from here.
  private static let gemmaKeys = rules(understood: ["add_bos_token", "add_eos_token"])

  /// SigLIP's class passes settings on to SentencePiece.
  private static let siglipKeys = rules(
    understood: [], harmless: harmless.filter { $0.key != "sp_model_kwargs" },
    neutral: neutral.merging(["sp_model_kwargs": [.object([:])], "backend": ["sentencepiece"]]) {
      $1
    }, nullable: nullable.filter { $0 != "legacy" })

  private static func rules(
    understood: [String], harmless: [String: String] = harmless,
    neutral: [String: [JSONValue]] = neutral, nullable: [String] = nullable
  ) -> KeyRules {
    KeyRules(
      understood: [
        "tokenizer_class", "do_lower_case", "strip_accents", "tokenize_chinese_chars",
        "model_max_length", "max_len", "truncation_side", "padding_side", "added_tokens_decoder",
        "model_input_names", "keep_accents", "split_by_punct", "add_prefix_space", "extra_ids",
        "unk_id", "legacy",
      ] + SpecialTokens.keys + understood,
      harmless: harmless, neutral: neutral, nullable: .of(nullable + SpecialTokens.nullableKeys))
  }

  /// Keys whose null is the same as none.
  private static let nullable = [
    "tokenizer_class", "strip_accents", "add_prefix_space", "model_max_length", "max_len", "legacy",
    "add_bos_token", "add_eos_token", "from_slow", "clean_text", "wordpieces_prefix", "backend",
    "files_loaded", "tokenizer_file", "full_tokenizer_file", "vocab_file", "gguf_file",
  ]

  /// Keys that change no token id, each with the reason.
  static let harmless: [String: String] = [
    "name_or_path": "says where the tokenizer came from",
    "special_tokens_map_file": "says where the map came from; the one in the folder is read",
    "is_local": "says where the tokenizer came from",
    "local_files_only": "says where the tokenizer came from",
    "processor_class": "says which class of the library holds the tokenizer",
    "use_fast": "the library does not look at it in the file",
    "verbose": "what the library prints",
    "trust_remote_code":
      "only code in the folder would need it, and there is none without auto_map",
    "clean_up_tokenization_spaces": "on the way from ids to text",
    "spaces_between_special_tokens": "on the way from ids to text",
    "errors": "on the way from ids to text",
    "chat_template": "for conversations; no embedding uses it",
    "response_schema": "for conversations; no embedding uses it",
    "response_template": "for conversations; no embedding uses it",
    "chat_control_tokens": "for conversations; no embedding uses it",
    "do_basic_tokenize": "of the slow tokenizer; the fast one does not look at it",
    "never_split": "of the slow tokenizer; the fast one does not look at it",
    "pad_token_type_id": "of padding, which no text sees",
    "pad_to_multiple_of": "more padding, which no text sees",
    "max_length": "the length of the call counts, and the library takes that from elsewhere",
    "stride": "what is cut off is not used",
    "truncation_strategy": "for pairs of texts",
    "return_token_type_ids": "types are all 0",
    "return_offsets_mapping": "for offsets, which nobody asks for",
    "model_type": "the one of config.json counts",
    "sp_model_kwargs": "of the slow tokenizer; the fast one does not look at it",
    "remove_space": "of the slow tokenizer; the fast one does not look at it",
    "vocab_type": "of the slow tokenizer; the fast one does not look at it",
    "trim_offsets": "for offsets, which nobody asks for",
    "merges_file": "tokenizer.json holds the merges",
  ]

  /// Keys that change nothing at these values, and are not built for others.
  static let neutral: [String: [JSONValue]] = [
    "split_special_tokens": [false],
    "add_bos_token": [false],
    "add_eos_token": [false],
    "from_slow": [false],
    "clean_text": [true],
    "wordpieces_prefix": ["##"],
    "backend": ["tokenizers"],
    "init_inputs": [[]],
    "files_loaded": [[]],
    // Other files and code instead of those read here; versions disagree which ones.
    "tokenizer_file": [],
    "full_tokenizer_file": [],
    "vocab_file": [],
    "auto_map": [],
    "fast_tokenizer_files": [],
    "gguf_file": [],
  ]
}
