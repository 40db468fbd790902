import Execution

extension GPTQCompensator {
  /// Columns whose errors are carried on value by value; beyond them it is a matrix product.
  private static var blockColumns: Int { 128 }

  /// Rounds rows of one group column by column, from the one that matters most, so that each makes up
  /// for the errors of those before.
  ///
  /// This is GPTQ (Frantar et al. 2022) in its lattice form: with H = L Lᵀ a row's loss is |e L|²,
  /// where a column's part is eᶜLᶜᶜ + Σ eʲLʲᶜ over the columns j after it; going from the last to
  /// the first, each e is chosen to bring its part nearest to zero (LDLQ of Chee et al. 2023;
  /// Babai's nearest plane). Rows that plain rounding serves better keep its result.
  func roundCompensating(_ rows: Range<Int>) throws(GPTQError) {
    let inputs = problem.inputs
    let errors = Matrix(rows: rows.count, columns: inputs)
    let carried = Matrix(rows: rows.count, columns: Self.blockColumns)
    let lower = problem.part(ofRow: rows.lowerBound).factor.lower
    for block in Pieces.ranges(inputs, size: Self.blockColumns).reversed() {
      try carry(errors, lower, beyond: block, into: carried)
      for column in block.reversed() {
        round(rows, column, block, lower, errors, carried)
      }
    }
    try Self.gradient(of: quantized, rows, problem, into: gradient)
    try takePlainRows(rows)
  }

  /// Σ eʲLʲᶜ over the columns j after a block, for its columns c.
  private func carry(
    _ errors: Matrix, _ lower: Matrix, beyond block: Range<Int>, into carried: Matrix
  ) throws(GPTQError) {
    let rest = problem.inputs - block.upperBound
    let product = Matrix(rows: errors.rows, columns: block.count)
    if rest > 0 {
      try unsafe Products.multiply(
        Factor(errors, column: block.upperBound),
        Factor(lower, row: block.upperBound, column: block.lowerBound),
        into: product.base, rows: errors.rows, columns: block.count, inner: rest)
    }
    for row in 0..<errors.rows {
      unsafe carried.row(row).update(from: product.row(row), count: block.count)
    }
  }

  private func round(
    _ rows: Range<Int>, _ column: Int, _ block: Range<Int>, _ lower: Matrix, _ errors: Matrix,
    _ carried: Matrix
  ) {
    let factor = unsafe lower.row(column) + block.lowerBound
    let place = column - block.lowerBound
    let reciprocal = unsafe 1 / factor[place]
    for row in rows {
      let sums = unsafe carried.row(row - rows.lowerBound)
      let bookBlock = self.block(ofRow: row)
      let target = unsafe problem.target.row(row)[column]
      let code = unsafe codebook.nearest(
        target - sums[place] * reciprocal, block: bookBlock, column: column)
      let value = codebook.value(code, block: bookBlock, column: column)
      unsafe codes.row(row)[column] = code
      unsafe quantized.row(row)[column] = value
      let error = value - target
      unsafe errors.row(row - rows.lowerBound)[column] = error
      unsafe VectorSums.add(error, times: factor, to: sums, count: place)
    }
  }

  /// Rounds to the nearest where that loses less.
  private func takePlainRows(_ rows: Range<Int>) throws(GPTQError) {
    let inputs = problem.inputs
    let plain = GPTQCompensator.PlainRows(rows: rows.count, inputs: inputs)
    for row in rows {
      let block = block(ofRow: row)
      let (target, place) = unsafe (problem.target.row(row), row - rows.lowerBound)
      for column in 0..<inputs {
        let code = unsafe codebook.nearest(target[column], block: block, column: column)
        unsafe plain.codes.row(place)[column] = code
        let value = codebook.value(code, block: block, column: column)
        unsafe plain.values.row(place)[column] = value
        unsafe plain.errors.row(place)[column] = value - target[column]
      }
    }
    try unsafe Products.multiply(
      Factor(plain.errors), Factor(problem.part(ofRow: rows.lowerBound).hessian),
      into: plain.gradient.base,
      rows: rows.count, columns: inputs, inner: inputs)
    for row in rows {
      let place = row - rows.lowerBound
      let values = unsafe plain.values.row(place), gradient = unsafe plain.gradient.row(place)
      let loss = unsafe Self.loss(values, gradient, row, problem)
      unsafe plainLosses.row(0)[row] = Float(loss)
      guard unsafe loss < Self.loss(quantized.row(row), self.gradient.row(row), row, problem) else {
        continue
      }
      unsafe codes.row(row).update(from: plain.codes.row(place), count: inputs)
      unsafe quantized.row(row).update(from: values, count: inputs)
      unsafe self.gradient.row(row).update(from: gradient, count: inputs)
    }
  }

  /// The result of plain rounding for a chunk of rows.
  private struct PlainRows {
    let codes: CodeMatrix
    let values: Matrix
    let errors: Matrix
    let gradient: Matrix

    init(rows: Int, inputs: Int) {
      codes = CodeMatrix(rows: rows, columns: inputs)
      values = Matrix(rows: rows, columns: inputs)
      errors = Matrix(rows: rows, columns: inputs)
      gradient = Matrix(rows: rows, columns: inputs)
    }
  }
}
