import Graph
import Weights

@testable import WeightCompression

extension WeightReference {
  /// One row of values.
  static func row(_ count: Int) -> WeightReference {
    WeightReference("w", [count], role: .matrix(outputAxis: 0))
  }

  static func matrix(_ shape: [Int], outputAxis: Int = 0) -> WeightReference {
    WeightReference("w", shape, role: .matrix(outputAxis: outputAxis))
  }
}

extension CompressedTensor.Content {
  /// Bytes as signed codes.
  static func int8(codes: [Int8], scales: [Float], blocks: [Int]) -> Self {
    .linear(
      LinearCodes(
        .int8, packed: codes.map { UInt8(bitPattern: $0) }, scales: scales, blocks: blocks))
  }

  static func palette(
    indices: [UInt8], bits: Int, palettes: [Float], blocks: [Int]
  ) -> Self {
    .palette(
      PaletteCodes(bits: bits, indices: indices, entries: .floats(palettes), blocks: blocks))
  }
}

extension LinearCodes {
  /// One integer for each element.
  func codes(_ count: Int) -> [Int] {
    BitPacking.unpack(packed, bits: integers.bits, count: count).map { code in
      let half = 1 << (integers.bits - 1)
      return integers.isSigned && Int(code) >= half ? Int(code) - 2 * half : Int(code)
    }
  }
}

extension PaletteCodes {
  var palettes: [Float] { floats(.float32) }
}
