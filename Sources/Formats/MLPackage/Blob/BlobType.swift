/// The element types of a weights file, with their codes there; names as in ML Programs.
///
/// The codes are not those of the program's `DataType`.
package enum BlobType: UInt32, CaseIterable, Sendable {
  case float16 = 1
  case float32 = 2
  case uint8 = 3
  case int8 = 4
  case bfloat16 = 5
  case int16 = 6
  case uint16 = 7
  case int4 = 8
  case uint1 = 9
  case uint2 = 10
  case uint4 = 11
  case uint3 = 12
  case uint6 = 13
  case int32 = 14
  case uint32 = 15
  case float8E4M3FN = 16
  case float8E5M2 = 17

  /// The name in texts of ML Programs, such as `float16`.
  package var name: String { "\(self)" }

  /// Bits of one element; those of fewer than 8 are packed as `BitPacking` does.
  package var bitWidth: Int {
    switch self {
    case .uint1: 1
    case .uint2: 2
    case .uint3: 3
    case .int4, .uint4: 4
    case .uint6: 6
    case .uint8, .int8, .float8E4M3FN, .float8E5M2: 8
    case .float16, .bfloat16, .int16, .uint16: 16
    case .float32, .int32, .uint32: 32
    }
  }

  /// Bytes that so many elements take; nil when the number overflows.
  package func byteCount(of elementCount: Int) -> Int? {
    let (bits, overflow) = elementCount.multipliedReportingOverflow(by: bitWidth)
    return overflow ? nil : bits / 8 + (bits % 8 == 0 ? 0 : 1)
  }
}
