/// The masks that models keep among their weights.
package struct MaskPattern: Hashable, Sendable {
  /// The number that hides a place: −∞, a number as low as −10⁴, or 0 where others are 1.
  package let hidden: Float
  /// Number of hidden places.
  package let count: Int
  /// Whether exactly the places right of the diagonal are hidden.
  package let isCausal: Bool

  /// Reads a tensor as a mask.
  ///
  /// A mask has two distinct values, and its last two axes are equally long. One value is 0 and the
  /// other −∞ or at most `Thresholds.maskValue`; or the values are 1 and 0, causal, and the axes
  /// at least `Thresholds.maskOfOnes` long.
  ///
  /// - Returns: nil for anything else, which nearly always shows at the first values.
  static func found(in values: [Float], shape: [Int]) -> MaskPattern? {
    guard var scan = MaskScan(shape: shape) else { return nil }
    guard scan.add(values.span) else { return nil }
    return scan.pattern
  }
}

/// Reads values that come piece by piece as a mask, until one speaks against it.
struct MaskScan {
  private let side: Int
  /// Values taken so far.
  private var position = 0
  /// Nil as long as only zeros came, which may be shown or nothing at all.
  private var hidden: Float?
  private var count = 0
  private var isCausal = true
  private var isMask = true

  /// Nil if the shape is not that of a mask.
  init?(shape: [Int]) {
    guard let side = shape.last, side > 1, shape.count > 1, shape[shape.count - 2] == side else {
      return nil
    }
    self.side = side
  }

  /// Takes the next values; returns whether they may still be a mask.
  mutating func add(_ values: Span<Float>) -> Bool {
    var index = 0
    while isMask, index < values.count {
      add(values[index])
      index += 1
    }
    return isMask
  }

  private mutating func add(_ value: Float) {
    if hidden == nil { find(value) }
    defer { position += 1 }
    guard let hidden, isMask else { return }
    let isHidden = value == hidden
    guard isHidden || value == (hidden == 0 ? 1 : 0) else { return isMask = false }
    let (row, column) = (position / side % side, position % side)
    isCausal = isCausal && isHidden == (column > row)
    count += isHidden ? 1 : 0
  }

  // Learns the hidden value: a causal mask begins with a shown place, others with either kind.
  private mutating func find(_ value: Float) {
    if position == 0, value == 1 { return hidden = 0 }
    guard value != 0 else { return }
    guard value <= Thresholds.maskValue else { return isMask = false }
    hidden = value
    // All before are zeros, which are shown; the second place is right of the diagonal.
    isCausal = position <= 1
  }

  /// The mask that all values together are.
  var pattern: MaskPattern? {
    guard isMask, let hidden else { return nil }
    guard hidden != 0 || isCausal && side >= Thresholds.maskOfOnes else { return nil }
    return MaskPattern(hidden: hidden, count: count, isCausal: isCausal)
  }
}
