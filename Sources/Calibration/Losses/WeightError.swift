import Graph
import WeightCompression
import Weights

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
  ///   - isIncluded: whether a row is looked at, where `trained` has only some.
  init(
    of compressed: CompressedTensor, from trained: TrainedNumbers, rows isIncluded: (Int) -> Bool
  ) {
    width = max(1, compressed.shape.last ?? 1)
    nothing = [Float](repeating: 0, count: width)
    switch trained {
    case .all(let trained):
      var error = compressed.dequantized()
      for i in error.indices { error[i] -= trained[i] }
      (all, rows) = (error, nil)
    case .rows(let trained):
      var errors: [Int: [Float]] = [:]
      for (row, numbers) in trained where isIncluded(row) {
        let range = row * width..<(row + 1) * width
        errors[row] = zip(compressed.dequantized(in: range), numbers).map { $0 - $1 }
      }
      (all, rows) = ([], errors)
    }
  }

  /// A row of a table; zeros of one that is not looked at.
  func row(_ number: Int) -> ArraySlice<Float> {
    guard let rows else { return all[number * width..<(number + 1) * width] }
    return (rows[number] ?? nothing)[...]
  }
}

/// The numbers of a weight as trained: all of them, or some rows of a table.
enum TrainedNumbers {
  case all([Float])
  case rows([Int: [Float]])

  /// Reads some rows of a table [rows, width], without the others in memory.
  ///
  /// - Throws: errors of the source.
  init(rows: Set<Int>, of table: WeightReference, from source: any WeightSource) throws {
    let width = max(1, table.shape.last ?? 1)
    let sorted = rows.sorted()
    var found: [Int: [Float]] = [:]
    // The first row that has not all of its numbers, and the place of a piece.
    var (next, start) = (0, 0)
    try source.forEachPiece(of: table.name) { piece in
      let end = start + piece.count
      while next < sorted.count, sorted[next] * width < end {
        let row = sorted[next]
        let places = max(row * width, start)..<min((row + 1) * width, end)
        for place in places { found[row, default: []].append(piece[place - start]) }
        if (row + 1) * width > end { break }
        next += 1
      }
      start = end
      return next < sorted.count
    }
    self = .rows(found)
  }
}
