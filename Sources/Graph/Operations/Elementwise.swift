/// `add`, `sub`, `mul`, `real_div`, `maximum`: two tensors of one type, broadcast as numpy does.
package struct ElementwiseBinary: Operation {
  package enum Kind: String, CaseIterable, Sendable {
    case add, sub, mul, realDivision = "real_div", maximum
  }

  package let kind: Kind
  package let x: Operand
  package let y: Operand

  package init(_ kind: Kind, _ x: Operand, _ y: Operand) {
    self.kind = kind
    self.x = x
    self.y = y
  }

  package var milName: String { kind.rawValue }
  package var operands: [(parameter: String, operand: Operand)] { [("x", x), ("y", y)] }

  package func inferType(_ inputs: [ValueType]) throws(ShapeFault) -> ValueType {
    guard inputs[0].scalar == inputs[1].scalar, inputs[0].scalar != .bool else {
      throw ShapeFault("'x' is \(inputs[0]), 'y' is \(inputs[1]); both must be numbers of one type")
    }
    return ValueType(inputs[0].scalar, try broadcast(inputs[0].shape, inputs[1].shape))
  }
}

/// The shape two shapes broadcast to under numpy's rule.
package func broadcast(_ left: [Int], _ right: [Int]) throws(ShapeFault) -> [Int] {
  let rank = max(left.count, right.count)
  let paddedLeft = Array(repeating: 1, count: rank - left.count) + left
  let paddedRight = Array(repeating: 1, count: rank - right.count) + right
  var shape: [Int] = []
  for (a, b) in zip(paddedLeft, paddedRight) {
    guard a == b || a == 1 || b == 1 else {
      throw ShapeFault("shapes \(left) and \(right) do not broadcast")
    }
    shape.append(a == 1 ? b : a)
  }
  return shape
}

/// `relu`, `sigmoid`, `tanh`, `sqrt`: one tensor of floats, shape kept.
package struct ElementwiseUnary: Operation {
  package enum Kind: String, CaseIterable, Sendable { case relu, sigmoid, tanh, sqrt }

  package let kind: Kind
  package let x: Operand

  package init(_ kind: Kind, _ x: Operand) {
    self.kind = kind
    self.x = x
  }

  package var milName: String { kind.rawValue }
  package var operands: [(parameter: String, operand: Operand)] { [("x", x)] }

  package func inferType(_ inputs: [ValueType]) throws(ShapeFault) -> ValueType {
    try requireFloats(inputs[0], "x")
    return inputs[0]
  }
}

/// Refuses anything but floats, naming the parameter.
func requireFloats(_ type: ValueType, _ parameter: String) throws(ShapeFault) {
  guard type.scalar == .float32 else {
    throw ShapeFault("'\(parameter)' is \(type), expected floats")
  }
}
