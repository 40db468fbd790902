import Graph

/// How far a typical row of a weight moved, relative to its length: the median.
///
/// Of a table it is the median of the rows that references reach where that is less: most rows of a
/// table may be forged, but those were judged by their outputs. Error that outputs cannot show does
/// not count either.
enum TypicalError {
  /// How much larger than its visible part a typical error may be, for what chance takes out of it.
  private static let margin = 1.25

  /// - Parameters:
  ///   - rows: how far they moved from `old` to `new`.
  ///   - reached: whether the references reach a row, one for each; nil if they reach all.
  ///   - fewest: rows that are not zero from which a typical one can be told.
  /// - Returns: nil if there are fewer.
  static func value(
    _ rows: RowErrors, old: [Float], new: [Float], _ layout: RunLayout, reached: [Bool]?,
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
    let visible = VisibleMoves(judged, old: old, new: new, width: layout.groupCount).typical
    return min(all, seen, margin * visible)
  }
}

/// How far rows of a table moved, but for what a normalisation behind the table takes out again: a
/// number that is added to every number of a row, a vector that is added to all rows, and a factor.
struct VisibleMoves {
  /// Rows and numbers from which a mean can be taken out without taking out the moves themselves.
  private static let fewest = 8

  /// How often a factor is looked for; the remainder shrinks each time.
  private static let rounds = 20

  /// Scalar products of one row's move and the row, both centred, and of the row as it is.
  private struct Products {
    var moves = 0.0
    var mixed = 0.0
    var centred = 0.0
    var size = 0.0
  }

  private let rows: [Products]

  /// - Parameters:
  ///   - places: the rows that are looked at; each has a number that is not zero.
  ///   - width: numbers of a row.
  init(_ places: [Int], old: [Float], new: [Float], width: Int) {
    let before = VisibleMoves.centred(places, width: width) { Double(old[$0]) }
    let moves = VisibleMoves.centred(places, width: width) { Double(new[$0]) - Double(old[$0]) }
    rows = zip(places, zip(before, moves)).map { row, both in
      var products = Products()
      for (value, move) in zip(both.0, both.1) {
        products.moves += move * move
        products.mixed += move * value
        products.centred += value * value
      }
      for place in row * width..<(row + 1) * width {
        products.size += Double(old[place]) * Double(old[place])
      }
      return products
    }
  }

  /// Rows without what all of them have, and without the mean of each.
  private static func centred(
    _ places: [Int], width: Int, _ value: (Int) -> Double
  ) -> [[Double]] {
    var all = [Double](repeating: 0, count: width)
    if places.count >= fewest {
      for row in places {
        for column in 0..<width { all[column] += value(row * width + column) }
      }
      for column in 0..<width { all[column] /= Double(places.count) }
    }
    return places.map { row in
      var values = (0..<width).map { value(row * width + $0) - all[$0] }
      guard width >= fewest else { return values }
      let mean = values.reduce(0, +) / Double(width)
      for column in values.indices { values[column] -= mean }
      return values
    }
  }

  /// The factor, beside 1, that rows have more than rounding to nearest values explains. The mean
  /// one shared value is shorter than its values were, by the square of the error (the centroid
  /// condition of Lloyd 1982).
  ///
  /// Error from the factor counts at first, so the factor is looked for again without it.
  private var factor: Double {
    let size = rows.reduce(0) { $0 + $1.centred }
    guard size > 0 else { return 0 }
    let mixed = rows.reduce(0) { $0 + $1.mixed } / size
    let moves = rows.reduce(0) { $0 + $1.moves } / size
    var factor = 0.0
    for _ in 0..<VisibleMoves.rounds {
      let rest = mixed - factor
      let share = max(0, moves - 2 * factor * mixed + factor * factor)
      factor += rest - min(max(rest, -1.2 * share), 0.02)
    }
    return factor
  }

  /// The median, relative to the lengths of the rows.
  var typical: Double {
    let factor = factor
    let errors = rows.map { row in
      let rest = row.moves - 2 * factor * row.mixed + factor * factor * row.centred
      return (max(0, rest) / row.size).squareRoot()
    }
    return Statistics.median(errors) ?? 0
  }
}
