/// `cumsum`: each element and all before it along an axis, added up; whole numbers or floats.
package struct CumulativeSum: Operation {
  package let x: Operand
  package let axis: Int

  package init(_ x: Operand, axis: Int) {
    self.x = x
    self.axis = axis
  }

  package var milName: String { "cumsum" }
  package var operands: [(parameter: String, operand: Operand)] { [("x", x)] }

  package func inferType(_ inputs: [ValueType]) throws(ShapeFault) -> ValueType {
    guard inputs[0].scalar != .bool else {
      throw ShapeFault("'x' is \(inputs[0]), expected numbers")
    }
    guard inputs[0].shape.indices.contains(axis) else {
      throw ShapeFault("axis \(axis) is outside \(inputs[0].shape)")
    }
    return inputs[0]
  }
}
