/// `clip`: every element of x, held between two bounds.
package struct Clip: Operation {
  package let x: Operand
  package let lowest: Float
  package let highest: Float

  package init(_ x: Operand, lowest: Float, highest: Float) {
    self.x = x
    self.lowest = lowest
    self.highest = highest
  }

  package var milName: String { "clip" }
  package var operands: [(parameter: String, operand: Operand)] { [("x", x)] }

  package func inferType(_ inputs: [ValueType]) throws(ShapeFault) -> ValueType {
    try requireFloats(inputs[0], "x")
    return inputs[0]
  }
}
