/// `tile`: repeats a tensor along each axis.
package struct Tile: Operation {
  package let x: Operand
  /// One count for each axis, at least 1.
  package let repetitions: [Int]

  package init(_ x: Operand, repetitions: [Int]) {
    self.x = x
    self.repetitions = repetitions
  }

  package var milName: String { "tile" }
  package var operands: [(parameter: String, operand: Operand)] { [("x", x)] }

  package func inferType(_ inputs: [ValueType]) throws(ShapeFault) -> ValueType {
    let shape = inputs[0].shape
    guard repetitions.count == shape.count, repetitions.allSatisfy({ $0 >= 1 }) else {
      throw ShapeFault("\(repetitions) does not repeat the axes of \(shape)")
    }
    var result: [Int] = []
    for (length, count) in zip(shape, repetitions) {
      let (product, overflow) = length.multipliedReportingOverflow(by: count)
      guard !overflow else { throw ShapeFault("\(shape) times \(repetitions) is too large") }
      result.append(product)
    }
    return ValueType(inputs[0].scalar, result)
  }
}
