/// A column that trees look at, as it is made of one feature.
package struct FoldedColumn<Number: PlacedNumber> {
  /// The place of the feature.
  let feature: Int
  /// The code of a category, where the column is 1 for it and else 0; nil of a number.
  let category: Int?
  let change: Change
  /// What a missing value counts as: NaN, or the number that replaces it.
  let missing: Number
  /// What becomes of a number of the feature; of a category of 1 and 0.
  let value: (Number) -> Number

  /// What is done with a number before the trees.
  package enum Change: Sendable {
    /// Nothing.
    case none
    /// Numbers are what they are; missing ones may become others.
    case filled
    /// Numbers are scaled, and keep their order or are turned.
    case scaled(isTurned: Bool)
  }

  package init(
    feature: Int, category: Int?, change: Change, missing: Number = .nan,
    value: @escaping (Number) -> Number
  ) {
    (self.feature, self.category, self.change) = (feature, category, change)
    (self.missing, self.value) = (missing, value)
  }

  /// Whether the column is a feature as an app gives it.
  var isPlain: Bool { if case .none = change { category == nil } else { false } }
}

/// A number that has a place in the order of all of its kind; 0 is that of both zeros.
package protocol PlacedNumber: BinaryFloatingPoint {
  var place: Int64 { get }
  static func at(_ place: Int64) -> Self
}

extension Float: PlacedNumber {
  package var place: Int64 {
    let bits = Int64(Int32(bitPattern: bitPattern))
    return bits < 0 ? Int64(Int32.min) - bits : bits
  }

  package static func at(_ place: Int64) -> Self {
    let bits = place < 0 ? Int64(Int32.min) - place : place
    return Self(bitPattern: UInt32(bitPattern: Int32(bits)))
  }
}

extension Double: PlacedNumber {
  package var place: Int64 {
    let bits = Int64(bitPattern: bitPattern)
    return bits < 0 ? .min - bits : bits
  }

  package static func at(_ place: Int64) -> Self {
    Self(bitPattern: UInt64(bitPattern: place < 0 ? .min - place : place))
  }
}

extension PlacedNumber {
  /// The largest number for which something holds that holds for all below it; nil if it holds for none that a
  /// row may have.
  static func last(where holds: (Self) -> Bool) -> Self? {
    let largest = Self(Float.greatestFiniteMagnitude)
    guard holds(-largest) else { return nil }
    if holds(largest) { return largest }
    var (low, high) = ((-largest).place, largest.place)
    while low + 1 < high {
      // The sum of both may not fit.
      let middle = (low & high) + (low ^ high) >> 1
      if holds(at(middle)) { low = middle } else { high = middle }
    }
    return at(low)
  }
}
