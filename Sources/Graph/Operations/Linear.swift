/// `linear`: x [..., in] · weightᵀ [in, out] + bias [out] → [..., out].
package struct Linear: Operation {
  package let x: Operand
  /// [out, in]
  package let weight: Operand
  /// [out]
  package let bias: Operand?

  package init(_ x: Operand, weight: Operand, bias: Operand?) {
    self.x = x
    self.weight = weight
    self.bias = bias
  }

  package var milName: String { "linear" }
  package var operands: [(parameter: String, operand: Operand)] {
    [("x", x), ("weight", weight)] + (bias.map { [("bias", $0)] } ?? [])
  }

  package func inferType(_ inputs: [ValueType]) throws(ShapeFault) -> ValueType {
    for (type, parameter) in zip(inputs, ["x", "weight", "bias"]) {
      try requireFloats(type, parameter)
    }
    let x = inputs[0].shape, weight = inputs[1].shape
    guard (1...3).contains(x.count), weight.count == 2, x.last == weight[1] else {
      throw ShapeFault("'x' is \(x), 'weight' is \(weight); the last axis of both must be equal")
    }
    if inputs.count == 3, inputs[2].shape != [weight[0]] {
      throw ShapeFault("'bias' is \(inputs[2].shape), expected \([weight[0]])")
    }
    return ValueType(.float32, x.dropLast() + [weight[0]])
  }
}
