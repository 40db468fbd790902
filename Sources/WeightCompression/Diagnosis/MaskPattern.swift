/// The masks that models keep among their weights.
package struct MaskPattern: Hashable, Sendable {
  /// The number that hides a place: −∞, a number as low as −10⁴, or 0 where others are 1.
  package let hidden: Float
  /// How many places are hidden.
  package let count: Int
  /// Whether every place right of the diagonal is hidden and no other one.
  package let isCausal: Bool

  /// Reads a tensor as a mask.
  ///
  /// A mask has two distinct values, and its last two axes are equally long. One value is 0 and the
  /// other −∞ or at most `Thresholds.maskValue`; or the values are 1 and 0, causal, and the axes
  /// at least `Thresholds.maskOfOnes` long.
  ///
  /// - Returns: nil for anything else, which nearly always shows at the first values.
  static func found(in values: [Float], shape: [Int]) -> MaskPattern? {
    guard let side = shape.last, side > 1, shape.count > 1, shape[shape.count - 2] == side,
      let hidden = hiddenValue(values)
    else { return nil }
    let shown: Float = hidden == 0 ? 1 : 0
    var count = 0
    var isCausal = true
    for (index, value) in values.enumerated() {
      guard value == hidden || value == shown else { return nil }
      let (row, column) = (index / side % side, index % side)
      let isHidden = value == hidden
      isCausal = isCausal && isHidden == (column > row)
      count += isHidden ? 1 : 0
    }
    guard hidden != 0 || isCausal && side >= Thresholds.maskOfOnes else { return nil }
    return MaskPattern(hidden: hidden, count: count, isCausal: isCausal)
  }

  // What the first values tell: a causal mask begins with what it shows, others with either.
  private static func hiddenValue(_ values: [Float]) -> Float? {
    guard let first = values.first else { return nil }
    if first == 1 { return 0 }
    guard let low = values.first(where: { $0 != 0 }) else { return nil }
    return low <= Thresholds.maskValue ? low : nil
  }
}
