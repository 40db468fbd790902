/// `gelu`: the Gaussian error linear unit, exact or by the tanh or sigmoid approximation.
package struct Gelu: Operation {
  package enum Mode: String, Sendable {
    /// x · Φ(x), with the error function.
    case exact = "EXACT"
    /// ½x(1 + tanh(√(2/π)(x + 0.044715x³)))
    case tanhApproximation = "TANH_APPROXIMATION"
    /// x · sigmoid(1.702x)
    case sigmoidApproximation = "SIGMOID_APPROXIMATION"
  }

  package let x: Operand
  package let mode: Mode

  package init(_ x: Operand, mode: Mode) {
    self.x = x
    self.mode = mode
  }

  package var milName: String { "gelu" }
  package var operands: [(parameter: String, operand: Operand)] { [("x", x)] }

  package func inferType(_ inputs: [ValueType]) throws(ShapeFault) -> ValueType {
    try requireFloats(inputs[0], "x")
    return inputs[0]
  }
}
