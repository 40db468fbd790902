import StrictJSON

/// How token vectors become one vector: one way, or several whose vectors are joined.
struct SentencePooling: Sendable {
  /// In the order in which they are joined.
  let modes: [PoolingMode]
  /// Whether the tokens of a prompt count.
  let includesPrompt: Bool

  private static let rules = KeyRules(
    understood: [
      "embedding_dimension", "word_embedding_dimension", "pooling_mode", "include_prompt",
    ] + PoolingMode.allCases.map(\.oldKey))

  /// - Parameter width: numbers of a token's vector.
  init(_ config: JSONObject, width: Int) throws {
    try Self.rules.check(config)
    for key in ["embedding_dimension", "word_embedding_dimension"] where config.has(key) {
      let stated = try config.plainInteger(key)
      guard stated == width else {
        throw try config.error(
          "'\(key)' is \(stated), 'hidden_size' of the transformer is \(width)",
          at: config.required(key).position)
      }
    }
    includesPrompt = config.has("include_prompt") ? try config.bool("include_prompt") : true
    modes = config.has("pooling_mode") ? try Self.named(config) : try Self.switched(config)
  }

  /// The form since 5.4: one name, or a list in the order of joining.
  private static func named(_ config: JSONObject) throws -> [PoolingMode] {
    let node = try config.required("pooling_mode")
    let names = node.array ?? [node]
    let modes = try names.map { name throws -> PoolingMode in
      guard let word = name.string, let mode = PoolingMode(rawValue: word) else {
        throw ModelError.unsupported(
          place: "\(config.origin): 'pooling_mode'",
          found: name.string.map { "'\($0)'" } ?? name.kind, supported: PoolingMode.words)
      }
      return mode
    }
    guard !modes.isEmpty else {
      throw config.mismatch("pooling_mode", expected: "a name or a list of names", node)
    }
    return modes
  }

  /// The older form: a switch for each; joined in the order of the library, not of the file.
  private static func switched(_ config: JSONObject) throws -> [PoolingMode] {
    let chosen = try PoolingMode.allCases.filter {
      config.has($0.oldKey) ? try config.bool($0.oldKey) : false
    }
    let mean = PoolingMode.mean.oldKey
    guard let first = chosen.first else {
      // Without any of them, the library uses the mean.
      guard PoolingMode.allCases.contains(where: { config.has($0.oldKey) }) else { return [.mean] }
      throw config.error(
        "none of '\(mean)' and the like is true; write which pooling it is", at: config.position)
    }
    guard config.has(mean) else {
      throw config.error(
        "'\(mean)' is missing beside '\(first.oldKey)'; sentence-transformers took it for "
          + "true up to 5.3, and takes it for false since 5.4; write which it is",
        at: config.position)
    }
    return chosen
  }
}
