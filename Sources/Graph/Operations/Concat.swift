/// `concat`: tensors one after the other along one axis; their other axes are equal.
package struct Concat: Operation {
  package let values: [Operand]
  package let axis: Int

  package init(_ values: [Operand], axis: Int) {
    self.values = values
    self.axis = axis
  }

  package var milName: String { "concat" }
  package var operands: [(parameter: String, operand: Operand)] {
    values.map { ("values", $0) }
  }

  package func inferType(_ inputs: [ValueType]) throws(ShapeFault) -> ValueType {
    guard var shape = inputs.first?.shape, shape.indices.contains(axis) else {
      throw ShapeFault("axis \(axis) is outside \(inputs.first?.shape ?? [])")
    }
    for next in inputs.dropFirst() {
      var expected = shape
      if next.shape.indices.contains(axis) { expected[axis] = next.shape[axis] }
      guard next.scalar == inputs[0].scalar, next.shape == expected else {
        throw ShapeFault("\(next) does not continue \(inputs[0]) along axis \(axis)")
      }
      let (length, overflow) = shape[axis].addingReportingOverflow(next.shape[axis])
      guard !overflow else { throw ShapeFault("axis \(axis) is too long") }
      shape[axis] = length
    }
    return ValueType(inputs[0].scalar, shape)
  }
}
