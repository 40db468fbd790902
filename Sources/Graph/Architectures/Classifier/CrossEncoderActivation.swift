import StrictJSON

/// What `CrossEncoder` of sentence-transformers applies to the numbers of a classifier: a class of
/// PyTorch, named by its path.
enum CrossEncoderActivation: String, CaseIterable {
  case identity = "Identity"
  case sigmoid = "Sigmoid"
  case softmax = "Softmax"

  var scores: ClassifierTask.Scores {
    switch self {
    case .identity: .logits
    case .sigmoid: .sigmoid
    case .softmax: .softmax
    }
  }

  /// The class, for messages.
  var word: String { "torch.nn.\(rawValue)" }

  /// The paths of the class: where PyTorch defines it, and where it offers it.
  private var paths: [String] {
    let home = self == .identity ? "linear" : "activation"
    return [word, "torch.nn.modules.\(rawValue)", "torch.nn.modules.\(home).\(rawValue)"]
  }

  /// The activation under a key; nil if that is absent or null.
  ///
  /// - Throws: `ModelError.unsupported` on any other class.
  init?(in config: JSONObject, _ key: String) throws {
    guard config.has(key) else { return nil }
    let path = try config.string(key)
    guard let found = Self.allCases.first(where: { $0.paths.contains(path) }) else {
      throw ModelError.unsupported(
        place: "\(config.origin): '\(key)'", found: quoted(path),
        supported: Self.allCases.map(\.word).joined(separator: ", "))
    }
    self = found
  }

  /// That of a model's `config.json`: under `sentence_transformers` since 4.0, before under
  /// `sbert_ce_default_activation_function`.
  ///
  /// - Throws: also on unknown keys under `sentence_transformers`.
  static func noted(in config: JSONObject) throws -> CrossEncoderActivation? {
    if config.has("sentence_transformers") {
      let note = try config.object("sentence_transformers")
      try rules.check(note)
      if let found = try CrossEncoderActivation(in: note, "activation_fn") { return found }
    }
    return try CrossEncoderActivation(in: config, "sbert_ce_default_activation_function")
  }

  private static let rules = KeyRules(
    understood: ["activation_fn"], harmless: ["version": "who wrote the file"],
    nullable: ["activation_fn"])
}
