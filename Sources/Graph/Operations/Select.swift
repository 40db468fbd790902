/// `select`: elements of a where the condition holds, else of b; broadcast as numpy does.
package struct Select: Operation {
  package let condition: Operand
  package let a: Operand
  package let b: Operand

  package init(_ condition: Operand, _ a: Operand, else b: Operand) {
    self.condition = condition
    self.a = a
    self.b = b
  }

  package var milName: String { "select" }
  package var operands: [(parameter: String, operand: Operand)] {
    [("cond", condition), ("a", a), ("b", b)]
  }

  package func inferType(_ inputs: [ValueType]) throws(ShapeFault) -> ValueType {
    guard inputs[0].scalar == .bool, inputs[1].scalar == inputs[2].scalar else {
      throw ShapeFault("'cond' is \(inputs[0]), 'a' is \(inputs[1]), 'b' is \(inputs[2])")
    }
    let shape = try broadcast(inputs[0].shape, try broadcast(inputs[1].shape, inputs[2].shape))
    return ValueType(inputs[1].scalar, shape)
  }
}
