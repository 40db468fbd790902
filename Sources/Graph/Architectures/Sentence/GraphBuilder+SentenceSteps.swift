// What the modules behind a pooled vector do to it.
extension GraphBuilder {
  /// Applies modules to vectors, [B, H], and keeps the first numbers of each.
  ///
  /// - Parameter width: numbers that are kept.
  mutating func apply(
    _ steps: [SentenceStep], to vectors: Operand, keeping width: Int
  ) throws(GraphError) -> Operand {
    var vectors = vectors
    for (index, step) in steps.enumerated() {
      let isLast = index == steps.count - 1
      vectors = try apply(step, "module\(index + 2)", isLast: isLast, to: vectors)
    }
    guard let shape = type(of: vectors)?.shape, let whole = shape.last, width < whole else {
      return vectors
    }
    return try append(
      "kept", SliceByIndex(vectors, begin: [0, 0], end: [shape[0], width]))
  }

  private mutating func apply(
    _ step: SentenceStep, _ name: String, isLast: Bool, to x: Operand
  ) throws(GraphError) -> Operand {
    switch step {
    case .normalize:
      return isLast ? try unitRows(x) : try unitRows(x, name)
    case .layerNorm(let source, let width):
      func weight(_ part: String) -> Operand {
        .weight(WeightReference("\(source).\(part)", [width], role: .norm))
      }
      return try append(
        name, LayerNorm(x, gamma: weight("weight"), beta: weight("bias"), epsilon: 1e-5))
    case .dense(let dense):
      let layer = try linear(
        x, dense.name, name, inputs: dense.inputs, outputs: dense.outputs, hasBias: dense.hasBias)
      return try activate(dense.activation, layer, "\(name)_active")
    }
  }

  private mutating func activate(
    _ activation: SentenceDense.Activation, _ x: Operand, _ name: String
  ) throws(GraphError) -> Operand {
    switch activation {
    case .identity: x
    case .tanh: try append(name, ElementwiseUnary(.tanh, x))
    case .relu: try append(name, ElementwiseUnary(.relu, x))
    case .sigmoid: try append(name, ElementwiseUnary(.sigmoid, x))
    case .gelu: try append(name, Gelu(x, mode: .exact))
    case .silu: try silu(x, name)
    }
  }
}
