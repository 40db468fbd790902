/// Sizes of arrays in arithmetic that cannot overflow.
package enum CheckedSize {
  /// Largest number of dimensions read; numpy and PyTorch stop there too.
  static let highestRank = 64

  /// Number of values of a shape.
  ///
  /// Nil if the product overflows, ignoring zero dimensions: products of parts of a checked shape
  /// are then safe. Dimensions must not be negative.
  package static func elementCount(of shape: [Int]) -> Int? {
    var product = 1
    for dimension in shape where dimension != 0 {
      let (next, overflow) = product.multipliedReportingOverflow(by: dimension)
      if overflow { return nil }
      product = next
    }
    return shape.contains(0) ? 0 : product
  }

  /// Most places that the other dimensions of an array without values may span.
  static let maxEmptyPlaces = Int(Int32.max)

  /// Whether an array has no values and yet more rows or columns than anything could list; its file
  /// need not hold a byte of them. The shape must be one whose size does not overflow.
  static func isVastAndEmpty(_ shape: [Int]) -> Bool {
    guard shape.contains(0), let places = elementCount(of: shape.filter { $0 != 0 }) else {
      return false
    }
    return places > maxEmptyPlaces
  }

  /// Why a shape is refused.
  static var vastAndEmpty: String {
    "no values and dimensions beyond \(maxEmptyPlaces); save it without the empty array"
  }

  /// Bits of `count` values, nil if the number overflows.
  static func bitCount(of count: Int, _ type: ElementType) -> Int? {
    let (bits, overflow) = count.multipliedReportingOverflow(by: type.bitWidth)
    return overflow ? nil : bits
  }
}
