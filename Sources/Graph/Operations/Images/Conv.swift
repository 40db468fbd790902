/// `conv` in two dimensions, zeros around the image:
/// x [batch, in, height, width] and weight [out, in / groups, h, w] → [batch, out, rows, columns].
package struct Conv: Operation {
  package let x: Operand
  /// [out, in / groups, h, w]
  package let weight: Operand
  /// [out]
  package let bias: Operand?
  package let steps: WindowSteps
  /// Parts of the channels, one after the other, that are convolved separately.
  package let groups: Int

  package init(
    _ x: Operand, weight: Operand, bias: Operand? = nil, steps: WindowSteps, groups: Int = 1
  ) {
    self.x = x
    self.weight = weight
    self.bias = bias
    self.steps = steps
    self.groups = groups
  }

  package init(_ x: Operand, weight: Operand, bias: Operand? = nil, strides: [Int]) {
    self.init(x, weight: weight, bias: bias, steps: WindowSteps(strides: strides))
  }

  package var milName: String { "conv" }
  package var operands: [(parameter: String, operand: Operand)] {
    [("x", x), ("weight", weight)] + (bias.map { [("bias", $0)] } ?? [])
  }

  package func inferType(_ inputs: [ValueType]) throws(ShapeFault) -> ValueType {
    for (type, parameter) in zip(inputs, ["x", "weight", "bias"]) {
      try requireFloats(type, parameter)
    }
    let x = inputs[0].shape, weight = inputs[1].shape
    guard x.count == 4, weight.count == 4, !weight.contains(0) else {
      throw ShapeFault("'x' is \(x), 'weight' is \(weight); both need four axes")
    }
    try checkChannels(x[1], weight)
    if inputs.count == 3, inputs[2].shape != [weight[0]] {
      throw ShapeFault("'bias' is \(inputs[2].shape), expected \([weight[0]])")
    }
    let places = try steps.places(of: Array(weight[2...]), in: Array(x[2...]))
    return ValueType(.float32, [x[0], weight[0]] + places)
  }

  private func checkChannels(_ channels: Int, _ weight: [Int]) throws(ShapeFault) {
    guard groups >= 1, weight[0].isMultiple(of: groups),
      weight[1].multipliedReportingOverflow(by: groups) == (channels, false)
    else {
      throw ShapeFault(
        "'x' has \(channels) channels, 'weight' is \(weight), 'groups' is \(groups); these do not fit"
      )
    }
  }
}
