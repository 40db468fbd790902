import Files

extension GPTQCompensator {
  /// Finds the parameters of least loss for the codes as they are, block by block, and takes them
  /// over as far as they can be stored and lose less than before.
  ///
  /// The loss is a quadratic form of a block's parameters p: with the error e = Σ pₖcₖ − a of a row,
  /// cₖ holding the coefficients of the values that have parameter k, its matrix is cₖ H cₗᵀ and half
  /// its gradient cₖ H eᵀ.
  func refit() throws(GPTQError) {
    let forms = Mutex<[Int: [(row: Int, form: QuadraticForm)]]>([:])
    let remaps = Mutex<[Int: [UInt8]]>([:])
    try Pieces.run(chunks.count, jobs: jobs) { index throws(GPTQError) in
      let segments = self.segments(self.chunks[index])
      for some in Pieces.ranges(segments.count, size: self.formsAtOnce) {
        for (rows, form) in self.forms(Array(segments[some])) {
          let block = self.block(ofRow: rows.lowerBound)
          if rows.count == self.rowsPerBlock {
            if let remap = self.take(form, block) { remaps.withLock { $0[block] = remap } }
          } else {
            forms.withLock { $0[block, default: []].append((rows.lowerBound, form)) }
          }
        }
      }
    }
    for (block, parts) in forms.withLock({ $0 }) {
      let inOrder = parts.sorted { $0.row < $1.row }
      var sum = inOrder[0].form
      for part in inOrder.dropFirst() { sum.add(part.form) }
      if let remap = take(sum, block) { remaps.withLock { $0[block] = remap } }
    }
    let renamed = remaps.withLock { $0 }
    try Pieces.run(chunks.count, jobs: jobs) { index throws(GPTQError) in
      for row in self.chunks[index] {
        guard let remap = renamed[self.block(ofRow: row)] else { continue }
        let codes = unsafe self.codes.row(row)
        for i in 0..<self.problem.inputs { unsafe codes[i] = remap[Int(codes[i])] }
      }
      try self.refresh(self.chunks[index])
    }
  }

  /// The parts of a chunk that have the same parameters.
  private func segments(_ chunk: Range<Int>) -> [Range<Int>] {
    var segments: [Range<Int>] = []
    var start = chunk.lowerBound
    while start < chunk.upperBound {
      let end = min(chunk.upperBound, (block(ofRow: start) + 1) * rowsPerBlock)
      segments.append(start..<end)
      start = end
    }
    return segments
  }

  /// Takes over the parameters of least loss if they lose less.
  ///
  /// - Returns: the new code for each old one; nil if they stay.
  private func take(_ form: QuadraticForm, _ block: Int) -> [UInt8]? {
    let old = codebook.parameters(ofBlock: block)
    let step = form.bestStep()
    let new = codebook.storable(zip(old, step).map { $0 + $1 }, block: block)
    let stored = zip(new, old).map { $0 - $1 }
    guard form.change(stored) < 0 else { return nil }
    return codebook.replace(new, block: block)
  }

  /// Forms that are summed at a time: 2 MB of them, or one.
  private var formsAtOnce: Int {
    max(1, (1 << 18) / (codebook.parameterCount * codebook.parameterCount))
  }

  /// The loss of each of some consecutive segments, as a form of its parameters.
  private func forms(
    _ segments: [Range<Int>]
  ) -> [(rows: Range<Int>, form: QuadraticForm)] {
    guard let first = segments.first, let last = segments.last else { return [] }
    let terms = ParameterTerms(first.lowerBound..<last.upperBound, of: self)
    let sums = Matrix(rows: codebook.parameterCount, columns: ColumnStrips.width)
    var forms = segments.map { ($0, QuadraticForm(count: codebook.parameterCount)) }
    // A strip stays in the cache for all rows.
    for (strip, columns) in Pieces.ranges(problem.inputs, size: ColumnStrips.width).enumerated() {
      for place in forms.indices {
        for row in forms[place].0 {
          terms.sum(problem.part(ofRow: row).strips, strip: strip, ofRow: row, into: sums)
          add(row, columns, sums, to: &forms[place].1)
        }
      }
    }
    return forms
  }

  /// Adds what a row loses in some columns.
  ///
  /// - Parameter sums: of these columns of H, [parameters, columns].
  private func add(
    _ row: Int, _ columns: Range<Int>, _ sums: Matrix, to form: inout QuadraticForm
  ) {
    let block = block(ofRow: row)
    let (codes, gradient) = unsafe (codes.row(row), gradient.row(row))
    for some in stride(from: columns.lowerBound, to: columns.upperBound, by: 4) {
      // Behind the last column factors are 0.
      var (parameters, coefficients) = (SIMD4<Int>(), SIMD4<Float>())
      for i in some..<min(some + 4, columns.upperBound) {
        let parameter = unsafe codebook.parameter(codes[i], column: i)
        let coefficient = unsafe codebook.coefficient(codes[i], block: block, column: i)
        unsafe form.slope[parameter] += Double(coefficient * gradient[i])
        (parameters[i - some], coefficients[i - some]) = (parameter, coefficient)
      }
      unsafe form.add(
        sums.base + (some - columns.lowerBound), sums.columns, parameters, coefficients)
    }
  }
}

/// A quadratic function of a step d: 2 slope · d + d matrix dᵀ.
struct QuadraticForm: Sendable {
  let count: Int
  /// [count, count], symmetric.
  var matrix: [Double]
  var slope: [Double]

  init(count: Int) {
    self.count = count
    matrix = Array(repeating: 0, count: count * count)
    slope = Array(repeating: 0, count: count)
  }

  mutating func add(_ other: QuadraticForm) {
    for i in matrix.indices { matrix[i] += other.matrix[i] }
    for i in slope.indices { slope[i] += other.slope[i] }
  }

  /// Adds four columns of numbers, each with a factor of its own to a row of the matrix.
  ///
  /// - Parameters:
  ///   - columns: side by side.
  ///   - stride: floats from one number of a column to the next.
  ///   - rows: may be the same.
  @inline(__always)
  mutating func add(
    _ columns: UnsafePointer<Float>, _ stride: Int, _ rows: SIMD4<Int>, _ factors: SIMD4<Float>
  ) {
    let count = count
    let columns = unsafe UnsafeRawPointer(columns)
    let step = stride &* MemoryLayout<Float>.stride
    let starts = rows &* SIMD4(repeating: count)
    unsafe matrix.withUnsafeMutableBufferPointer { matrix in
      guard let base = matrix.baseAddress else { return }
      for k in 0..<count {
        let numbers = unsafe columns.loadUnaligned(
          fromByteOffset: k &* step, as: SIMD4<Float>.self)
        let terms = SIMD4<Double>(factors * numbers)
        unsafe base[starts.x &+ k] += terms.x
        unsafe base[starts.y &+ k] += terms.y
        unsafe base[starts.z &+ k] += terms.z
        unsafe base[starts.w &+ k] += terms.w
      }
    }
  }

  func change(_ step: [Double]) -> Double {
    var sum = 0.0
    for i in 0..<count {
      var product = 2 * slope[i]
      for j in 0..<count { product += matrix[i * count + j] * step[j] }
      sum += product * step[i]
    }
    return sum
  }

  /// The step to the minimum, as far as the matrix determines it; 0 where the loss is constant.
  func bestStep() -> [Double] {
    var step = solve()
    // The addition to the diagonal shortened the step: find the exact length along it.
    let along = zip(slope, step).reduce(0) { $0 + $1.0 * $1.1 }
    let curvature = change(step) - 2 * along
    let length = curvature > 0 ? -along / curvature : 0
    guard length.isFinite else { return step.map { _ in 0 } }
    for i in step.indices { step[i] *= length }
    return step
  }

  /// −matrix⁻¹ · slope, by Cholesky with a little added to the diagonal.
  private func solve() -> [Double] {
    let trace = (0..<count).reduce(0) { $0 + matrix[$1 * count + $1] }
    let ridge = trace / Double(max(1, count)) * 1e-9
    var factor = matrix
    for i in 0..<count {
      for j in 0...i {
        var sum = factor[i * count + j]
        if i == j { sum += ridge }
        for k in 0..<j { sum -= factor[i * count + k] * factor[j * count + k] }
        if i == j {
          factor[i * count + i] = sum > 0 ? sum.squareRoot() : .infinity
        } else {
          factor[i * count + j] = sum / factor[j * count + j]
        }
      }
    }
    var step = slope.map { -$0 }
    for i in 0..<count {
      for k in 0..<i { step[i] -= factor[i * count + k] * step[k] }
      step[i] /= factor[i * count + i]
    }
    for i in stride(from: count - 1, through: 0, by: -1) {
      for k in i + 1..<count { step[i] -= factor[k * count + i] * step[k] }
      step[i] /= factor[i * count + i]
    }
    return step.map { $0.isFinite ? $0 : 0 }
  }
}
