import WeightCompression

/// What compressing a weight changes: of every number, or of those rows of a table that are looked at.
struct WeightError {
  /// In the weight's shape; empty where there are rows.
  let all: [Float]
  private let rows: [Int: [Float]]
  private let width: Int

  /// - Parameters:
  ///   - trained: the weight's numbers before.
  ///   - rows: those that are looked at, of a table [rows, width]; nil for every number.
  init(of compressed: CompressedTensor, from trained: [Float], rows: Set<Int>?) {
    width = max(1, compressed.shape.last ?? 1)
    guard let rows else {
      var error = compressed.dequantized()
      for i in error.indices { error[i] -= trained[i] }
      (all, self.rows) = (error, [:])
      return
    }
    var errors: [Int: [Float]] = [:]
    for row in rows {
      let range = row * width..<(row + 1) * width
      errors[row] = zip(compressed.dequantized(in: range), trained[range]).map { $0 - $1 }
    }
    (all, self.rows) = ([], errors)
  }

  /// A row of a table.
  func row(_ number: Int) -> ArraySlice<Float> {
    rows[number].map { $0[...] } ?? all[number * width..<(number + 1) * width]
  }
}
