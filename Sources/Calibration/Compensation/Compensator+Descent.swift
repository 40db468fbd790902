extension Compensator {
  /// Coordinate descent over the codes of a chunk of rows.
  ///
  /// With the others fixed, a value's loss is a parabola with its lowest point at
  /// q − gradient / Hⱼⱼ; the code nearest to it is taken, and the gradient follows. Ends when a sweep
  /// changes nothing.
  func descend(_ rows: Range<Int>, sweeps: Int) {
    for _ in 0..<sweeps {
      var changed = 0
      for column in stride(from: problem.inputs - 1, through: 0, by: -1) {
        changed += descend(rows, column)
      }
      if changed == 0 { return }
    }
  }

  /// - Returns: how many codes have changed.
  private func descend(_ rows: Range<Int>, _ column: Int) -> Int {
    let hessian = UnsafePointer(problem.hessian.row(column))
    let reciprocal = problem.reciprocals[column]
    let diagonal = hessian[column]
    let inputs = problem.inputs
    var changed = 0
    for row in rows {
      let block = block(ofRow: row)
      let gradient = gradient.row(row)
      let values = quantized.row(row)
      let old = values[column]
      let code = book.nearest(
        old - gradient[column] * reciprocal, block: block, column: column)
      let codes = codes.row(row)
      guard code != codes[column] else { continue }
      let value = book.value(code, block: block, column: column)
      let step = value - old
      // Rounding of stored values may make another code the nearest.
      guard step * (2 * gradient[column] + step * diagonal) < 0 else { continue }
      codes[column] = code
      values[column] = value
      for i in 0..<inputs { gradient[i] += step * hessian[i] }
      changed += 1
    }
    return changed
  }
}
