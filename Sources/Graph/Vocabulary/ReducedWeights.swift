import Tokenization
import Weights

/// The weights of a model whose tables of tokens have lost rows.
struct ReducedWeights: WeightFile {
  private let whole: any WeightFile
  private let tables: Set<TensorName>
  private let kept: KeptTokens

  /// - Parameter tables: [rows, ..] each, with at least `kept.rowsBefore` rows.
  init(_ whole: any WeightFile, tables: Set<TensorName>, keeping kept: KeptTokens) {
    self.whole = whole
    self.tables = tables
    self.kept = kept
  }

  var names: [TensorName] { whole.names }
  var files: [String] { whole.files }

  /// That of the bytes that hold the whole tables.
  func digest() -> ContentDigest { whole.digest() }

  func wholeNumberType(of name: TensorName) -> String? { whole.wholeNumberType(of: name) }

  func shape(of name: TensorName) -> [Int]? {
    guard let shape = whole.shape(of: name), tables.contains(name) else {
      return whole.shape(of: name)
    }
    return [kept.ids.count] + shape.dropFirst()
  }

  func floats(of name: TensorName) throws -> [Float] {
    guard tables.contains(name), let shape = whole.shape(of: name) else {
      return try whole.floats(of: name)
    }
    var rows = RowPicker(kept.ids, width: shape.dropFirst().reduce(1, *))
    try whole.forEachPiece(of: name) { piece in
      rows.take(piece)
      return !rows.isFull
    }
    return rows.values
  }
}

/// Picks rows from values that come in pieces.
private struct RowPicker {
  private let rows: [Int32]
  private let width: Int
  private let count: Int
  /// The next row to be picked, by its place in `rows`.
  private var next = 0
  /// Values that came in earlier pieces.
  private var seen = 0
  private(set) var values: [Float] = []

  init(_ rows: [Int32], width: Int) {
    self.rows = rows
    self.width = width
    count = rows.count * width
    values.reserveCapacity(count)
  }

  var isFull: Bool { values.count == count }

  mutating func take(_ piece: Span<Float>) {
    let end = seen + piece.count
    while next < rows.count {
      let row = Int(rows[next]) * width
      let missing = values.count - next * width
      let start = row + missing
      guard start < end else { break }
      let stop = min(row + width, end)
      for place in start..<stop { values.append(piece[place - seen]) }
      guard stop == row + width else { break }
      next += 1
    }
    seen = end
  }
}
