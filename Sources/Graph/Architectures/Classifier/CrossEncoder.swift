import StrictJSON

/// What the files of a cross-encoder say beside those of its classifier: sentence-transformers reads
/// two texts together with it.
///
/// Source: the files that `CrossEncoder` of sentence-transformers writes, 2 to 6.2.
struct CrossEncoder {
  /// What becomes of the numbers; nil if no file says.
  let scores: ClassifierTask.Scores?
  /// Tokens that two texts are cut to, if a file says so.
  let maximumLength: Int?
  /// Describing files that other classifiers do not have.
  let files: [String]
  private let tokenizer: JSONObject?
  private let config: JSONObject

  private static let moduleFile = "sentence_bert_config.json"

  /// Whether `config_sentence_transformers.json` says so, as it does from 5.4 on.
  static func isOne(_ files: ModelFiles) throws -> Bool {
    try files.object(SentencePrompts.file)?["model_type"]?.string == "CrossEncoder"
  }

  /// Refuses a folder of one of some types that is called a cross-encoder and names no class with a head.
  static func requireHead(_ files: ModelFiles, of types: [String]) throws {
    guard let stated = try files.object(SentencePrompts.file), let kind = stated["model_type"],
      let config = try files.object(HeadedModel.configName),
      let type = config["model_type"]?.string, types.contains(type),
      try HeadedModel(files) == nil
    else { return }
    throw stated.error(
      "'model_type' is \"CrossEncoder\", and 'architectures' in \(HeadedModel.configName) names no "
        + "class '…\(HeadTask.texts.rawValue)' that is read", at: kind.position)
  }

  /// Reads the files of a cross-encoder.
  ///
  /// - Returns: nil for a classifier that no file calls one.
  /// - Throws: on other activations, prompts, and modules beside the transformer.
  init?(_ config: JSONObject, _ files: ModelFiles) throws {
    let isOne = try Self.isOne(files)
    guard
      isOne || config.has("sentence_transformers")
        || config.has("sbert_ce_default_activation_function")
    else { return nil }
    let stated = try isOne ? Self.statement(files) : nil
    let noted = try CrossEncoderActivation.noted(in: config)
    if let stated, let noted, stated != noted {
      throw config.error(
        "the activation here is \(noted.word), in \(SentencePrompts.file) it is \(stated.word)",
        at: config.position)
    }
    scores = (stated ?? noted)?.scores
    maximumLength = try isOne ? Self.statedLength(files) : nil
    self.files = try [SentencePrompts.file, SentenceModules.file, Self.moduleFile].filter {
      try isOne && files.bytes(of: $0) != nil
    }
    tokenizer = try files.object("tokenizer_config.json")
    self.config = config
  }

  // MARK: Files since 5.4

  private static let rules = KeyRules(
    understood: ["model_type", "activation_fn"],
    harmless: [
      "__version__": "who wrote the files",
      "requirements": "the versions of Python packages that the author asks for",
      "keep_in_fp32_modules": "layers that a GPU computes in float32, as Ingot does",
    ],
    neutral: ["prompts": [.object([:])], "default_prompt_name": []],
    nullable: ["activation_fn", "default_prompt_name"])

  private static func statement(_ files: ModelFiles) throws -> CrossEncoderActivation? {
    guard let stated = try files.object(SentencePrompts.file) else { return nil }
    try rules.check(stated)
    try requireOneModule(files)
    return try CrossEncoderActivation(in: stated, "activation_fn")
  }

  private static func requireOneModule(_ files: ModelFiles) throws {
    guard let entries = try SentenceModules.entries(files) else { return }
    let kinds = try entries.map { try $0.known() }
    guard kinds == [.transformer], entries[0].path.isEmpty else {
      throw ModelError.unsupported(
        place: files.name(of: SentenceModules.file),
        found: "the chain \(kinds.map(\.rawValue).joined(separator: ", ")) of a cross-encoder",
        supported: "one Transformer in the model's own folder")
    }
  }

  private static let empty: [JSONValue] = [.object([:])]
  private static let logits = JSONValue.object([
    "text": .object([
      "method": .string("forward"), "method_output_name": .string("logits"),
    ])
  ])
  private static let moduleRules = KeyRules(
    understood: ["max_seq_length"],
    harmless: ["unpad_inputs": "where a GPU leaves out padding, which changes no number"],
    neutral: [
      "transformer_task": [.string("sequence-classification")], "modality_config": [logits],
      "module_output_name": [.string("scores")], "do_lower_case": [.bool(false)],
      "processing_kwargs": empty, "model_args": empty, "model_kwargs": empty,
      "tokenizer_args": empty, "processor_kwargs": empty, "config_args": empty,
      "config_kwargs": empty,
    ],
    nullable: ["max_seq_length", "do_lower_case", "processing_kwargs"])

  private static func statedLength(_ files: ModelFiles) throws -> Int? {
    guard let module = try files.object(moduleFile) else { return nil }
    try moduleRules.check(module)
    guard module.has("max_seq_length") else { return nil }
    return try module.plainInteger("max_seq_length", in: 3...1 << 20)
  }
}

extension CrossEncoder {
  /// Classes of tokenizers that give a model no types, by the beginnings of their names.
  private static let withoutTypes = [
    "Roberta", "XLMRoberta", "DistilBert", "MPNet", "Camembert", "Qwen2", "Gemma", "GPT2", "T5",
  ]
  private static let withTypes = [
    "Bert", "Electra", "DebertaV2", "PreTrainedTokenizer", "TokenizersBackend",
  ]
  /// Models whose own class, where no file names one, gives types.
  private static let modelsWithTypes = [
    "bert", "electra", "deberta-v2", "nomic_bert", "gte", "new",
  ]

  /// Whether the tokenizer gives the model the type of each token: by `model_input_names` of
  /// `tokenizer_config.json`, else by its class.
  ///
  /// - Throws: for a class of which versions of the library say different things, as ALBERT's.
  func givesTypes() throws -> Bool {
    if let names = tokenizer?["model_input_names"]?.array {
      return names.contains { $0.string == "token_type_ids" }
    }
    let named = tokenizer?["tokenizer_class"]?.string ?? config["tokenizer_class"]?.string
    let type = config["model_type"]?.string ?? ""
    guard let named else {
      if type != "albert" { return Self.modelsWithTypes.contains(type) }
      throw unknownTypes("'model_type' albert without 'model_input_names'")
    }
    if Self.withoutTypes.contains(where: named.hasPrefix) { return false }
    if Self.withTypes.contains(where: named.hasPrefix) { return true }
    throw unknownTypes("'tokenizer_class' \(quoted(named)) without 'model_input_names'")
  }

  private func unknownTypes(_ found: String) -> ModelError {
    .unsupported(
      place: tokenizer?.origin ?? config.origin,
      found: "\(found), which does not say whether a cross-encoder gets token_type_ids,",
      supported: "'model_input_names' with or without token_type_ids")
  }
}
