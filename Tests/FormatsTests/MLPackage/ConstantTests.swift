import Graph
import StrictJSON
import Testing
import WeightCompression

@testable import Formats

/// How weights are stored as constants, and what they are read back as.
struct ConstantTests {
  struct Stored: CustomTestStringConvertible, Sendable {
    let name: String
    let reference: WeightReference
    let content: CompressedTensor.Content
    var floats = FloatWidth.float16
    /// Operation, parameters and result before iOS 18, nil where there is none; and since.
    let old: [String]?
    let new: [String]
    var testDescription: String { name }
  }

  private static let matrix = WeightReference("w", [4, 3], role: .matrix(outputAxis: 0))
  private static let transposed = WeightReference("w", [3, 4], role: .matrix(outputAxis: 1))
  private static let small = WeightReference("w", [3, 3], role: .matrix(outputAxis: 0))
  private static let table = WeightReference("w", [4, 32], role: .tokenTable)
  private static let codes: [Int8] = [-127, 127, 0, 1, -1, 2, 64, -64, 5, 9, -100, 33]
  // None of the products with codes are halves.
  private static let scales: [Float] = [0x1.004p-7, 0x1.abcp-3, 1.5, 0x1.ffcp3]

  private static func kept(_ name: String, _ shape: [Int], _ width: FloatWidth) -> Stored {
    let count = shape.reduce(1, *)
    let word = width == .float16 ? "fp16" : "fp32"
    let lengths = shape.map(String.init).joined(separator: ", ")
    let words = [
      "const", "attribute val: \(word) [\(lengths)] \(count < 10 ? "inline" : "blob")",
      "w: \(word) [\(lengths)]",
    ]
    return Stored(
      name: "\(name) \(word)", reference: WeightReference("w", shape, role: .bias),
      content: .kept((0..<count).map { Float($0 * $0) / 8 - 3 }), floats: width, old: words,
      new: words)
  }

  private static let plain: [Stored] = [FloatWidth.float16, .float32].flatMap { width in
    [kept("kept", [4, 3], width), kept("kept, small", [9], width), kept("kept, ten", [10], width)]
  }

  private static let integers: [Stored] = [
    Stored(
      name: "int8 per tensor", reference: matrix,
      content: int8(codes, [scales[0]], [1, 1]),
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
      name: "int8 per row", reference: matrix, content: int8(codes, scales, [4, 1]),
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
      name: "int8 per column", reference: transposed,
      content: int8(codes, scales, [1, 4]),
      old: [
        "constexpr_affine_dequantize", "attribute axis: int32 [] inline",
        "attribute quantized_data: uint8 [3, 4] blob", "attribute scale: fp16 [4] inline",
        "attribute zero_point: uint8 [4] inline", "w: fp16 [3, 4]",
      ],
      new: [
        "constexpr_blockwise_shift_scale", "input data: uint8 [3, 4] blob",
        "input offset: uint8 [1, 4] inline", "input scale: fp16 [1, 4] inline", "w: fp16 [3, 4]",
      ]),
    Stored(
      name: "int8, nine codes", reference: small,
      content: int8(Array(codes.prefix(9)), [2], [1, 1]),
      old: [
        "constexpr_affine_dequantize", "attribute axis: int32 [] inline",
        "attribute quantized_data: uint8 [3, 3] inline", "attribute scale: fp16 [] inline",
        "attribute zero_point: uint8 [] inline", "w: fp16 [3, 3]",
      ],
      new: [
        "constexpr_blockwise_shift_scale", "input data: uint8 [3, 3] inline",
        "input offset: uint8 [1, 1] inline", "input scale: fp16 [1, 1] inline", "w: fp16 [3, 3]",
      ]),
  ]

  // 128 indices that take every value, and tables of as many distinct halves.
  private static func palette(bits: Int, groups: Int, axis: Int = 0) -> CompressedTensor.Content {
    let size = 1 << bits
    let indices = (0..<128).map { UInt8(truncatingIfNeeded: ($0 * 7 + $0 / 32) % size) }
    return .palette(
      PaletteCodes(
        bits: bits, indices: BitPacking.pack(indices, bits: bits),
        entries: .floats((0..<groups * size).map { Float($0) / 64 - 2 }),
        blocks: axis == 0 ? [groups, 1] : [1, groups]))
  }

  private static func int8(
    _ codes: [Int8], _ scales: [Float], _ blocks: [Int]
  ) -> CompressedTensor.Content {
    .linear(
      LinearCodes(
        .int8, packed: codes.map { UInt8(bitPattern: $0) }, scales: scales, blocks: blocks))
  }

  private static let palettes: [Stored] = PaletteScheme.knownBits.map { bits in
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

  private static let grouped: [Stored] = [
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
    // Packed indices of fewer than ten elements stand in the program.
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

  /// What came after eight bits and plain tables.
  private static let deep: [Stored] = [
    Stored(
      name: "int8 asymmetric", reference: matrix,
      content: .linear(
        LinearCodes(
          .int8, mode: .asymmetric, packed: codes.map { UInt8(bitPattern: $0) }, scales: scales,
          offsets: [-128, 127, 0, 44], blocks: [4, 1])),
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
          offsets: (0..<64).map { Int16($0 % 16) }, blocks: [2, 32])),
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

  @Test(arguments: plain + integers + palettes + grouped + deep, DeploymentTarget.allCases)
  func readsBackTheSameBits(_ test: Stored, _ target: DeploymentTarget) throws {
    let expected = target >= .iOS18 ? test.new : test.old
    guard let expected else { return }
    let tensor = try CompressedTensor(
      test.reference, test.content, floats: test.floats, relativeError: 0)
    let (operations, folder) = try written(tensor, target)
    #expect(operations.flatMap(\.words) == expected)
    let constant = try read(
      try #require(operations.last), in: folder, after: operations.dropLast())
    #expect(constant.shape == test.reference.shape)
    #expect(constant.bits == tensor.bits)
    #expect(
      try constant.floats().map(\.bitPattern) == tensor.dequantized().map(\.bitPattern))
  }

  /// The first rows alone.
  @Test func aPartOfATable() throws {
    let reference = WeightReference("w", [4, 3], role: .positionTable)
    let tensor = try CompressedTensor(
      reference, .kept((0..<12).map { Float($0) }), floats: .float16, relativeError: 0)
    let (operations, folder) = try written(tensor, .iOS16, rows: 2)
    let operation = try #require(operations.first)
    #expect(operation.words == ["const", "attribute val: fp16 [2, 3] inline", "w: fp16 [2, 3]"])
    #expect(try read(operation, in: folder).floats() == [0, 1, 2, 3, 4, 5])
  }

  private func written(
    _ tensor: CompressedTensor, _ target: DeploymentTarget, rows: Int? = nil
  ) throws -> ([MILOperation], ConstantFolder) {
    let weights = CompressedWeights(tensors: [tensor], unused: [])
    var numbers: [ExactString: StoredNumbers] = [:]
    let folder = try ConstantFolder { blob in
      var writer = NumberWriter(target: target, to: blob)
      numbers[ExactString("w")] = try writer.write(tensor, rows: rows)
      try writer.finish()
    }
    let constants = ConstantWriter(weights.planned, numbers, target: target)
    let written = try constants.write(tensor.reference, name: "w", rows: rows) { $0 }
    return (written.operations, folder)
  }

  func read(
    _ operation: MILOperation, in folder: ConstantFolder, after others: [MILOperation] = []
  ) throws -> StoredConstant {
    var reader = ConstantReader(try folder.blobs(of: others + [operation]))
    for other in others { _ = try reader.read(other, name: other.outputs[0].name) }
    _ = try reader.read(operation, name: "w")
    return try #require(reader.stored["w"])
  }
}
