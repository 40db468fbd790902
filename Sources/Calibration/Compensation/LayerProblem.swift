/// The least-squares problem of a layer's codes: of all matrices Q that codes can express, find the
/// one with the least tr((Q − A) H (Q − A)ᵀ).
///
/// Columns are in rising order of H's diagonal, so that work from the last to the first begins with
/// the inputs that matter most.
struct LayerProblem: Sendable {
  /// The column of the weights at each place.
  let order: [Int]
  /// The target matrix [outputs, inputs].
  let target: Matrix
  /// Damped second moments of the inputs, in units of the mean of their diagonal.
  let hessian: Matrix
  let factor: CholeskyFactor
  /// Of the diagonal of H.
  let reciprocals: [Float]
  /// The divisor of the second moments.
  let unit: Double

  var outputs: Int { target.rows }
  var inputs: Int { target.columns }

  /// The place of each column of the weights.
  var places: [Int] {
    var places = [Int](repeating: 0, count: order.count)
    for (place, column) in order.enumerated() { places[column] = place }
    return places
  }

  /// Rows of the weights that are worked on together; fixed, so that sums do not depend on threads.
  static let chunkRows = 48

  /// - Parameters:
  ///   - weights: [outputs, inputs].
  ///   - moments: of the inputs, and of outputs among which the weights' are.
  ///   - outputs: the weights' place among the outputs of the moments.
  /// - Returns: nil if the moments say nothing: no rows, or all inputs zero.
  init?(
    _ weights: Matrix, _ moments: LayerMoments, outputs: Range<Int>,
    _ options: GPTQOptions, jobs: Int
  ) throws(GPTQError) {
    let inputs = moments.inputs
    let means = moments.inputMeans
    let diagonal = moments.diagonal(meanWeight: options.meanWeight)
    unit = diagonal.reduce(0, +) / Double(max(inputs, 1))
    guard unit.isFinite else { throw .overflow }
    guard unit > 0 else { return nil }
    order = (0..<inputs).sorted { (diagonal[$0], $1) < (diagonal[$1], $0) }
    hessian = try Self.covariance(moments, order, unit, jobs)
    target = Self.permuted(weights, order)
    if let ridge = options.ridge {
      let correction = try Self.correction(
        target, hessian, moments, order, outputs, unit, jobs: jobs)
      Self.addMeans(hessian, means, order, options.meanWeight / unit)
      try Self.add(correction, to: target, hessian, ridge: ridge, jobs: jobs)
    } else {
      Self.addMeans(hessian, means, order, options.meanWeight / unit)
    }
    factor = try Self.damp(hessian, options.damping, jobs)
    reciprocals = (0..<inputs).map { [hessian] in 1 / hessian[$0, $0] }
  }

  /// Centred second moments in a new order and unit.
  private static func covariance(
    _ moments: LayerMoments, _ order: [Int], _ unit: Double, _ jobs: Int
  ) throws(GPTQError) -> Matrix {
    let matrix = Matrix(rows: order.count, columns: order.count)
    let factor = 1 / unit
    let pieces = Pieces.ranges(order.count, size: 64)
    try Pieces.run(pieces.count, jobs: jobs) { index throws(GPTQError) in
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

  private static func permuted(_ weights: Matrix, _ order: [Int]) -> Matrix {
    let matrix = Matrix(rows: weights.rows, columns: weights.columns)
    for i in 0..<weights.rows {
      let (source, target) = unsafe (weights.row(i), matrix.row(i))
      for (place, column) in order.enumerated() { unsafe target[place] = source[column] }
    }
    return matrix
  }

  /// The residual of the wanted outputs, times the inputs: Cyx − W Cxx.
  private static func correction(
    _ weights: Matrix, _ covariance: Matrix, _ moments: LayerMoments, _ order: [Int],
    _ outputs: Range<Int>, _ unit: Double, jobs: Int
  ) throws(GPTQError) -> Matrix {
    let result = Matrix(rows: weights.rows, columns: weights.columns)
    let pieces = Pieces.ranges(weights.rows, size: chunkRows)
    let factor = 1 / unit
    try Pieces.run(pieces.count, jobs: jobs) { index throws(GPTQError) in
      let rows = pieces[index]
      try unsafe Products.multiply(
        Factor(weights, row: rows.lowerBound), Factor(covariance),
        into: result.row(rows.lowerBound), rows: rows.count, columns: weights.columns,
        inner: weights.columns)
      for i in rows {
        let row = unsafe result.row(i)
        for (place, column) in order.enumerated() {
          let wanted = moments.crossCovariance(outputs.lowerBound + i, column) * factor
          unsafe row[place] = Float(wanted - Double(row[place]))
        }
      }
    }
    return result
  }

  private static func addMeans(
    _ hessian: Matrix, _ means: [Double], _ order: [Int], _ weight: Double
  ) {
    guard weight > 0 else { return }
    let means = order.map { means[$0] }
    let scaled = means.map { $0 * weight }
    for i in means.indices {
      let row = unsafe hessian.row(i)
      for j in means.indices { unsafe row[j] += Float(scaled[i] * means[j]) }
    }
  }

  /// Adds the ridge regression solution of the correction to the weights.
  private static func add(
    _ correction: Matrix, to weights: Matrix, _ hessian: Matrix, ridge: Double, jobs: Int
  ) throws(GPTQError) {
    let factor = try damp(Matrix(copying: hessian), ridge, jobs)
    let pieces = Pieces.ranges(weights.rows, size: chunkRows)
    try Pieces.run(pieces.count, jobs: jobs) { index throws(GPTQError) in
      let rows = pieces[index]
      try factor.solve(correction, rows)
      let (target, source) = unsafe (weights.row(rows.lowerBound), correction.row(rows.lowerBound))
      for i in 0..<rows.count * weights.columns { unsafe target[i] += source[i] }
    }
  }

  /// Adds to the diagonal and factors, adding more if factoring fails.
  private static func damp(
    _ matrix: Matrix, _ damping: Double, _ jobs: Int
  ) throws(GPTQError) -> CholeskyFactor {
    var added = 0.0
    var wanted = damping
    while wanted < 16 {
      matrix.addToDiagonal(Float(wanted - added))
      added = wanted
      if let factor = try CholeskyFactor(Matrix(copying: matrix), jobs: jobs) { return factor }
      wanted = max(wanted * 4, 1e-4)
    }
    throw .notFactored
  }
}

/// Means and centred second moments of a layer's inputs and outputs, in Double.
struct LayerMoments: Sendable {
  let inputs: Int
  let outputs: Int
  /// Sum of the rows' weights.
  let weight: Double
  /// [inputs] and [outputs]; zeros if the weights of all rows are 0.
  let inputMeans: [Double]
  let outputMeans: [Double]
  /// Sums measured from `origin`, [inputs + outputs, inputs]; of the inputs' part the lower half.
  private let products: [Double]
  /// Means measured from the origin.
  private let shifts: [Double]

  init(
    inputs: Int, outputs: Int, weight: Double, origin: [Float], sums: [Double],
    products: [Double]
  ) {
    self.inputs = inputs
    self.outputs = outputs
    self.weight = weight
    self.products = products
    shifts = sums.map { weight > 0 ? $0 / weight : 0 }
    let means = zip(shifts, origin).map { $0 + Double($1) }
    inputMeans = weight > 0 ? Array(means[..<inputs]) : Array(repeating: 0, count: inputs)
    outputMeans = weight > 0 ? Array(means[inputs...]) : Array(repeating: 0, count: outputs)
  }

  /// Centred second moment of two inputs.
  @inline(__always)
  func covariance(_ i: Int, _ j: Int) -> Double {
    let (row, column) = i >= j ? (i, j) : (j, i)
    guard weight > 0 else { return 0 }
    return products[row * inputs + column] / weight - shifts[row] * shifts[column]
  }

  /// Centred second moment of an input, never negative.
  func variance(_ i: Int) -> Double { max(0, covariance(i, i)) }

  /// Centred second moments of single inputs and some of their squared means.
  func diagonal(meanWeight: Double) -> [Double] {
    (0..<inputs).map { variance($0) + meanWeight * inputMeans[$0] * inputMeans[$0] }
  }

  /// The same in units of their mean; nil if that is 0 or overflows.
  func relativeDiagonal(meanWeight: Double) -> [Float]? {
    let diagonal = diagonal(meanWeight: meanWeight)
    let unit = diagonal.reduce(0, +) / Double(max(inputs, 1))
    return unit > 0 && unit.isFinite ? diagonal.map { Float($0 / unit) } : nil
  }

  /// Centred second moment of an output with an input.
  @inline(__always)
  func crossCovariance(_ output: Int, _ input: Int) -> Double {
    guard weight > 0 else { return 0 }
    return products[(inputs + output) * inputs + input] / weight
      - shifts[inputs + output] * shifts[input]
  }
}
