/// Typical ways in which a weight is wrong, recognised from its values.
enum WeightPattern: Equatable {
  case scaled(Double)
  case transposed
  /// Lines along an axis stand in another order; `row` of the candidate is `source` of the baseline.
  case permuted(axis: Int, row: Int, source: Int)

  /// The pattern in which `new` differs from `old`, both of a shape and row-major, if there is one.
  static func found(in new: [Float], from old: [Float], shape: [Int]) -> WeightPattern? {
    let error = WeightAudit.relativeError(of: new, from: old)
    guard error > 0.02 else { return nil }
    if let factor = factor(of: new, from: old), (factor - 1).magnitude > 0.02 {
      let scaled = old.map { Float(Double($0) * factor) }
      // Most of the error must be the factor's; compression leaves a little of its own.
      if WeightAudit.relativeError(of: new, from: scaled) < error / 4 { return .scaled(factor) }
    }
    guard shape.count == 2, error > 0.2 else { return nil }
    let rows = shape[0], columns = shape[1]
    if rows == columns, rows > 1 {
      let turned = transposed(old, rows: rows, columns: columns)
      if WeightAudit.relativeError(of: new, from: turned) < error / 4 { return .transposed }
    }
    if let (row, source) = movedRow(new, old, rows: rows, columns: columns) {
      return .permuted(axis: 0, row: row, source: source)
    }
    let turnedNew = transposed(new, rows: rows, columns: columns)
    let turnedOld = transposed(old, rows: rows, columns: columns)
    return movedRow(turnedNew, turnedOld, rows: columns, columns: rows).map { row, source in
      .permuted(axis: 1, row: row, source: source)
    }
  }

  /// The pattern as words that follow the weight's name.
  var text: String {
    switch self {
    case .scaled(let factor):
      "its values are \(Figures.text(factor, decimals: 3)) times the baseline's"
    case .transposed: "it is transposed"
    case .permuted(let axis, let row, let source):
      axis == 0
        ? "its rows are permuted: row \(row) is the baseline's row \(source)"
        : "its columns are permuted: column \(row) is the baseline's column \(source)"
    }
  }

  // The factor that brings `old` nearest to `new`.
  private static func factor(of new: [Float], from old: [Float]) -> Double? {
    var product = 0.0, size = 0.0
    for index in old.indices {
      product += Double(old[index]) * Double(new[index])
      size += Double(old[index]) * Double(old[index])
    }
    return size > 0 ? product / size : nil
  }

  private static func transposed(_ values: [Float], rows: Int, columns: Int) -> [Float] {
    var turned = [Float](repeating: 0, count: values.count)
    for row in 0..<rows {
      for column in 0..<columns { turned[column * rows + row] = values[row * columns + column] }
    }
    return turned
  }

  // The first row that stands elsewhere, if the rows are the same ones in another order: the sorted
  // lengths of all rows agree, and each of the first moved rows points the way of another row.
  private static func movedRow(
    _ new: [Float], _ old: [Float], rows: Int, columns: Int
  ) -> (row: Int, source: Int)? {
    guard rows > 1, columns > 1 else { return nil }
    let after = Vectors(OutputMatrix(rowCount: rows, width: columns, values: new))
    let before = Vectors(OutputMatrix(rowCount: rows, width: columns, values: old))
    let newLengths = (0..<rows).map { after.length($0) }.sorted()
    let oldLengths = (0..<rows).map { before.length($0) }.sorted()
    var error = 0.0, size = 0.0
    for (new, old) in zip(newLengths, oldLengths) {
      error += (new - old) * (new - old)
      size += old * old
    }
    guard error <= size * 0.0025 else { return nil }
    let moved = (0..<rows).filter { after.length($0) > 0 && !(after.cosine($0, of: before, $0) > 0.9) }
    let sources = moved.prefix(4).map { row in
      (0..<rows).first { $0 != row && after.cosine(row, of: before, $0) > 0.95 }
    }
    guard let row = moved.first, let source = sources.first ?? nil,
      sources.allSatisfy({ $0 != nil })
    else { return nil }
    return (row, source)
  }
}
