import Graph
import StrictJSON
import Testing
import WeightCompression
import Weights

@testable import Formats

// Constants that are palettes.
extension ConstantTests {
  // 128 indices that take every value, and tables of as many distinct float16 values.
  private static func palette(bits: Int, groups: Int, axis: Int = 0) -> CompressedTensor.Content {
    let size = 1 << bits
    let indices = (0..<128).map { UInt8(truncatingIfNeeded: ($0 * 7 + $0 / 32) % size) }
    return .palette(
      PaletteCodes(
        bits: bits, indices: BitPacking.pack(indices, bits: bits),
        entries: .floats((0..<groups * size).map { Float($0) / 64 - 2 }),
        blocks: axis == 0 ? [groups, 1] : [1, groups]))
  }

  static func int8(
    _ codes: [Int8], _ scales: [Float], _ blocks: [Int]
  ) -> CompressedTensor.Content {
    .linear(
      LinearCodes(
        .int8, packed: codes.map { UInt8(bitPattern: $0) }, scales: scales, blocks: blocks))
  }

  static let palettes: [Stored] = PaletteScheme.knownBits.map { bits in
    let entries = 1 << bits
    let place = entries < 10 ? "inline" : "blob"
    let byteCount = 128 * bits / 8
    return Stored(
      name: "palette \(bits)", reference: table, content: palette(bits: bits, groups: 1),
      old: bits == 3
        ? nil
        : [
          "constexpr_lut_to_dense", "attribute indices: uint8 [\(byteCount)] blob",
          "attribute lut: fp16 [\(entries)] \(place)", "attribute shape: uint32 [2] inline",
          "w: fp16 [4, 32]",
        ],
      new: [
        "constexpr_lut_to_dense", "input indices: uint\(bits) [4, 32] blob",
        "input lut: fp16 [1, 1, \(entries), 1] \(place)", "w: fp16 [4, 32]",
      ])
  }

  static let grouped: [Stored] = [
    Stored(
      name: "palettes of two rows each", reference: table, content: palette(bits: 4, groups: 2),
      old: nil,
      new: [
        "constexpr_lut_to_dense", "input indices: uint4 [4, 32] blob",
        "input lut: fp16 [2, 1, 16, 1] blob", "w: fp16 [4, 32]",
      ]),
    Stored(
      name: "palettes of eight columns each",
      reference: WeightReference("w", [4, 32], role: .matrix(outputAxis: 1)),
      content: palette(bits: 2, groups: 4, axis: 1), old: nil,
      new: [
        "constexpr_lut_to_dense", "input indices: uint2 [4, 32] blob",
        "input lut: fp16 [1, 4, 4, 1] blob", "w: fp16 [4, 32]",
      ]),
    // Packed indices of fewer than ten elements are written into the program.
    Stored(
      name: "palette of nine", reference: small,
      content: .palette(
        PaletteCodes(
          bits: 3, indices: BitPacking.pack([0, 1, 2, 3, 4, 5, 6, 7, 0], bits: 3),
          entries: .floats([0, 1, 2, 3, 4, 5, 6, 8]), blocks: [1, 1])),
      old: nil,
      new: [
        "constexpr_lut_to_dense", "input indices: uint3 [3, 3] inline",
        "input lut: fp16 [1, 1, 8, 1] inline", "w: fp16 [3, 3]",
      ]),
  ]

  /// Forms that came after eight bits and plain tables.
  static let deep: [Stored] = [
    Stored(
      name: "int8 asymmetric", reference: matrix,
      content: .linear(
        LinearCodes(
          .int8, mode: .asymmetric, packed: codes.map { UInt8(bitPattern: $0) }, scales: scales,
          zeroPoints: [-128, 127, 0, 44], blocks: [4, 1])),
      old: [
        "constexpr_affine_dequantize", "attribute axis: int32 [] inline",
        "attribute quantized_data: uint8 [4, 3] blob", "attribute scale: fp16 [4] inline",
        "attribute zero_point: uint8 [4] inline", "w: fp16 [4, 3]",
      ],
      new: [
        "constexpr_blockwise_shift_scale", "input data: uint8 [4, 3] blob",
        "input offset: uint8 [4, 1] inline", "input scale: fp16 [4, 1] inline", "w: fp16 [4, 3]",
      ]),
    Stored(
      name: "uint8 symmetric", reference: matrix,
      content: .linear(
        LinearCodes(
          .uint8, packed: Array(0..<12).map { 20 * $0 }, scales: [scales[0]], blocks: [1, 1])),
      old: [
        "constexpr_affine_dequantize", "attribute axis: int32 [] inline",
        "attribute quantized_data: uint8 [4, 3] blob", "attribute scale: fp16 [] inline",
        "attribute zero_point: uint8 [] inline", "w: fp16 [4, 3]",
      ],
      new: [
        "constexpr_blockwise_shift_scale", "input data: uint8 [4, 3] blob",
        "input offset: uint8 [1, 1] inline", "input scale: fp16 [1, 1] inline", "w: fp16 [4, 3]",
      ]),
    Stored(
      name: "int4 in blocks", reference: table,
      content: .linear(
        LinearCodes(
          .int4, packed: (0..<64).map { UInt8(truncatingIfNeeded: $0 * 37) },
          scales: (1...16).map { Float($0) / 64 }, blocks: [4, 4])),
      old: nil,
      new: [
        "constexpr_blockwise_shift_scale", "input data: int4 [4, 32] blob",
        "input scale: fp16 [4, 4] blob", "w: fp16 [4, 32]",
      ]),
    Stored(
      name: "uint4 asymmetric in blocks of the first axis", reference: wide,
      content: .linear(
        LinearCodes(
          .uint4, mode: .asymmetric, packed: (0..<64).map { UInt8(truncatingIfNeeded: $0 * 91) },
          scales: (0..<64).map { Float($0 + 1) / 512 },
          zeroPoints: (0..<64).map { Int16($0 % 16) }, blocks: [2, 32])),
      old: nil,
      new: [
        "constexpr_blockwise_shift_scale", "input data: uint4 [4, 32] blob",
        "input offset: uint4 [2, 32] blob", "input scale: fp16 [2, 32] blob", "w: fp16 [4, 32]",
      ]),
    Stored(
      name: "uint4 symmetric, an odd number of them", reference: small,
      content: .linear(
        LinearCodes(
          .uint4, packed: [0x10, 0x32, 0x54, 0x76, 0x0E], scales: [0.5], blocks: [1, 1])),
      old: nil,
      new: [
        "constexpr_blockwise_shift_scale", "input data: uint4 [3, 3] inline",
        "input offset: uint4 [1, 1] inline", "input scale: fp16 [1, 1] inline", "w: fp16 [3, 3]",
      ]),
    Stored(
      name: "vectors of two rows", reference: table,
      content: .palette(
        PaletteCodes(
          bits: 2, indices: (0..<16).map { UInt8(truncatingIfNeeded: $0 * 53) },
          entries: .floats((0..<16).map { Float($0) / 8 - 1 }), width: 2, blocks: [2, 1])),
      old: nil,
      new: [
        "constexpr_lut_to_dense", "input indices: uint2 [2, 32] blob",
        "input lut: fp16 [2, 1, 4, 2] blob", "input vector_axis: int32 [] inline",
        "w: fp16 [4, 32]",
      ]),
    Stored(
      name: "vectors of four columns", reference: wide,
      content: .palette(
        PaletteCodes(
          bits: 1, indices: [1, 2, 4, 8], entries: .floats((0..<8).map { Float($0) - 3 }),
          width: 4, blocks: [1, 1])),
      old: nil,
      new: [
        "constexpr_lut_to_dense", "input indices: uint1 [4, 8] blob",
        "input lut: fp16 [1, 1, 2, 4] inline", "input vector_axis: int32 [] inline",
        "w: fp16 [4, 32]",
      ]),
    Stored(
      name: "palette of integers", reference: matrix,
      content: .palette(
        PaletteCodes(
          bits: 2, indices: [0x1B, 0xE4, 0x1B],
          entries: .int8(codes: [-127, -3, 5, 127], scale: 0x1.abcp-3), blocks: [1, 1])),
      old: nil,
      new: [
        "constexpr_blockwise_shift_scale", "input data: uint8 [1, 1, 4, 1] inline",
        "input offset: uint8 [1, 1, 1, 1] inline", "input scale: fp16 [1, 1, 1, 1] inline",
        "w_palette: fp16 [1, 1, 4, 1]",
        "constexpr_lut_to_dense", "input indices: uint2 [4, 3] blob", "input lut: w_palette",
        "w: fp16 [4, 3]",
      ]),
  ]

  private static let wide = WeightReference("w", [4, 32], role: .matrix(outputAxis: 1))

}
