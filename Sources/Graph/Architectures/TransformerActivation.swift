import StrictJSON

/// The activation between the two linear layers of a transformer's block.
enum TransformerActivation: Sendable {
  case gelu(Gelu.Mode)
  case relu
  case silu
  case tanh

  private static let words: [(word: String, activation: TransformerActivation)] = [
    ("gelu", .gelu(.exact)), ("gelu_python", .gelu(.exact)),
    ("gelu_new", .gelu(.tanhApproximation)), ("gelu_fast", .gelu(.tanhApproximation)),
    ("gelu_pytorch_tanh", .gelu(.tanhApproximation)),
    ("quick_gelu", .gelu(.sigmoidApproximation)), ("relu", .relu), ("silu", .silu),
    ("swish", .silu), ("tanh", .tanh),
  ]

  /// The one that a `config.json` names in the words of transformers.
  ///
  /// - Parameter usual: the word that counts without the key.
  init(_ config: JSONObject, key: String, usual: String = "gelu") throws {
    let word = config.has(key) ? try config.string(key) : usual
    guard let found = Self.words.first(where: { $0.word == word }) else {
      throw ModelError.unsupported(
        place: "\(config.origin): '\(key)'", found: "'\(word)'",
        supported: Self.words.map(\.word).joined(separator: ", "))
    }
    self = found.activation
  }
}

extension GraphBuilder {
  /// Appends an activation.
  mutating func activate(
    _ activation: TransformerActivation, _ x: Operand, _ name: String
  ) throws(GraphError) -> Operand {
    switch activation {
    case .gelu(let mode): try append(name, Gelu(x, mode: mode))
    case .relu: try append(name, ElementwiseUnary(.relu, x))
    case .silu: try silu(x, name)
    case .tanh: try append(name, ElementwiseUnary(.tanh, x))
    }
  }

  /// x · sigmoid(x).
  mutating func silu(_ x: Operand, _ name: String) throws(GraphError) -> Operand {
    let gate = try append("\(name)_gate", ElementwiseUnary(.sigmoid, x))
    return try append(name, ElementwiseBinary(.mul, x, gate))
  }
}
