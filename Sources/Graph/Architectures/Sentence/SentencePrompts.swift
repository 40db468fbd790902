import StrictJSON

/// The prompts in `config_sentence_transformers.json`, the length to which it cuts vectors, and the
/// function that compares them.
struct SentencePrompts: Sendable {
  static let file = "config_sentence_transformers.json"

  let prompts: Prompts
  /// Numbers of a vector that are kept, if not all.
  let keptWidth: Int?
  /// The name of the function that compares vectors.
  let similarity: String

  private static let rules = KeyRules(
    understood: ["prompts", "default_prompt_name", "truncate_dim", "similarity_fn_name"],
    harmless: [
      "__version__": "who wrote the files",
      "requirements": "the versions of Python packages that the author asks for",
    ],
    neutral: ["model_type": [.string("SentenceTransformer")]],
    nullable: ["default_prompt_name", "truncate_dim", "similarity_fn_name"])

  /// By default no prompts, and whole vectors.
  init(
    prompts: Prompts = Prompts(), keptWidth: Int? = nil,
    similarity: String = VectorUsage.usualSimilarity
  ) {
    self.prompts = prompts
    self.keptWidth = keptWidth
    self.similarity = similarity
  }

  /// Models without the file state nothing.
  init(_ files: ModelFiles) throws {
    guard let config = try files.object(Self.file) else {
      self.init()
      return
    }
    try Self.rules.check(config)
    let width =
      config.has("truncate_dim") ? try config.plainInteger("truncate_dim", in: 1...1 << 20) : nil
    let similarity =
      config.has("similarity_fn_name")
      ? try config.string("similarity_fn_name") : VectorUsage.usualSimilarity
    self.init(prompts: try Prompts(config), keptWidth: width, similarity: similarity)
  }
}
