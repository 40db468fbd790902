import StrictJSON

/// A Dense module: a linear layer and its activation.
struct SentenceDense: Sendable {
  /// The activation, by the class that torch has for it.
  enum Activation: String, CaseIterable, Sendable {
    case tanh = "Tanh"
    case identity = "Identity"
    case relu = "ReLU"
    case gelu = "GELU"
    case sigmoid = "Sigmoid"
    case silu = "SiLU"

    /// The class's names in torch: its home and its re-export.
    var classes: [String] {
      let home = self == .identity ? "linear" : "activation"
      return ["torch.nn.modules.\(home).\(rawValue)", "torch.nn.\(rawValue)"]
    }
  }

  /// Prefix of its weights' names.
  let name: String
  let inputs: Int
  let outputs: Int
  let hasBias: Bool
  let activation: Activation

  private static let vector: [JSONValue] = [.string("sentence_embedding")]
  private static let rules = KeyRules(
    understood: ["in_features", "out_features", "bias", "activation_function"],
    neutral: [
      "module_input_name": vector, "module_output_name": vector,
      "use_residual": [.bool(false)],
    ], nullable: ["module_output_name", "use_residual"])

  /// - Parameter path: the module's folder.
  init(_ config: JSONObject, path: String) throws {
    try Self.rules.check(config)
    name = "\(path).linear"
    inputs = try config.plainInteger("in_features", in: 1...1 << 24)
    outputs = try config.plainInteger("out_features", in: 1...1 << 20)
    hasBias = config.has("bias") ? try config.bool("bias") : true
    activation = try Self.activation(config)
  }

  private static func activation(_ config: JSONObject) throws -> Activation {
    // The library's default for an absent key.
    guard config.has("activation_function") else { return .tanh }
    let word = try config.string("activation_function")
    guard let known = Activation.allCases.first(where: { $0.classes.contains(word) }) else {
      throw ModelError.unsupported(
        place: "\(config.origin): 'activation_function'", found: "'\(word)'",
        supported: Activation.allCases.map { $0.classes[0] }.joined(separator: ", "))
    }
    return known
  }
}
