/// The few values that a whole weight is stored with: a palette, or the steps of one scale.
///
/// Rows of very different sizes share them, so a small row may lose most of itself; but each number
/// becomes the nearest of the values that there are, and nothing else.
struct SharedLevels {
  /// Ascending.
  private let levels: [Float]

  /// Most values that one byte tells apart.
  private static let maximum = 256
  /// How much farther than the nearest value a row may be, to allow for rounding of the values.
  static let tolerance = 1.01

  /// - Returns: nil if the values are more than a palette holds.
  init?(of values: [Float]) {
    guard let first = values.first else { return nil }
    var found: Set<UInt32> = [first.bitPattern]
    // Most values were seen just before: this says so without looking into the set.
    var seen = [UInt32](repeating: first.bitPattern, count: 4096)
    for value in values {
      let bits = value.bitPattern
      let place = Int((bits &* 0x9E37_79B1) >> 20)
      if seen[place] == bits { continue }
      seen[place] = bits
      if found.insert(bits).inserted, found.count > SharedLevels.maximum { return nil }
    }
    levels = found.map { Float(bitPattern: $0) }.sorted()
  }

  /// Whether a row moved no farther than to the nearest values.
  ///
  /// - Parameters:
  ///   - row: as the baseline has it.
  ///   - error: how far it moved.
  func explain(_ row: [Float], error: Double) -> Bool {
    var minimum = 0.0
    for value in row {
      let distance = self.distance(from: value)
      minimum += distance * distance
    }
    return error <= minimum.squareRoot() * SharedLevels.tolerance
  }

  /// How far a number is from the nearest value.
  func distance(from value: Float) -> Double {
    var low = 0, high = levels.count
    while low < high {
      let middle = (low + high) / 2
      if levels[middle] < value { low = middle + 1 } else { high = middle }
    }
    var minimum = Double.infinity
    if low < levels.count { minimum = Double(levels[low]) - Double(value) }
    if low > 0 { minimum = min(minimum, Double(value) - Double(levels[low - 1])) }
    return minimum
  }
}
