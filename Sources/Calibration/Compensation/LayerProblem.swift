/// The least-squares problem of a layer's codes: of all matrices Q that codes can express, find the
/// one with the least sum of tr((Q − A) H (Q − A)ᵀ) over the groups of its outputs. Each group has
/// inputs and an H of its own. All layers but convolutions in groups have one group.
///
/// Columns are in rising order of H's diagonal, so that work from the last to the first begins with
/// the inputs that matter most.
struct LayerProblem: Sendable {
  /// The column of the weights at each place.
  let order: [Int]
  /// The target matrix [outputs, inputs].
  let target: Matrix
  /// One for each group of outputs.
  let parts: [Part]
  /// The divisor of the second moments.
  let unit: Double

  /// The inputs of consecutive outputs.
  struct Part: Sendable {
    /// Damped second moments of the inputs, in the problem's unit.
    let hessian: Matrix
    /// The same in strips.
    let strips: ColumnStrips
    let factor: CholeskyFactor
    /// Of the diagonal of H.
    let reciprocals: [Float]
  }

  var outputs: Int { target.rows }
  var inputs: Int { target.columns }
  /// Outputs of a group.
  var rowsPerPart: Int { max(1, outputs / parts.count) }

  /// The inputs of an output.
  @inline(__always)
  func part(ofRow row: Int) -> Part { parts[row / rowsPerPart] }

  /// Rows cut into those of one group each.
  func pieces(of rows: Range<Int>) -> [Range<Int>] {
    guard parts.count > 1 else { return [rows] }
    var pieces: [Range<Int>] = []
    var start = rows.lowerBound
    while start < rows.upperBound {
      let end = min(rows.upperBound, (start / rowsPerPart + 1) * rowsPerPart)
      pieces.append(start..<end)
      start = end
    }
    return pieces
  }

  /// The mean of an input's second moment over the groups.
  func meanSquare(_ place: Int) -> Float {
    parts.reduce(0) { $0 + $1.hessian[place, place] } / Float(parts.count)
  }

  /// The place of each column of the weights.
  var places: [Int] {
    var places = [Int](repeating: 0, count: order.count)
    for (place, column) in order.enumerated() { places[column] = place }
    return places
  }

  /// Rows of the weights that are worked on together; fixed, so that sums do not depend on threads.
  static let chunkRows = 48
  /// The same of the few rows that are worked on apart from the rest.
  private static let smallChunkRows = 16

  /// Rows that are worked on together.
  let chunkRows: Int

  /// - Parameters:
  ///   - weights: [outputs, inputs].
  ///   - moments: of each group of outputs, of its inputs and of outputs among which the group's are.
  ///   - first: the place of a group's first output among those of its moments.
  /// - Returns: nil if the moments say nothing: no rows, or all inputs zero.
  init?(
    _ weights: Matrix, _ moments: [LayerMoments], first: Int = 0, _ options: GPTQOptions, jobs: Int
  ) throws(GPTQError) {
    let inputs = weights.columns
    let diagonals = moments.map { $0.diagonal(meanWeight: options.meanWeight) }
    let units = diagonals.map { $0.reduce(0, +) / Double(max(inputs, 1)) }
    let unit = units.reduce(0, +) / Double(max(units.count, 1))
    guard unit.isFinite else { throw .overflow }
    guard unit > 0 else { return nil }
    let sums = (0..<inputs).map { input in diagonals.reduce(0) { $0 + $1[input] } }
    let order = (0..<inputs).sorted { (sums[$0], $1) < (sums[$1], $0) }
    let target = Self.permuted(weights, order)
    let rows = max(1, weights.rows / moments.count)
    var parts: [Part] = []
    for (index, moments) in moments.enumerated() {
      let own = index * rows..<(index + 1) * rows
      // A group whose inputs are all zero is damped as if they were like the others.
      let size = units[index] > 0 ? units[index] / unit : 1
      parts.append(
        try PartBuilder(
          moments: moments, order: order, first: first, unit: unit, size: size, options: options,
          jobs: jobs
        ).part(target, own))
    }
    (self.order, self.target, self.parts, self.unit) = (order, target, parts, unit)
    chunkRows = LayerProblem.chunkRows
  }

  /// Some rows of a problem of one group, with another target.
  ///
  /// - Parameter change: of the target, [rows, inputs].
  init(_ rows: Range<Int>, of whole: LayerProblem, changing change: Matrix) {
    for row in 0..<rows.count {
      let (target, source) = unsafe (
        change.row(row), whole.target.row(rows.lowerBound + row)
      )
      for i in 0..<whole.inputs { unsafe target[i] += source[i] }
    }
    (order, target, parts, unit) = (whole.order, change, whole.parts, whole.unit)
    chunkRows = LayerProblem.smallChunkRows
  }

  private static func permuted(_ weights: Matrix, _ order: [Int]) -> Matrix {
    let matrix = Matrix(rows: weights.rows, columns: weights.columns)
    for i in 0..<weights.rows {
      let (source, target) = unsafe (weights.row(i), matrix.row(i))
      for (place, column) in order.enumerated() { unsafe target[place] = source[column] }
    }
    return matrix
  }
}
