import TestSupport
import Testing

@testable import Weights

@Suite struct FloatConversionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let type: ElementType
    /// Little-endian.
    let bytes: [UInt8]
    let values: [Float]
    var testDescription: String { type.rawValue }
  }

  @Test func tellsWholeNumbersFromFractions() {
    let whole = ElementType.allCases.filter(\.isWholeNumber)
    #expect(whole == [.bool, .u8, .i8, .i16, .u16, .i32, .u32, .i64, .u64])
  }

  static let cases: [Case] = [
    Case(type: .bool, bytes: [0, 1, 2], values: [0, 1, 1]),
    Case(type: .u8, bytes: [0, 127, 255], values: [0, 127, 255]),
    Case(type: .i8, bytes: [0, 127, 128, 255], values: [0, 127, -128, -1]),
    Case(type: .u16, bytes: [0xFF, 0xFF, 1, 0], values: [65535, 1]),
    Case(type: .i16, bytes: [0xFF, 0xFF, 0, 0x80], values: [-1, -32768]),
    Case(type: .u32, bytes: littleEndian(UInt32.max), values: [4_294_967_296]),
    Case(type: .i32, bytes: littleEndian(Int32.min), values: [-2_147_483_648]),
    Case(type: .u64, bytes: littleEndian(UInt64.max), values: [18_446_744_073_709_551_616]),
    Case(type: .i64, bytes: littleEndian(Int64(-16_777_217)), values: [-16_777_216]),
    Case(type: .f32, bytes: floatBytes([1.5, -.infinity]), values: [1.5, -.infinity]),
    Case(
      type: .f64,
      bytes: [0.1, 1e300, -1e-300].flatMap { littleEndian($0.bitPattern) },
      values: [0.1, .infinity, -0.0]),
    Case(type: .bf16, bytes: [0x80, 0x3F, 0x80, 0xFF], values: [1, -.infinity]),
    Case(
      type: .f16, bytes: [0x00, 0x3C, 0x01, 0x00, 0xFF, 0xFB, 0x00, 0xFC],
      values: [1, 0x1p-24, -65504, -.infinity]),
  ]

  @Test(arguments: cases) func littleEndianValues(_ test: Case) {
    let found = FloatConversion.floats(of: test.bytes.span.bytes, test.type, isBigEndian: false)
    #expect(found.map(\.bitPattern) == test.values.map(\.bitPattern))
  }

  @Test(arguments: cases) func bigEndianValues(_ test: Case) {
    let size = test.type.bitWidth / 8
    var swapped: [UInt8] = []
    for start in stride(from: 0, to: test.bytes.count, by: size) {
      swapped += test.bytes[start..<start + size].reversed()
    }
    let found = FloatConversion.floats(of: swapped.span.bytes, test.type, isBigEndian: true)
    #expect(found.map(\.bitPattern) == test.values.map(\.bitPattern))
  }

  @Test func everyConvertibleTypeHasACase() {
    let covered = Set(FloatConversionTests.cases.map(\.type))
    #expect(Set(ElementType.allCases.filter(\.isConvertible)) == covered)
  }

  /// All 65,536 float16 values against the compiler's own conversion.
  @Test func everyHalf() {
    for bits in UInt16.min ... .max {
      let expected = Float(Float16(bitPattern: bits))
      let found = FloatConversion.float(half: bits)
      if expected.isNaN {
        #expect(found.isNaN && found.sign == expected.sign)
      } else {
        #expect(found.bitPattern == expected.bitPattern, "half \(bits)")
      }
    }
  }

  @Test(arguments: [[], [0], [5], [1, 1], [2, 3], [3, 2, 4], [2, 0, 3], [2, 1, 3, 2]])
  func rowMajorOfFortranOrder(_ shape: [Int]) {
    let count = CheckedSize.elementCount(of: shape) ?? 0
    // The value of every place is its row-major index.
    var stored = [Float](repeating: -1, count: count)
    for index in 0..<count {
      var (rest, offset, stride) = (index, 0, count)
      var position: [Int] = []
      for dimension in shape.reversed() {
        position.insert(rest % dimension, at: 0)
        rest /= dimension
      }
      stride = 1
      for (place, dimension) in zip(position, shape) {
        offset += place * stride
        stride *= dimension
      }
      stored[offset] = Float(index)
    }
    #expect(
      FloatConversion.rowMajor(stored, shape: shape) == (0..<count).map { Float($0) })
  }
}
