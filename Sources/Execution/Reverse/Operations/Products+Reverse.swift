import Graph

extension Linear: ReversibleOperation {
  // x [rows, in], weight [out, in], g [rows, out].
  func reverse(_ step: ReverseStep) throws(KernelFault) {
    let rows = step.output.type.rowCount
    let outputs = step.inputs[1].shape[0], inputs = step.inputs[1].shape[1]
    let g = step.gradient
    if let target = step.gradients[0] {
      try unsafe MatrixProduct.multiply(
        .init(g.floats, rowStride: outputs), .init(step.inputs[1].floats, rowStride: inputs),
        into: target.floats, rows: rows, columns: inputs, inner: outputs, isAdded: true)
    }
    if let target = step.gradients[1] {
      try unsafe MatrixProduct.multiply(
        .init(g.floats, rowStride: outputs, isTransposed: true),
        .init(step.inputs[0].floats, rowStride: inputs), into: target.floats, rows: outputs,
        columns: inputs, inner: rows, isAdded: true)
    }
    if step.gradients.count == 3, let target = step.gradients[2] {
      for i in 0..<g.count { unsafe target.floats[i % outputs] += g.floats[i] }
    }
  }
}

extension Matmul: ReversibleOperation {
  func reverse(_ step: ReverseStep) throws(KernelFault) {
    let x = step.inputs[0].shape, y = step.inputs[1].shape, output = step.output.shape
    var size = Size(
      rows: output[output.count - 2], columns: output[output.count - 1],
      inner: x[x.count - (transposeX ? 2 : 1)])
    // As forward: without leading axes in y, those of x are only more rows.
    if y.count == 2, !transposeX {
      size.rows = step.output.type.rowCount
      return try reverse(step, size, 0, 0, 0)
    }
    let walk = Broadcast(Array(output.dropLast(2)), [Array(x.dropLast(2)), Array(y.dropLast(2))])
    for matrix in 0..<walk.count {
      let places = walk.places(of: matrix)
      try reverse(
        step, size, places[0] * size.rows * size.inner, places[1] * size.inner * size.columns,
        matrix * size.rows * size.columns)
    }
  }

  private struct Size {
    var rows: Int
    let columns: Int
    let inner: Int
  }

  // With A = x or its transpose [rows, inner], and B = y or its transpose [inner, columns]:
  // dA = g Bᵀ, dB = Aᵀ g, and their transposes where x or y are transposed.
  private func reverse(
    _ step: ReverseStep, _ size: Size, _ xPlace: Int, _ yPlace: Int, _ gPlace: Int
  ) throws(KernelFault) {
    let x = unsafe step.inputs[0].floats + xPlace, y = unsafe step.inputs[1].floats + yPlace
    let g = unsafe step.gradient.floats + gPlace
    func gradient(_ isTransposed: Bool) -> MatrixProduct.Factor {
      unsafe .init(g, rowStride: size.columns, isTransposed: isTransposed)
    }
    func left(_ isTransposed: Bool) -> MatrixProduct.Factor {
      unsafe .init(
        x, rowStride: transposeX ? size.rows : size.inner,
        isTransposed: transposeX != isTransposed)
    }
    func right(_ isTransposed: Bool) -> MatrixProduct.Factor {
      unsafe .init(
        y, rowStride: transposeY ? size.inner : size.columns,
        isTransposed: transposeY != isTransposed)
    }
    if let target = step.gradients[0] {
      let factors = transposeX ? (right(false), gradient(true)) : (gradient(false), right(true))
      try unsafe MatrixProduct.multiply(
        factors.0, factors.1, into: target.floats + xPlace,
        rows: transposeX ? size.inner : size.rows, columns: transposeX ? size.rows : size.inner,
        inner: size.columns, isAdded: true)
    }
    if let target = step.gradients[1] {
      let factors = transposeY ? (gradient(true), left(false)) : (left(true), gradient(false))
      try unsafe MatrixProduct.multiply(
        factors.0, factors.1, into: target.floats + yPlace,
        rows: transposeY ? size.columns : size.inner,
        columns: transposeY ? size.inner : size.columns, inner: size.rows, isAdded: true)
    }
  }
}
