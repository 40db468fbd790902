/// `conv` in two dimensions without padding, bias, groups or dilation:
/// x [batch, in, height, width] and weight [out, in, h, w] → [batch, out, rows, columns].
package struct Conv: Operation {
  package let x: Operand
  /// [out, in, h, w]
  package let weight: Operand
  /// Steps down and across, at least 1.
  package let strides: [Int]

  package init(_ x: Operand, weight: Operand, strides: [Int]) {
    self.x = x
    self.weight = weight
    self.strides = strides
  }

  package var milName: String { "conv" }
  package var operands: [(parameter: String, operand: Operand)] {
    [("x", x), ("weight", weight)]
  }

  package func inferType(_ inputs: [ValueType]) throws(ShapeFault) -> ValueType {
    try requireFloats(inputs[0], "x")
    try requireFloats(inputs[1], "weight")
    let x = inputs[0].shape, weight = inputs[1].shape
    guard x.count == 4, weight.count == 4, x[1] == weight[1], !weight.contains(0) else {
      throw ShapeFault("'x' is \(x), 'weight' is \(weight); both need four axes and equal channels")
    }
    guard strides.count == 2, strides.allSatisfy({ $0 >= 1 }) else {
      throw ShapeFault("'strides' is \(strides), expected two numbers from 1 on")
    }
    guard x[2] >= weight[2], x[3] >= weight[3] else {
      throw ShapeFault("'x' is \(x), smaller than 'weight' \(weight)")
    }
    return ValueType(
      .float32,
      [
        x[0], weight[0], (x[2] - weight[2]) / strides[0] + 1, (x[3] - weight[3]) / strides[1] + 1,
      ])
  }
}
