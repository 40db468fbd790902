import StrictJSON

/// The operation of a module on a pooled vector.
enum SentenceStep: Sendable {
  case dense(SentenceDense)
  /// The names of gain and shift begin with `name`.
  case layerNorm(name: String, width: Int)
  case normalize

  /// The width of its output, if the module sets it.
  var width: Int? {
    switch self {
    case .dense(let dense): dense.outputs
    case .layerNorm(_, let width): width
    case .normalize: nil
    }
  }

  /// The prefix of all the module's tensor names: its folder and a dot; nil without tensors.
  var weightPrefix: String? {
    switch self {
    case .dense(let dense): String(dense.name.dropLast("linear".count))
    case .layerNorm(let name, _): String(name.dropLast("norm".count))
    case .normalize: nil
    }
  }
}

/// Reads the modules behind the pooling, one after the other.
struct SentenceStepReader {
  private let modelFiles: ModelFiles
  /// Numbers of the vector that reaches the next module.
  private var width: Int
  private(set) var steps: [SentenceStep] = []
  private(set) var files: [String] = []

  private static let vector: [JSONValue] = [.string("sentence_embedding")]
  private static let layerNormRules = KeyRules(understood: ["dimension"])
  private static let dropoutRules = KeyRules(
    understood: [], harmless: ["dropout": "only training drops anything"])
  private static let normalizeRules = KeyRules(
    understood: [], neutral: ["module_input_name": vector, "module_output_name": vector],
    nullable: ["module_output_name"])

  init(_ modelFiles: ModelFiles, width: Int) {
    self.modelFiles = modelFiles
    self.width = width
  }

  mutating func read(_ entry: SentenceModuleEntry, _ kind: SentenceModuleEntry.Kind) throws {
    let config = try config(of: entry, isNeeded: kind == .dense || kind == .layerNorm)
    switch kind {
    case .dense: try readDense(entry, config)
    case .layerNorm: try readLayerNorm(entry, config)
    case .normalize:
      try config.map(Self.normalizeRules.check)
      steps.append(.normalize)
    case .dropout: try config.map(Self.dropoutRules.check)
    case .transformer, .pooling, .staticEmbedding: break
    }
  }

  private mutating func config(of entry: SentenceModuleEntry, isNeeded: Bool) throws -> JSONObject?
  {
    let path = entry.file("config.json")
    guard let config = try modelFiles.object(path) else {
      guard isNeeded else { return nil }
      throw ModelError.missingFile(
        origin: modelFiles.origin, path: path, mend: "modules.json names its folder")
    }
    files.append(path)
    return config
  }

  private mutating func readDense(_ entry: SentenceModuleEntry, _ config: JSONObject?) throws {
    guard let config else { return }
    let dense = try SentenceDense(config, path: entry.path)
    try require(dense.inputs, "in_features", config)
    width = dense.outputs
    steps.append(.dense(dense))
  }

  private mutating func readLayerNorm(_ entry: SentenceModuleEntry, _ config: JSONObject?) throws {
    guard let config else { return }
    try Self.layerNormRules.check(config)
    try require(try config.plainInteger("dimension", in: 1...1 << 24), "dimension", config)
    steps.append(.layerNorm(name: "\(entry.path).norm", width: width))
  }

  private func require(_ stated: Int, _ key: String, _ config: JSONObject) throws {
    guard stated == width else {
      throw try config.error(
        "'\(key)' is \(stated), the module before gives \(width) numbers",
        at: config.required(key).position)
    }
  }
}
