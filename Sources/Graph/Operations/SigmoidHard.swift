/// `sigmoid_hard`: min(max(alpha · x + beta, 0), 1), a sigmoid of three straight lines.
package struct SigmoidHard: Operation {
  package let x: Operand
  package let alpha: Float
  package let beta: Float

  /// By default the slope and shift of torch's `Hardsigmoid`.
  package init(_ x: Operand, alpha: Float = 1.0 / 6, beta: Float = 0.5) {
    self.x = x
    self.alpha = alpha
    self.beta = beta
  }

  package var milName: String { "sigmoid_hard" }
  package var operands: [(parameter: String, operand: Operand)] { [("x", x)] }

  package func inferType(_ inputs: [ValueType]) throws(ShapeFault) -> ValueType {
    try requireFloats(inputs[0], "x")
    return inputs[0]
  }
}
