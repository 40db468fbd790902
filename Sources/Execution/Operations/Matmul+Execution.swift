import Graph

extension Matmul: ExecutableOperation {
  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    let x = inputs[0], y = inputs[1]
    let rows = output.shape[output.shape.count - 2], columns = output.type.rowWidth
    let inner = x.shape[x.shape.count - (transposeX ? 2 : 1)]
    // Without leading axes in y, the leading axes of x are only more rows.
    if y.shape.count == 2, !transposeX {
      return try product(
        x, 0, y, 0, into: output, 0, rows: output.type.rowCount, columns: columns, inner: inner,
        context)
    }
    let walk = Broadcast(
      Array(output.shape.dropLast(2)), [Array(x.shape.dropLast(2)), Array(y.shape.dropLast(2))])
    for matrix in 0..<walk.count {
      let places = walk.places(of: matrix)
      try product(
        x, places[0] * rows * inner, y, places[1] * inner * columns, into: output,
        matrix * rows * columns, rows: rows, columns: columns, inner: inner, context)
    }
  }

  private func product(
    _ x: Tensor, _ xOffset: Int, _ y: Tensor, _ yOffset: Int, into output: Tensor, _ offset: Int,
    rows: Int, columns: Int, inner: Int, _ context: KernelContext
  ) throws(KernelFault) {
    try unsafe context.multiply(
      MatrixProduct.Factor(
        x.floats + xOffset, rowStride: transposeX ? rows : inner, isTransposed: transposeX),
      MatrixProduct.Factor(
        y.floats + yOffset, rowStride: transposeY ? inner : columns, isTransposed: transposeY),
      into: output.floats + offset, rows: rows, columns: columns, inner: inner)
  }
}
