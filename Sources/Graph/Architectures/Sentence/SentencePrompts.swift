import StrictJSON

/// The prompts in `config_sentence_transformers.json`, and the length to which it cuts vectors.
struct SentencePrompts: Sendable {
  static let file = "config_sentence_transformers.json"

  let prompts: Prompts
  /// Numbers of a vector that are kept, if not all.
  let keptWidth: Int?

  private static let rules = KeyRules(
    understood: ["prompts", "default_prompt_name", "truncate_dim"],
    harmless: [
      "__version__": "who wrote the files",
      "requirements": "the versions of Python packages that the author asks for",
      "similarity_fn_name": "how vectors are compared, not how they are made",
    ],
    neutral: ["model_type": [.string("SentenceTransformer")]],
    nullable: ["default_prompt_name", "truncate_dim"])

  /// By default no prompts, and whole vectors.
  init(prompts: Prompts = Prompts(), keptWidth: Int? = nil) {
    self.prompts = prompts
    self.keptWidth = keptWidth
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
    self.init(prompts: try Prompts(config), keptWidth: width)
  }
}
