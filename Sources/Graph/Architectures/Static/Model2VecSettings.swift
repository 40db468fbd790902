import StrictJSON
import Weights

/// The settings in the `config.json` of a folder that model2vec saved.
struct Model2VecSettings {
  /// Whether vectors get the length 1.
  let normalizes: Bool
  /// Tokens a text is cut to.
  let maximumLength: Int
  /// The files that say so.
  let files: [String]

  private static let file = "config.json"
  private static let type = "model2vec"
  /// The cut of a model whose files say nothing: the default of `encode`.
  private static let usualLength = 512
  /// Longer limits count as this one.
  private static let longest = 1 << 16

  private static let rules = KeyRules(
    understood: ["model_type", "normalize", "max_length"],
    harmless: TransformersKeys.harmless
      + TransformersKeys.reason("says how the table was made")([
        "tokenizer_name", "apply_pca", "apply_zipf", "sif_coefficient", "pooling",
        "token_remove_pattern",
      ])
      + TransformersKeys.reason("is seen from the table itself")([
        "hidden_dim", "embedding_dtype", "vocabulary_quantization",
      ]) + [
        "seq_length": "a high number that nothing reads",
        "head_config": "belongs to a classifier, which is saved apart",
        "language": "says what the model was made for",
      ],
    neutral: [:], nullable: ["normalize", "max_length"])

  /// Nil if model2vec did not save the folder: it does say so in `config.json`, or has no such file
  /// to say more than its own settings, and calls its table `embeddings`.
  init?(_ files: ModelFiles, _ weights: any WeightSource) throws {
    guard let config = try files.object(Self.file) else { return nil }
    let isStated = config["model_type"]?.string == Self.type
    let isSeen = config["model_type"] == nil && weights.shape(of: "embeddings") != nil
    guard isStated || isSeen else { return nil }
    try Self.rules.check(config)
    normalizes = config.has("normalize") ? try config.bool("normalize") : false
    maximumLength = try Self.maximumLength(config)
    self.files = [Self.file]
  }

  /// Null is no limit.
  private static func maximumLength(_ config: JSONObject) throws -> Int {
    guard let node = config["max_length"] else { return usualLength }
    if node.isNull { return longest }
    return min(try config.plainInteger("max_length", in: 1...1 << 40), longest)
  }
}
