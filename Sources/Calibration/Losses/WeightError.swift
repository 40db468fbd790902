import WeightCompression

/// What compressing a weight changes: of every number, or of some rows of a table.
struct WeightError {
  /// In the weight's shape; empty where there are rows.
  let all: [Float]
  /// Nil where there is every number.
  private let rows: [Int: [Float]]?
  private let width: Int
  /// Of a row that is not looked at.
  private let nothing: [Float]

  /// - Parameters:
  ///   - trained: the weight's numbers before.
  ///   - rows: those that are looked at, of a table [rows, width]; nil for every number.
  init(of compressed: CompressedTensor, from trained: [Float], rows: Set<Int>?) {
    width = max(1, compressed.shape.last ?? 1)
    nothing = [Float](repeating: 0, count: width)
    guard let rows else {
      var error = compressed.dequantized()
      for i in error.indices { error[i] -= trained[i] }
      (all, self.rows) = (error, nil)
      return
    }
    var errors: [Int: [Float]] = [:]
    for row in rows {
      let range = row * width..<(row + 1) * width
      errors[row] = zip(compressed.dequantized(in: range), trained[range]).map { $0 - $1 }
    }
    (all, self.rows) = ([], errors)
  }

  /// A row of a table; zeros of one that is not looked at.
  func row(_ number: Int) -> ArraySlice<Float> {
    guard let rows else { return all[number * width..<(number + 1) * width] }
    return (rows[number] ?? nothing)[...]
  }
}
