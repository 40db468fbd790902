import Execution

/// How errors of a layer's outputs act together on the outputs of the model.
///
/// With G Gᵀ the second moments of the gradients by the layer's outputs, errors E of its rows and H of
/// its inputs, the loss is |Gᵀ E L|², H = L Lᵀ. Its part of a row is the row's own error and that of all
/// rows after it. Going from the last row to the first, a row makes up for the errors of those after
/// it by an error of its own. Source: the Kronecker factors of K-FAC (Martens and Grosse 2015), rounded
/// as GPTQ rounds columns (Frantar et al. 2022).
struct OutputCoupling {
  /// G, lower triangular.
  private let factor: CholeskyFactor
  /// The part of the loss that is left where every row makes up for those after it, all errors being
  /// alike: Σ Gᵢᵢ² / Σ (G Gᵀ)ᵢᵢ.
  let share: Double

  /// Added to the diagonal of the moments, in units of its mean: few gradients are known.
  private static let damping = 0.3

  /// - Parameter moments: of the gradients by the outputs of the layer; see `secondMoments`.
  /// - Returns: nil where no output has a gradient.
  init?(_ moments: Matrix, jobs: Int) throws(GPTQError) {
    let outputs = moments.rows
    let unit = (0..<outputs).reduce(0.0) { $0 + Double(moments[$1, $1]) } / Double(max(outputs, 1))
    guard unit > 0, unit.isFinite else { return nil }
    let matrix = Matrix(rows: outputs, columns: outputs)
    for i in 0..<outputs {
      let (target, source) = unsafe (matrix.row(i), moments.row(i))
      for j in 0...i { unsafe target[j] = Float(Double(source[j]) / unit) }
    }
    matrix.addToDiagonal(Float(OutputCoupling.damping))
    guard let factor = try CholeskyFactor(matrix, jobs: jobs) else { return nil }
    self.factor = factor
    let left = (0..<outputs).reduce(0.0) {
      $0 + Double(factor.lower[$1, $1] * factor.lower[$1, $1])
    }
    share = left / (Double(outputs) * (1 + OutputCoupling.damping))
  }

  /// The second moments of gradients by outputs, the lower half [outputs, outputs], in Float: they are
  /// kept for every layer.
  ///
  /// - Parameter moments: of the gradients, as moments of inputs.
  static func secondMoments(_ moments: LayerMoments, jobs: Int) throws(GPTQError) -> Matrix {
    let outputs = moments.inputs
    let matrix = Matrix(rows: outputs, columns: outputs)
    let pieces = Pieces.ranges(outputs, size: 64)
    try Pieces.run(pieces.count, jobs: jobs) { index throws(GPTQError) in
      for i in pieces[index] {
        let row = unsafe matrix.row(i)
        for j in 0...i {
          let mean = moments.inputMeans[i] * moments.inputMeans[j]
          unsafe row[j] = Float(moments.covariance(i, j) + mean)
        }
      }
    }
    return matrix
  }

  /// The change of rows that makes up for the errors of all rows after them.
  ///
  /// - Parameter errors: [outputs, inputs]; only the rows after these are known.
  /// - Returns: [rows, inputs].
  func change(of rows: Range<Int>, after errors: Matrix) throws(GPTQError) -> Matrix {
    let inputs = errors.columns, rest = errors.rows - rows.upperBound
    let change = Matrix(rows: rows.count, columns: inputs)
    guard rest > 0 else { return change }
    try unsafe Products.multiply(
      Factor(factor.lower, row: rows.upperBound, column: rows.lowerBound, isTransposed: true),
      Factor(errors, row: rows.upperBound), into: change.base, rows: rows.count, columns: inputs,
      inner: rest)
    // Gᵀ of these rows, from the last to the first.
    for row in rows.reversed() {
      let target = unsafe change.row(row - rows.lowerBound)
      for later in row + 1..<rows.upperBound {
        let share = factor.lower[later, row]
        let source = unsafe change.row(later - rows.lowerBound)
        for i in 0..<inputs { unsafe target[i] += share * source[i] }
      }
      let scale = -1 / factor.lower[row, row]
      for i in 0..<inputs { unsafe target[i] *= scale }
    }
    return change
  }
}
