import Execution

/// The terms of some rows' values, those of one parameter together: a value is coefficient · parameter.
struct ParameterTerms {
  private let rows: Range<Int>
  /// The columns of each parameter, ascending, one parameter after the other: [rows, inputs].
  private let order: Grid<Int32>
  /// Their coefficients.
  private let coefficients: Matrix
  /// Where the columns of each parameter begin, and where all end: [rows, parameters + 1].
  private let starts: Grid<Int32>

  init<Book: Codebook>(_ rows: Range<Int>, of compensator: GPTQCompensator<Book>) {
    let (inputs, count) = (compensator.problem.inputs, compensator.codebook.parameterCount)
    self.rows = rows
    order = Grid(rows: rows.count, columns: inputs)
    coefficients = Matrix(rows: rows.count, columns: inputs)
    starts = Grid(rows: rows.count, columns: count + 1)
    for row in rows { sort(row, of: compensator, count) }
  }

  private func sort<Book: Codebook>(
    _ row: Int, of compensator: GPTQCompensator<Book>, _ count: Int
  ) {
    let (codebook, block) = (compensator.codebook, compensator.block(ofRow: row))
    let codes = unsafe compensator.codes.row(row)
    let place = row - rows.lowerBound
    let (order, coefficients) = unsafe (order.row(place), coefficients.row(place))
    let starts = unsafe starts.row(place)
    for i in 0..<compensator.problem.inputs {
      unsafe starts[codebook.parameter(codes[i], column: i) + 1] += 1
    }
    for parameter in 0..<count { unsafe starts[parameter + 1] += starts[parameter] }
    var next = unsafe Array(UnsafeBufferPointer(start: starts, count: count))
    for i in 0..<compensator.problem.inputs {
      let parameter = unsafe codebook.parameter(codes[i], column: i)
      let target = Int(next[parameter])
      unsafe order[target] = Int32(truncatingIfNeeded: i)
      unsafe coefficients[target] = codebook.coefficient(codes[i], block: block, column: i)
      next[parameter] += 1
    }
  }

  /// Σ coefficientⱼ Hⱼ over the columns j of each parameter, in a strip of H.
  ///
  /// - Parameter sums: gets [parameters, `ColumnStrips.width`].
  func sum(_ strips: ColumnStrips, strip: Int, ofRow row: Int, into sums: Matrix) {
    let place = row - rows.lowerBound
    unsafe VectorSums.strips(
      strips.strip(strip), order.row(place), coefficients.row(place), starts: starts.row(place),
      count: sums.rows, into: sums.base)
  }
}
