/// `layer_norm` over the last axis: (x − mean) / √(variance + ε) · gamma + beta.
package struct LayerNorm: Operation {
  package let x: Operand
  /// [width]
  package let gamma: Operand
  /// [width]
  package let beta: Operand
  package let epsilon: Float

  package init(_ x: Operand, gamma: Operand, beta: Operand, epsilon: Float) {
    self.x = x
    self.gamma = gamma
    self.beta = beta
    self.epsilon = epsilon
  }

  package var milName: String { "layer_norm" }
  package var operands: [(parameter: String, operand: Operand)] {
    [("x", x), ("gamma", gamma), ("beta", beta)]
  }

  package func inferType(_ inputs: [ValueType]) throws(ShapeFault) -> ValueType {
    for (type, parameter) in zip(inputs, ["x", "gamma", "beta"]) {
      try requireFloats(type, parameter)
    }
    guard let width = inputs[0].shape.last else { throw ShapeFault("'x' is a scalar") }
    for (type, parameter) in zip(inputs[1...], ["gamma", "beta"]) where type.shape != [width] {
      throw ShapeFault("'\(parameter)' is \(type.shape), expected \([width])")
    }
    return inputs[0]
  }
}
