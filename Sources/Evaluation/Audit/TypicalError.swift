/// How far a typical row of a weight moved, relative to its length: the median.
///
/// Of a table it is the median of the rows that references reach where that is less: most rows of a
/// table may be forged, but those were judged by their outputs. What outputs cannot show of them
/// does not count either.
enum TypicalError {
  /// How much larger than its visible part a typical error may be, for what chance takes out of it.
  private static let margin = 1.25

  /// - Parameters:
  ///   - rows: how far they moved from `old` to `new`.
  ///   - reached: whether the references reach a row, one for each; nil where they reach all.
  ///   - fewest: rows that are not zero from which a typical one can be told.
  /// - Returns: nil where there are fewer.
  static func value(
    _ rows: RowErrors, old: [Float], new: [Float], _ layout: RowLayout, reached: [Bool]?,
    fewest: Int
  ) -> Double? {
    let used = rows.lengths.indices.filter { rows.lengths[$0] > 0 }
    func typical(_ some: [Int]) -> Double? {
      Statistics.median(some.map { rows.errors[$0] / rows.lengths[$0] })
    }
    guard used.count >= fewest, let all = typical(used) else { return nil }
    guard let reached else { return all }
    let judged = used.filter { reached[$0] }
    guard let seen = typical(judged) else { return all }
    let visible = VisibleMoves(judged, old: old, new: new, width: layout.length).typical
    return min(all, seen, margin * visible)
  }
}

/// How far rows of a table moved, but for what a normalisation behind the table takes out again: a
/// number that is added to every number of a row, a vector that is added to all rows, and a factor.
struct VisibleMoves {
  /// Rows and numbers from which a mean can be taken out without taking out the moves themselves.
  private static let fewest = 8

  /// Scalar products of one row's move and the row.
  private struct Products {
    var moves = 0.0
    var mixed = 0.0
    var size = 0.0
  }

  private let rows: [Products]

  /// - Parameters:
  ///   - places: the rows that are looked at, none of which is all zero.
  ///   - width: numbers of a row.
  init(_ places: [Int], old: [Float], new: [Float], width: Int) {
    let offset = VisibleMoves.offset(places, old: old, new: new, width: width)
    rows = places.map { row in
      let start = row * width
      var moves = (0..<width).map { column in
        Double(new[start + column]) - Double(old[start + column]) - offset[column]
      }
      if width >= VisibleMoves.fewest {
        let mean = moves.reduce(0, +) / Double(width)
        for column in moves.indices { moves[column] -= mean }
      }
      var products = Products()
      for (column, move) in moves.enumerated() {
        let value = Double(old[start + column])
        products.moves += move * move
        products.mixed += move * value
        products.size += value * value
      }
      return products
    }
  }

  /// The vector that was added to all rows: the mean of their moves.
  private static func offset(
    _ places: [Int], old: [Float], new: [Float], width: Int
  ) -> [Double] {
    var offset = [Double](repeating: 0, count: width)
    guard places.count >= fewest else { return offset }
    for row in places {
      for column in 0..<width {
        offset[column] += Double(new[row * width + column]) - Double(old[row * width + column])
      }
    }
    return offset.map { $0 / Double(places.count) }
  }

  /// The factor, beside 1, that rows have more than rounding to nearest values explains. The mean of
  /// what becomes one value is shorter than what it was, by the square of the error (the centroid
  /// condition of Lloyd 1982).
  private var factor: Double {
    let size = rows.reduce(0) { $0 + $1.size }
    let factor = rows.reduce(0) { $0 + $1.mixed } / size
    let shrinks = 1.2 * rows.reduce(0) { $0 + $1.moves } / size
    return factor - min(max(factor, -shrinks), 0.02)
  }

  /// The median, relative to the lengths of the rows.
  var typical: Double {
    let factor = factor
    let errors = rows.map { row in
      let rest = row.moves - 2 * factor * row.mixed + factor * factor * row.size
      return (max(0, rest) / row.size).squareRoot()
    }
    return Statistics.median(errors) ?? 0
  }
}
