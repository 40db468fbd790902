/// `reduce_sum`, `reduce_mean`, `reduce_max`, `reduce_l2_norm` over one axis.
package struct Reduce: Operation {
  package enum Kind: String, CaseIterable, Sendable {
    case sum = "reduce_sum"
    case mean = "reduce_mean"
    case max = "reduce_max"
    case l2Norm = "reduce_l2_norm"
  }

  package let kind: Kind
  package let x: Operand
  /// The axis that is reduced, from 0.
  package let axis: Int
  /// Whether the reduced axis stays, with length 1.
  package let keepsAxis: Bool

  package init(_ kind: Kind, _ x: Operand, axis: Int, keepsAxis: Bool) {
    self.kind = kind
    self.x = x
    self.axis = axis
    self.keepsAxis = keepsAxis
  }

  package var milName: String { kind.rawValue }
  package var operands: [(parameter: String, operand: Operand)] { [("x", x)] }

  package func inferType(_ inputs: [ValueType]) throws(ShapeFault) -> ValueType {
    try requireFloats(inputs[0], "x")
    var shape = inputs[0].shape
    guard shape.indices.contains(axis), shape[axis] > 0 else {
      throw ShapeFault("axis \(axis) is outside \(shape) or empty")
    }
    if keepsAxis { shape[axis] = 1 } else { shape.remove(at: axis) }
    return ValueType(.float32, shape)
  }
}
