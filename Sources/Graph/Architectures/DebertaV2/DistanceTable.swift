import Foundation

/// Which rows of a table distances have: one for each distance near 0, and one for ever more of them
/// farther away.
///
/// Source: He et al. 2020, "DeBERTa", arXiv:2006.03654, and its logarithmic buckets in the code of
/// Hugging Face transformers.
struct DistanceTable: Sendable {
  /// Number of buckets to one side; below 1 where each distance has its own row.
  let count: Int
  /// The longest distance that is told from others.
  let maximum: Int

  /// Rows to one side of the middle.
  var span: Int { count > 0 ? count : maximum }

  /// The row of a distance: the place of the token that looks minus that of the other.
  func row(of distance: Int) -> Int {
    min(max(bucket(of: distance) + span, 0), 2 * span - 1)
  }

  // Computed as the library does, in float32.
  private func bucket(of distance: Int) -> Int {
    let middle = count / 2
    guard count > 0, abs(distance) > middle, middle > 0 else { return distance }
    let position = log(Float(abs(distance)) / Float(middle))
    let whole = log(Float(maximum - 1) / Float(middle))
    let bucket = (position / whole * Float(middle - 1)).rounded(.up) + Float(middle)
    // Tables of one place or so give no number; the library has rows for none of those.
    guard bucket.isFinite, abs(bucket) < 1e9 else { return distance.signum() * span }
    return distance.signum() * Int(bucket)
  }
}

/// The distances of a text of a length, from the longest behind to the longest before.
struct TextDistances: Sendable {
  /// Rows of the table that are used, ascending.
  let rows: [Int]
  /// For each distance, -(length - 1)...(length - 1), its place in `rows`.
  let places: [Int]

  init(_ buckets: DistanceTable, length: Int) {
    let all = (1 - length..<length).map(buckets.row)
    let rows = Array(Set(all)).sorted()
    let place = Dictionary(uniqueKeysWithValues: zip(rows, rows.indices))
    self.rows = rows
    places = all.compactMap { place[$0] }
  }
}
