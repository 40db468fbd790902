/// `matmul`: x [..., m, k] · y [..., k, n] → [..., m, n], leading axes broadcast.
package struct Matmul: Operation {
  package let x: Operand
  package let y: Operand
  package let transposeX: Bool
  package let transposeY: Bool

  package init(_ x: Operand, _ y: Operand, transposeX: Bool = false, transposeY: Bool = false) {
    self.x = x
    self.y = y
    self.transposeX = transposeX
    self.transposeY = transposeY
  }

  package var milName: String { "matmul" }
  package var operands: [(parameter: String, operand: Operand)] { [("x", x), ("y", y)] }

  package func inferType(_ inputs: [ValueType]) throws(ShapeFault) -> ValueType {
    try requireFloats(inputs[0], "x")
    try requireFloats(inputs[1], "y")
    var x = inputs[0].shape, y = inputs[1].shape
    guard x.count >= 2, y.count >= 2 else {
      throw ShapeFault("'x' is \(x), 'y' is \(y); both need two axes at least")
    }
    if transposeX { x.swapAt(x.count - 1, x.count - 2) }
    if transposeY { y.swapAt(y.count - 1, y.count - 2) }
    guard x[x.count - 1] == y[y.count - 2] else {
      throw ShapeFault("\(x) times \(y): inner axes \(x[x.count - 1]) and \(y[y.count - 2]) differ")
    }
    let batch = try broadcast(Array(x.dropLast(2)), Array(y.dropLast(2)))
    return ValueType(.float32, batch + [x[x.count - 2], y[y.count - 1]])
  }
}
