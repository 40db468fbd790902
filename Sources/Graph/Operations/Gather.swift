/// `gather` along axis 0: rows of x [rows, ...] at indices [...] → indices' shape + row shape.
package struct Gather: Operation {
  package let x: Operand
  package let indices: Operand

  package init(_ x: Operand, indices: Operand) {
    self.x = x
    self.indices = indices
  }

  package var milName: String { "gather" }
  package var operands: [(parameter: String, operand: Operand)] {
    [("x", x), ("indices", indices)]
  }

  package func inferType(_ inputs: [ValueType]) throws(ShapeFault) -> ValueType {
    guard inputs[1].scalar == .int32 else {
      throw ShapeFault("'indices' is \(inputs[1]), expected int32")
    }
    guard !inputs[0].shape.isEmpty else { throw ShapeFault("'x' is a scalar") }
    return ValueType(inputs[0].scalar, inputs[1].shape + inputs[0].shape.dropFirst())
  }
}
