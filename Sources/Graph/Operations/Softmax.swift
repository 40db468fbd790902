/// `softmax` along one axis, counted from the end (−1 is the last).
package struct Softmax: Operation {
  package let x: Operand
  package let axis: Int

  package init(_ x: Operand, axis: Int = -1) {
    self.x = x
    self.axis = axis
  }

  package var milName: String { "softmax" }
  package var operands: [(parameter: String, operand: Operand)] { [("x", x)] }

  package func inferType(_ inputs: [ValueType]) throws(ShapeFault) -> ValueType {
    try requireFloats(inputs[0], "x")
    guard axis < 0, -axis <= inputs[0].shape.count else {
      throw ShapeFault("axis \(axis) is outside \(inputs[0].shape)")
    }
    return inputs[0]
  }
}
