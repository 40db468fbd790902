/// The stored type of a tensor's values; the raw value is the name safetensors gives it.
///
/// The list is that of safetensors 0.8.
package enum ElementType: String, CaseIterable, Sendable {
  /// One byte, zero for false.
  case bool = "BOOL"
  case f4 = "F4"
  case f6E2M3 = "F6_E2M3"
  case f6E3M2 = "F6_E3M2"
  case u8 = "U8"
  case i8 = "I8"
  case f8E5M2 = "F8_E5M2"
  case f8E4M3 = "F8_E4M3"
  case f8E8M0 = "F8_E8M0"
  case f8E4M3FNUZ = "F8_E4M3FNUZ"
  case f8E5M2FNUZ = "F8_E5M2FNUZ"
  case i16 = "I16"
  case u16 = "U16"
  case f16 = "F16"
  /// The upper half of an F32.
  case bf16 = "BF16"
  case i32 = "I32"
  case u32 = "U32"
  case f32 = "F32"
  /// A complex number of two F32.
  case c64 = "C64"
  case f64 = "F64"
  case i64 = "I64"
  case u64 = "U64"

  /// Bits one value takes in a file; below eight, values are packed without gaps.
  package var bitWidth: Int {
    switch self {
    case .f4: 4
    case .f6E2M3, .f6E3M2: 6
    case .bool, .u8, .i8, .f8E5M2, .f8E4M3, .f8E8M0, .f8E4M3FNUZ, .f8E5M2FNUZ: 8
    case .i16, .u16, .f16, .bf16: 16
    case .i32, .u32, .f32: 32
    case .c64, .f64, .i64, .u64: 64
    }
  }

  /// Whether `Tensor.floats()` converts values of this type.
  package var isConvertible: Bool {
    switch self {
    case .f4, .f6E2M3, .f6E3M2, .f8E5M2, .f8E4M3, .f8E8M0, .f8E4M3FNUZ, .f8E5M2FNUZ, .c64: false
    case .bool, .u8, .i8, .i16, .u16, .f16, .bf16, .i32, .u32, .f32, .f64, .i64, .u64: true
    }
  }

  /// Whether values are whole numbers or truth values.
  package var isWholeNumber: Bool {
    switch self {
    case .bool, .u8, .i8, .i16, .u16, .i32, .u32, .i64, .u64: true
    case .f4, .f6E2M3, .f6E3M2, .f8E5M2, .f8E4M3, .f8E8M0, .f8E4M3FNUZ, .f8E5M2FNUZ, .f16, .bf16,
      .f32, .c64, .f64:
      false
    }
  }
}

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
