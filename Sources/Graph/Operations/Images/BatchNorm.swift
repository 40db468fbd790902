/// `batch_norm` with the statistics of training, for each channel of x [batch, channels, ..]:
/// (x − mean) / √(variance + ε) · gamma + beta.
package struct BatchNorm: Operation {
  package let x: Operand
  /// The four of them [channels].
  package let mean: Operand
  package let variance: Operand
  package let gamma: Operand
  package let beta: Operand
  package let epsilon: Float

  package init(
    _ x: Operand, mean: Operand, variance: Operand, gamma: Operand, beta: Operand, epsilon: Float
  ) {
    self.x = x
    self.mean = mean
    self.variance = variance
    self.gamma = gamma
    self.beta = beta
    self.epsilon = epsilon
  }

  package var milName: String { "batch_norm" }
  package var operands: [(parameter: String, operand: Operand)] {
    [("x", x), ("mean", mean), ("variance", variance), ("gamma", gamma), ("beta", beta)]
  }

  package func inferType(_ inputs: [ValueType]) throws(ShapeFault) -> ValueType {
    for (type, operand) in zip(inputs, operands) { try requireFloats(type, operand.parameter) }
    guard (3...5).contains(inputs[0].shape.count) else {
      throw ShapeFault("'x' is \(inputs[0].shape), expected three to five axes")
    }
    let channels = inputs[0].shape[1]
    for (type, operand) in zip(inputs, operands).dropFirst() where type.shape != [channels] {
      throw ShapeFault("'\(operand.parameter)' is \(type.shape), expected \([channels])")
    }
    return inputs[0]
  }
}
