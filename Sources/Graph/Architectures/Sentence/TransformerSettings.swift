import StrictJSON

/// Settings in the Transformer module's own file: `sentence_bert_config.json`, or the name it had
/// in older versions of sentence-transformers.
struct TransformerSettings {
  /// Number of tokens that a text is cut to, if the file says so.
  private(set) var maximumLength: Int?
  /// Whether text is put in lower case before the tokenizer sees it.
  private(set) var lowerCases = false
  /// The file's path in the model's folder; nil without one.
  private(set) var file: String?

  /// In the order in which the library looks for them.
  private static let names = [
    "bert", "roberta", "distilbert", "camembert", "albert", "xlm-roberta", "xlnet",
  ].map { "sentence_\($0)_config.json" }

  private static let empty: [JSONValue] = [.object([:])]
  private static let tokenVectors = JSONValue.object([
    "text": .object([
      "method": .string("forward"), "method_output_name": .string("last_hidden_state"),
    ])
  ])

  private static let rules = KeyRules(
    understood: ["max_seq_length", "do_lower_case"],
    harmless: ["unpad_inputs": "where a GPU leaves out padding, which changes no vector"],
    neutral: [
      "transformer_task": [.string("feature-extraction")], "modality_config": [tokenVectors],
      "module_output_name": [.string("token_embeddings")], "processing_kwargs": empty,
      "query_length": [], "document_length": [], "query_expansion": [],
      "tokenizer_name_or_path": [],
      "model_args": empty, "model_kwargs": empty, "tokenizer_args": empty,
      "processor_kwargs": empty, "config_args": empty, "config_kwargs": empty,
    ],
    nullable: [
      "max_seq_length", "do_lower_case", "processing_kwargs", "query_length", "document_length",
      "query_expansion", "tokenizer_name_or_path",
    ])

  /// - Parameter folder: of the module, seen from the model's; empty for that itself.
  init(_ files: ModelFiles, in folder: String) throws {
    for name in Self.names {
      let path = folder.isEmpty ? name : "\(folder)/\(name)"
      guard let config = try files.object(path) else { continue }
      file = path
      // An empty object counts as no file for the library, which then looks for the next.
      guard !config.members.isEmpty else { continue }
      try Self.rules.check(config)
      if config.has("max_seq_length") {
        maximumLength = try config.plainInteger("max_seq_length", in: 3...1 << 20)
      }
      if config.has("do_lower_case") { lowerCases = try config.bool("do_lower_case") }
      return
    }
  }

  /// The length that the file sets.
  ///
  /// - Throws: if the model has fewer positions, where the library fails on longer texts.
  func statedLength(_ files: ModelFiles, positions: Int) throws(ModelError) -> Int? {
    guard let file, let maximumLength else { return nil }
    guard maximumLength <= positions else {
      throw .unsupported(
        place: "\(files.name(of: file)): 'max_seq_length'", found: "\(maximumLength)",
        supported: "at most 'max_position_embeddings' of config.json, which is \(positions)")
    }
    return maximumLength
  }
}
