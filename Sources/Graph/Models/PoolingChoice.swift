import StrictJSON

extension ModelFiles {
  private static let poolingFile = "1_Pooling/config.json"

  /// The files as sentence-transformers writes them for a transformer with this pooling, if the
  /// model has no `modules.json`; everything written or proven from them carries it.
  package func choosing(pooling: PoolingMode?) throws -> ModelFiles {
    guard let pooling, try bytes(of: SentenceModules.file) == nil,
      let config = try object("config.json"), let type = Architectures.sentence(of: config)
    else { return self }
    let texts = try Self.poolingTexts(
      pooling, width: config.integer(type.hiddenKey, in: 1...1 << 20))
    return replacing(SentenceModules.file, by: Array(texts.modules.utf8))
      .replacing(Self.poolingFile, by: Array(texts.pooling.utf8))
  }

  /// The contents of the two files that say how the vectors of tokens become one.
  static func poolingTexts(
    _ pooling: PoolingMode, width: Int
  ) -> (modules: String, pooling: String) {
    let modules: [JSONValue] = [("Transformer", ""), ("Pooling", "1_Pooling")].enumerated().map {
      [
        "idx": .integer($0), "name": .string("\($0)"), "path": .string($1.1),
        "type": .string("sentence_transformers.models.\($1.0)"),
      ]
    }
    let config: JSONValue = [
      "embedding_dimension": .integer(width), "pooling_mode": .string(pooling.rawValue),
    ]
    return (JSONValue.array(modules).compact, config.compact)
  }

  /// The error that no file says how the vectors of tokens become one, with the way out.
  func missingPooling(width: Int) -> ModelError {
    let texts = Self.poolingTexts(.mean, width: width)
    return .missingPooling(
      origin: origin,
      files: "\(SentenceModules.file) with \(texts.modules) and \(Self.poolingFile) with "
        + texts.pooling)
  }
}

extension Architectures {
  /// The architecture of a transformer with a pooling behind it that a `config.json` is of.
  fileprivate static func sentence(of config: JSONObject) -> (any SentenceArchitecture.Type)? {
    guard let name = config["model_type"]?.string else { return nil }
    return all.lazy.compactMap { $0 as? any SentenceArchitecture.Type }
      .first { $0.modelTypes.contains(name) }
  }
}

extension Architecture {
  /// Whether the architecture pools the vectors of tokens in this one way.
  package func pools(by pooling: PoolingMode) -> Bool {
    (self as? any SentenceArchitecture)?.sentence.modules.pooling.modes == [pooling]
  }

  /// The pooling in the library's words; nil if it pools nothing.
  package var poolingWords: String? {
    (self as? any SentenceArchitecture)?.sentence.modules.pooling.modes.map(\.rawValue).joined(
      separator: ", ")
  }
}
