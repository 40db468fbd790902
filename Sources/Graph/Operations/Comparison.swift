/// `equal`, `less`, `greater_equal`: a bool for each pair of elements, broadcast as numpy does.
package struct Comparison: Operation {
  package enum Kind: String, CaseIterable, Sendable {
    case equal, less
    case greaterOrEqual = "greater_equal"
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
    guard inputs[0].scalar == inputs[1].scalar else {
      throw ShapeFault("'x' is \(inputs[0]), 'y' is \(inputs[1]); both must be of one type")
    }
    return ValueType(.bool, try broadcast(inputs[0].shape, inputs[1].shape))
  }
}
