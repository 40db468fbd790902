import TestSupport
import Testing

@testable import WeightCompression

struct BitPackingTests {
  struct Case: CustomTestStringConvertible {
    let bits: Int
    let values: [UInt8]
    let bytes: [UInt8]
    var testDescription: String { "\(values.count) values of \(bits) bits" }
  }

  static let cases = [
    Case(bits: 1, values: [1, 0, 1, 1, 0, 0, 0, 1, 1], bytes: [0x8d, 0x01]),
    Case(bits: 2, values: [1, 2, 3, 0, 3], bytes: [0x39, 0x03]),
    Case(bits: 3, values: [1, 2, 3, 4, 5], bytes: [0xd1, 0x58]),
    Case(bits: 4, values: [1, 2, 15], bytes: [0x21, 0x0f]),
    Case(bits: 6, values: [1, 2, 63, 33, 7], bytes: [0x81, 0xf0, 0x87, 0x07]),
    Case(bits: 8, values: [255, 0, 7], bytes: [0xff, 0x00, 0x07]),
    Case(bits: 3, values: [], bytes: []),
  ]

  @Test(arguments: cases)
  func packsAsCoreMLDoes(_ item: Case) {
    #expect(BitPacking.pack(item.values, bits: item.bits) == item.bytes)
    #expect(BitPacking.byteCount(item.values.count, bits: item.bits) == item.bytes.count)
    #expect(
      BitPacking.unpack(item.bytes, bits: item.bits, count: item.values.count) == item.values)
  }

  @Test(arguments: PaletteScheme.knownBits)
  func comesBackForEveryLength(_ bits: Int) {
    var random = SeededGenerator(seed: 7)
    for count in 0...67 {
      let values = (0..<count).map { _ in UInt8.random(in: 0...UInt8(1 << bits - 1), using: &random)
      }
      let bytes = BitPacking.pack(values, bits: bits)
      #expect(bytes.count == (count * bits + 7) / 8)
      #expect(BitPacking.unpack(bytes, bits: bits, count: count) == values)
    }
  }

  @Test(arguments: PaletteScheme.knownBits)
  func aRangeIsThatPartOfTheWhole(_ bits: Int) {
    var random = SeededGenerator(seed: 8)
    let values = (0..<131).map { _ in UInt8.random(in: 0...UInt8(1 << bits - 1), using: &random) }
    let bytes = BitPacking.pack(values, bits: bits)
    for lower in 0...33 {
      for count in [0, 1, 2, 15, 31, 32, 33, 64, 66, 131 - lower] where lower + count <= 131 {
        let range = lower..<lower + count
        // What lies behind the range stays as it is.
        var part = [UInt8](repeating: 77, count: count + 1)
        bytes.withUnsafeBufferPointer { packed in
          part.withUnsafeMutableBufferPointer {
            BitPacking.unpack(packed, bits: bits, range, into: $0)
          }
        }
        #expect(part == values[range] + [77])
      }
    }
  }
}
