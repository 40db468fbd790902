import Graph
import Testing
import WeightCompression

@testable import Formats

/// Compressed constants that are not sound.
extension MLPackageDamageTests {
  static let oldPalette = Sample.embedding(.palette(bits: 2, .perTensor))
  static let newPalette = Sample.embedding(.palette(bits: 2, .perGroup(size: 2)))
  static let integers = Sample.embedding(.int8(.perChannel))

  static let compressed: [Case] = [
    Case(
      "a table of three", oldPalette,
      program + "constexpr_lut_to_dense 'w': 'lut' has 3 entries and 'shape' is [4, 3]"
    ) { $0["w"].attributes["lut"] = .bytes([0, 0, 0, 1, 0, 2], .float16, [3]) },
    Case(
      "too few indices", oldPalette,
      program + "constexpr_lut_to_dense 'w': 'indices' has 2 bytes, "
        + "12 indices of 2 bits need another number"
    ) { $0["w"].attributes["indices"] = .bytes([0, 0], .uint8, [2]) },
    Case(
      "a shape of another size", oldPalette,
      program + "constexpr_lut_to_dense 'w': 'indices' has 3 bytes, "
        + "28 indices of 2 bits need another number"
    ) { $0["w"].attributes["shape"] = .bytes([4, 0, 0, 0, 7, 0, 0, 0], .uint32, [2]) },
    Case(
      "a huge shape", oldPalette,
      program + "constexpr_lut_to_dense 'w': 'lut' has 4 entries and 'shape' is [-1, -1]"
    ) { $0["w"].attributes["shape"] = .bytes([UInt8](repeating: 255, count: 8), .uint32, [2]) },
    Case(
      "another shape than declared", oldPalette,
      program + "constexpr_lut_to_dense 'w': is declared as fp16 [4, 3], its parts make fp16 [3, 4]"
    ) { $0["w"].attributes["shape"] = .bytes([3, 0, 0, 0, 4, 0, 0, 0], .uint32, [2]) },
    Case(
      "no table", oldPalette,
      program + "constexpr_lut_to_dense 'w': 'lut' is missing or not a value"
    ) {
      $0["w"].attributes["lut"] = nil
    },
    Case(
      "a table of integers", oldPalette,
      program + "constexpr_lut_to_dense 'w': 'lut' is int8, expected fp16 or fp32"
    ) { $0["w"].attributes["lut"] = .bytes([0, 1, 2, 3], .int8, [4]) },
    Case(
      "tables that do not divide", newPalette,
      program
        + "constexpr_lut_to_dense 'w': 'lut' has the shape [3, 1], which does not divide [4, 3]"
    ) {
      $0["w"].inputs["lut"] = .value(
        .bytes([UInt8](repeating: 0, count: 24), .float16, [3, 1, 4, 1]))
    },
    Case(
      "a table of another width", newPalette,
      program + "constexpr_lut_to_dense 'w': 'lut' has the shape [2, 1, 8, 1], "
        + "'indices' is uint2 [4, 3]"
    ) {
      $0["w"].inputs["lut"] = .value(
        .bytes([UInt8](repeating: 0, count: 32), .float16, [2, 1, 8, 1]))
    },
    Case(
      "vectors without an axis", newPalette,
      program + "constexpr_lut_to_dense 'w': 'lut' has entries of 2 numbers "
        + "and 'vector_axis' is missing"
    ) {
      $0["w"].inputs["lut"] = .value(
        .bytes([UInt8](repeating: 0, count: 16), .float16, [1, 1, 4, 2]))
    },
    Case(
      "a vector axis out of range", newPalette,
      program + "constexpr_lut_to_dense 'w': 'vector_axis' is [2], 'indices' has the shape [4, 3]"
    ) { $0["w"].inputs["vector_axis"] = .value(.int(2)) },
    Case(
      "a table that is not there", newPalette,
      program + "constexpr_lut_to_dense 'w': 'lut' names 'table', which is no constant before it"
    ) { $0["w"].inputs["lut"] = .named("table") },
    Case(
      "an axis out of range", integers,
      program + "constexpr_affine_dequantize 'w': 'axis' is [2], "
        + "'quantized_data' has the shape [4, 3]"
    ) { $0["w"].attributes["axis"] = .int(2) },
    Case(
      "scales of another length", integers,
      program + "constexpr_affine_dequantize 'w': 'scale' has the shape [3], axis 0 has length 4"
    ) { $0["w"].attributes["scale"] = .bytes([0, 0, 0, 0, 0, 0], .float16, [3]) },
    Case(
      "one zero point for all scales", integers,
      program + "constexpr_affine_dequantize 'w': 'scale' has 4 values, 'zero_point' 1"
    ) { $0["w"].attributes["zero_point"] = .bytes([127], .uint8, []) },
    Case(
      "scales of integers", integers,
      program + "constexpr_affine_dequantize 'w': 'scale' is int8, expected fp16 or fp32"
    ) { $0["w"].attributes["scale"] = .bytes([1, 2, 3, 4], .int8, [4]) },
    Case(
      "a zero point that is no number", integers,
      program + "constexpr_affine_dequantize 'w': 'zero_point' is bool, "
        + "expected int4, int8, fp16 or their like"
    ) { $0["w"].attributes["zero_point"] = .bools([true, true, true, true]) },
    Case(
      "blocks of data that is no number", integers,
      program + "constexpr_blockwise_shift_scale 'w': 'data' is string, "
        + "expected int4, int8, fp16 or their like"
    ) { parts in
      parts["w"] = MILOperation(
        "constexpr_blockwise_shift_scale",
        inputs: [
          ("data", .value(.string("x"))), ("scale", .value(.bytes([0, 0], .float16, []))),
        ], outputs: [("w", .tensor(.float16, []))])
    },
    Case(
      "blocks that do not divide", integers,
      program + "constexpr_blockwise_shift_scale 'w': 'scale' has the shape [3], "
        + "which does not divide [4]"
    ) { $0.makeBlocks(scale: .bytes([0, 0, 0, 0, 0, 0], .float16, [3])) },
    Case(
      "no blocks", integers,
      program + "constexpr_blockwise_shift_scale 'w': 'scale' has the shape [0], "
        + "which does not divide [4]"
    ) { $0.makeBlocks(scale: .bytes([], .float16, [0])) },
    Case(
      "offsets of another shape", integers,
      program + "constexpr_blockwise_shift_scale 'w': 'offset' has the shape [2], 'scale' has [4]"
    ) {
      $0.makeBlocks(
        scale: .bytes([UInt8](repeating: 0, count: 8), .float16, [4]),
        offset: .bytes([0, 0], .int8, [2]))
    },
  ]
}
