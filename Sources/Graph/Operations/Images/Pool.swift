/// `max_pool`, `avg_pool` in two dimensions: x [batch, channels, height, width] →
/// [batch, channels, rows, columns]. What is added around the image counts in neither.
package struct Pool: Operation {
  package enum Kind: String, CaseIterable, Sendable {
    case max = "max_pool"
    case average = "avg_pool"
  }

  package let kind: Kind
  package let x: Operand
  /// Rows and columns of the window.
  package let window: [Int]
  package let steps: WindowSteps

  package init(_ kind: Kind, _ x: Operand, window: [Int], steps: WindowSteps) {
    self.kind = kind
    self.x = x
    self.window = window
    self.steps = steps
  }

  package var milName: String { kind.rawValue }
  package var operands: [(parameter: String, operand: Operand)] { [("x", x)] }

  package func inferType(_ inputs: [ValueType]) throws(ShapeFault) -> ValueType {
    try requireFloats(inputs[0], "x")
    let x = inputs[0].shape
    guard x.count == 4, window.count == 2 else {
      throw ShapeFault("'x' is \(x), 'kernel_sizes' is \(window); expected four axes and two sides")
    }
    guard steps.dilations == [1, 1] else { throw ShapeFault("pools have no dilations") }
    let places = try steps.places(of: window, in: Array(x[2...]))
    for axis in 0..<2
    where steps.padding[2 * axis...2 * axis + 1].contains(where: { $0 >= window[axis] }) {
      throw ShapeFault("'pad' is \(steps.padding), as large as the window \(window)")
    }
    return ValueType(.float32, [x[0], x[1]] + places)
  }
}
