import Graph
import StrictJSON
import Testing
import WeightCompression
import Weights

@testable import Formats

/// How weights are stored as constants, and what they are read back as.
struct ConstantTests {
  struct Stored: CustomTestStringConvertible, Sendable {
    let name: String
    let reference: WeightReference
    let content: CompressedTensor.Content
    var floats = FloatType.float16
    /// Operation, parameters and result before iOS 18, nil if unsupported; and since.
    let old: [String]?
    let new: [String]
    var testDescription: String { name }
  }

  static let matrix = WeightReference("w", [4, 3], role: .matrix(outputAxis: 0))
  private static let transposed = WeightReference("w", [3, 4], role: .matrix(outputAxis: 1))
  static let small = WeightReference("w", [3, 3], role: .matrix(outputAxis: 0))
  static let table = WeightReference("w", [4, 32], role: .tokenTable)
  static let codes: [Int8] = [-127, 127, 0, 1, -1, 2, 64, -64, 5, 9, -100, 33]
  // None of the products with codes are float16 values.
  static let scales: [Float] = [0x1.004p-7, 0x1.abcp-3, 1.5, 0x1.ffcp3]

  private static func uncompressed(_ name: String, _ shape: [Int], _ width: FloatType) -> Stored {
    let count = shape.reduce(1, *)
    let word = width == .float16 ? "fp16" : "fp32"
    let lengths = shape.map(String.init).joined(separator: ", ")
    let words = [
      "const", "attribute val: \(word) [\(lengths)] \(count < 10 ? "inline" : "blob")",
      "w: \(word) [\(lengths)]",
    ]
    return Stored(
      name: "\(name) \(word)", reference: WeightReference("w", shape, role: .bias),
      content: .uncompressed((0..<count).map { Float($0 * $0) / 8 - 3 }), floats: width, old: words,
      new: words)
  }

  static let plain: [Stored] = [FloatType.float16, .float32].flatMap { width in
    [
      uncompressed("kept", [4, 3], width), uncompressed("kept, small", [9], width),
      uncompressed("kept, ten", [10], width),
    ]
  }

  static let integers: [Stored] = [
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
      reference, .uncompressed((0..<12).map { Float($0) }), floats: .float16, relativeError: 0)
    let (operations, folder) = try written(tensor, .iOS16, rows: 2)
    let operation = try #require(operations.first)
    #expect(operation.words == ["const", "attribute val: fp16 [2, 3] inline", "w: fp16 [2, 3]"])
    #expect(try read(operation, in: folder).floats() == [0, 1, 2, 3, 4, 5])
  }

  private func written(
    _ tensor: CompressedTensor, _ target: DeploymentTarget, rows: Int? = nil
  ) throws -> ([MILOperation], ConstantFolder) {
    let weights = CompressedWeights(tensors: [tensor], unused: [])
    var numbers: [TensorName: WrittenWeight] = [:]
    let folder = try ConstantFolder { blob in
      var writer = NumberWriter(target: target, to: blob)
      numbers["w"] = try writer.write(tensor, rows: rows)
      try writer.finish()
    }
    let constants = ConstantWriter(weights.planned, numbers, target: target)
    let written = try constants.write(tensor.reference, name: "w", rows: rows) { $0 }
    return (written.operations, folder)
  }

  func read(
    _ operation: MILOperation, in folder: ConstantFolder, after others: [MILOperation] = []
  ) throws -> WeightConstant {
    var reader = ConstantReader(try folder.blobs(of: others + [operation]))
    for other in others {
      if ConstantReader.makesSparse(other) {
        try reader.readSparse(other)
      } else {
        _ = try reader.read(other, name: other.outputs[0].name)
      }
    }
    _ = try reader.read(operation, name: "w")
    return try #require(reader.stored["w"])
  }
}
