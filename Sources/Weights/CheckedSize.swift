/// Sizes of arrays in arithmetic that cannot overflow.
package enum CheckedSize {
  /// Largest number of dimensions read; numpy and PyTorch stop there too.
  static let highestRank = 64

  /// Number of values of a shape.
  ///
  /// Nil when the product overflows, zero dimensions left aside: whoever multiplies part of a
  /// checked shape then needs no care. Dimensions must not be negative.
  package static func elementCount(of shape: [Int]) -> Int? {
    var product = 1
    for dimension in shape where dimension != 0 {
      let (next, overflow) = product.multipliedReportingOverflow(by: dimension)
      if overflow { return nil }
      product = next
    }
    return shape.contains(0) ? 0 : product
  }

  /// Bits of `count` values, nil when the number overflows.
  static func bitCount(of count: Int, _ type: ElementType) -> Int? {
    let (bits, overflow) = count.multipliedReportingOverflow(by: type.bitWidth)
    return overflow ? nil : bits
  }
}
