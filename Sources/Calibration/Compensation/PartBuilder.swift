/// Makes the part of a problem that one group of outputs has.
struct PartBuilder {
  let moments: LayerMoments
  /// The column of the weights at each place.
  let order: [Int]
  /// The place of the group's first output among those of the moments.
  let first: Int
  /// The divisor of the second moments.
  let unit: Double
  /// The mean of this group's second moments in that unit; 1 for the only group of a layer.
  let size: Double
  let options: GPTQOptions
  let jobs: Int

  /// The group's moments; changes its rows of the target to those that make the wanted outputs.
  ///
  /// - Parameters:
  ///   - target: the trained weights [outputs, inputs], columns in the problem's order.
  ///   - rows: of the group.
  func part(_ target: Matrix, _ rows: Range<Int>) throws(GPTQError) -> LayerProblem.Part {
    let hessian = try covariance()
    if let ridge = options.ridge {
      let correction = try correction(target, rows, hessian)
      addMeans(to: hessian)
      try add(correction, to: target, rows, hessian, ridge: ridge)
    } else {
      addMeans(to: hessian)
    }
    let factor = try damp(hessian, options.damping)
    let reciprocals = order.indices.map { 1 / hessian[$0, $0] }
    return LayerProblem.Part(
      hessian: hessian, strips: try ColumnStrips(hessian, jobs: jobs), factor: factor,
      reciprocals: reciprocals)
  }

  /// Centred second moments in the problem's order and unit.
  private func covariance() throws(GPTQError) -> Matrix {
    let matrix = Matrix(rows: order.count, columns: order.count)
    let factor = 1 / unit
    let pieces = Pieces.ranges(order.count, size: 64)
    try Pieces.run(pieces.count, jobs: jobs) { [moments, order] index throws(GPTQError) in
      for i in pieces[index] {
        let row = unsafe matrix.row(i)
        for j in order.indices {
          unsafe row[j] = Float(moments.covariance(order[i], order[j]) * factor)
        }
        unsafe row[i] = Float(moments.variance(order[i]) * factor)
      }
    }
    return matrix
  }

  /// The residual of the wanted outputs, times the inputs: Cyx − W Cxx, [rows, inputs].
  private func correction(
    _ weights: Matrix, _ rows: Range<Int>, _ covariance: Matrix
  ) throws(GPTQError) -> Matrix {
    let result = Matrix(rows: rows.count, columns: weights.columns)
    let pieces = Pieces.ranges(rows.count, size: LayerProblem.chunkRows)
    let factor = 1 / unit
    try Pieces.run(pieces.count, jobs: jobs) { [moments, order, first] index throws(GPTQError) in
      let piece = pieces[index]
      try unsafe Products.multiply(
        Factor(weights, row: rows.lowerBound + piece.lowerBound), Factor(covariance),
        into: result.row(piece.lowerBound), rows: piece.count, columns: weights.columns,
        inner: weights.columns)
      for i in piece {
        let row = unsafe result.row(i)
        for (place, column) in order.enumerated() {
          let wanted = moments.crossCovariance(first + i, column) * factor
          unsafe row[place] = Float(wanted - Double(row[place]))
        }
      }
    }
    return result
  }

  private func addMeans(to hessian: Matrix) {
    let weight = options.meanWeight / unit
    guard weight > 0 else { return }
    let means = order.map { moments.inputMeans[$0] }
    let scaled = means.map { $0 * weight }
    for i in means.indices {
      let row = unsafe hessian.row(i)
      for j in means.indices { unsafe row[j] += Float(scaled[i] * means[j]) }
    }
  }

  /// Adds the ridge regression solution of the correction to the weights.
  private func add(
    _ correction: Matrix, to weights: Matrix, _ rows: Range<Int>, _ hessian: Matrix, ridge: Double
  ) throws(GPTQError) {
    let factor = try damp(Matrix(copying: hessian), ridge)
    let pieces = Pieces.ranges(rows.count, size: LayerProblem.chunkRows)
    try Pieces.run(pieces.count, jobs: jobs) { index throws(GPTQError) in
      let piece = pieces[index]
      try factor.solve(correction, piece)
      let (target, source) = unsafe (
        weights.row(rows.lowerBound + piece.lowerBound), correction.row(piece.lowerBound)
      )
      for i in 0..<piece.count * weights.columns { unsafe target[i] += source[i] }
    }
  }

  /// Adds to the diagonal, in units of its mean, and factors, adding more if factoring fails.
  private func damp(_ matrix: Matrix, _ damping: Double) throws(GPTQError) -> CholeskyFactor {
    var added = 0.0
    var wanted = damping
    while wanted < 16 {
      matrix.addToDiagonal(Float((wanted - added) * size))
      added = wanted
      if let factor = try CholeskyFactor(Matrix(copying: matrix), jobs: jobs) { return factor }
      wanted = max(wanted * 4, 1e-4)
    }
    throw .notFactored
  }
}
