import Execution

/// Chooses the codes and parameters of one layer.
///
/// Threads take chunks of rows in turn; the result of a chunk depends on nothing outside it but the
/// parameters, which change between the steps. So it may be shared: each thread writes only the rows
/// of its own chunk.
final class GPTQCompensator<Book: Codebook>: @unchecked Sendable {
  let problem: LayerProblem
  let codebook: Book
  /// Consecutive rows that have the same parameters.
  let rowsPerBlock: Int
  let jobs: Int
  /// [outputs, inputs], columns in the problem's order.
  let codes: CodeMatrix
  /// The values that the codes decode to.
  let quantized: Matrix
  /// (quantized − target) H.
  let gradient: Matrix
  /// The loss of rounding to the nearest, by row.
  let plainLosses: Matrix
  let chunks: [Range<Int>]

  init(_ problem: LayerProblem, _ codebook: Book, rowsPerBlock: Int, jobs: Int) {
    self.problem = problem
    self.codebook = codebook
    self.rowsPerBlock = max(1, rowsPerBlock)
    self.jobs = jobs
    codes = CodeMatrix(rows: problem.outputs, columns: problem.inputs)
    quantized = Matrix(rows: problem.outputs, columns: problem.inputs)
    gradient = Matrix(rows: problem.outputs, columns: problem.inputs)
    plainLosses = Matrix(rows: 1, columns: problem.outputs)
    chunks = Pieces.ranges(problem.outputs, size: problem.chunkRows)
  }

  @inline(__always)
  func block(ofRow row: Int) -> Int { row / rowsPerBlock }

  /// Gives every value a code, so that later ones make up for the errors of earlier ones, then
  /// improves codes and parameters in turn.
  func run(_ options: GPTQOptions) throws(GPTQError) {
    try Pieces.run(chunks.count, jobs: jobs) { index throws(GPTQError) in
      for rows in self.problem.pieces(of: self.chunks[index]) {
        try self.roundCompensating(rows)
      }
    }
    for _ in 0..<options.rounds {
      try descend(sweeps: options.sweeps)
      try refit()
    }
    try descend(sweeps: options.sweeps)
  }

  func descend(sweeps: Int) throws(GPTQError) {
    try Pieces.run(chunks.count, jobs: jobs) { index throws(GPTQError) in
      for rows in self.problem.pieces(of: self.chunks[index]) {
        self.descend(rows, sweeps: sweeps)
      }
    }
  }

  /// Values of the codes and the gradient, after parameters have changed.
  func refresh() throws(GPTQError) {
    try Pieces.run(chunks.count, jobs: jobs) { index throws(GPTQError) in
      try self.refresh(self.chunks[index])
    }
  }

  func refresh(_ rows: Range<Int>) throws(GPTQError) {
    for row in rows {
      let block = block(ofRow: row)
      let (codes, values) = unsafe (codes.row(row), quantized.row(row))
      for column in 0..<problem.inputs {
        unsafe values[column] = codebook.value(codes[column], block: block, column: column)
      }
    }
    for rows in problem.pieces(of: rows) {
      try Self.gradient(of: quantized, rows, problem, into: gradient)
    }
  }

  /// tr((Q − A) H (Q − A)ᵀ) for each row.
  func losses(_ rows: Range<Int>) -> [Double] {
    rows.map { unsafe Self.loss(quantized.row($0), gradient.row($0), $0, problem) }
  }

  /// The whole loss, in the units of weights and inputs.
  var loss: Double { losses(0..<problem.outputs).reduce(0, +) * problem.unit }

  /// The same when every value takes the code nearest to it, with the first parameters.
  var roundingLoss: Double {
    (0..<problem.outputs).reduce(0) { $0 + Double(plainLosses[0, $1]) } * problem.unit
  }

  /// (values − target) H of rows of one group.
  static func gradient(
    of values: Matrix, _ rows: Range<Int>, _ problem: LayerProblem, into gradient: Matrix
  ) throws(GPTQError) {
    let inputs = problem.inputs
    let errors = Matrix(rows: rows.count, columns: inputs)
    for row in rows {
      let (error, value) = unsafe (errors.row(row - rows.lowerBound), values.row(row))
      let target = unsafe problem.target.row(row)
      for i in 0..<inputs { unsafe error[i] = value[i] - target[i] }
    }
    try unsafe Products.multiply(
      Factor(errors), Factor(problem.part(ofRow: rows.lowerBound).hessian),
      into: gradient.row(rows.lowerBound),
      rows: rows.count, columns: inputs, inner: inputs)
  }

  static func loss(
    _ values: UnsafePointer<Float>, _ gradient: UnsafePointer<Float>, _ row: Int,
    _ problem: LayerProblem
  ) -> Double {
    let target = unsafe problem.target.row(row)
    var sum = 0.0
    for i in 0..<problem.inputs {
      unsafe sum += Double(values[i] - target[i]) * Double(gradient[i])
    }
    return sum
  }
}

extension GPTQCompensator {
  /// Coordinate descent over the codes of rows of one group.
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

  /// - Returns: the number of changed codes.
  private func descend(_ rows: Range<Int>, _ column: Int) -> Int {
    let part = problem.part(ofRow: rows.lowerBound)
    let hessian = unsafe UnsafePointer(part.hessian.row(column))
    let reciprocal = part.reciprocals[column]
    let diagonal = unsafe hessian[column]
    let inputs = problem.inputs
    var changed = 0
    for row in rows {
      let block = block(ofRow: row)
      let gradient = unsafe gradient.row(row)
      let values = unsafe quantized.row(row)
      let old = unsafe values[column]
      let codes = unsafe codes.row(row)
      let code = unsafe codebook.nearest(
        old - gradient[column] * reciprocal, last: codes[column], block: block, column: column)
      guard unsafe code != codes[column] else { continue }
      let value = codebook.value(code, block: block, column: column)
      let step = value - old
      // Rounding of stored values may make another code the nearest.
      guard unsafe step * (2 * gradient[column] + step * diagonal) < 0 else { continue }
      unsafe codes[column] = code
      unsafe values[column] = value
      unsafe VectorSums.add(step, times: hessian, to: gradient, count: inputs)
      changed += 1
    }
    return changed
  }
}
