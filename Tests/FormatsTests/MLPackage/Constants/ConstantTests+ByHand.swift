import Graph
import Testing
import WeightCompression

@testable import Formats

/// Constants whose numbers are worked out here, in forms that Ingot does not write too.
extension ConstantTests {
  struct ByHand: CustomTestStringConvertible, Sendable {
    let name: String
    let operation: MILOperation
    var others: [MILOperation] = []
    let values: [Float]
    var testDescription: String { name }
  }

  private static func float16s(_ values: [Float], _ shape: [Int]) -> MILValue {
    .bytes(Float16Bytes.data(of: values), .float16, shape)
  }

  private static func old(
    _ type: String, _ parameters: [(String, MILValue)], _ shape: [Int]
  ) -> MILOperation {
    MILOperation(type, attributes: parameters, outputs: [("w", .tensor(.float16, shape))])
  }

  private static func new(
    _ type: String, _ parameters: [(String, MILValue)], _ shape: [Int], name: String = "w"
  ) -> MILOperation {
    MILOperation(
      type, inputs: parameters.map { ($0.0, .value($0.1)) },
      outputs: [(name, .tensor(.float16, shape))])
  }

  private static let affine: [ByHand] = [
    // 0.5 · (q − 10) for q 0, 10, 255, 11
    ByHand(
      name: "uint8 with a zero point",
      operation: old(
        "constexpr_affine_dequantize",
        [
          ("quantized_data", .bytes([0, 10, 255, 11], .uint8, [2, 2])),
          ("zero_point", .bytes([10], .uint8, [])), ("scale", float16s([0.5], [])),
          ("axis", .int(0)),
        ], [2, 2]), values: [-5, 0, 122.5, 0.5]),
    // 2 · (q − −3), 4 · (q − 5), the axis counted from the end
    ByHand(
      name: "int8 along the last axis",
      operation: old(
        "constexpr_affine_dequantize",
        [
          ("quantized_data", .bytes([0, 5, 0x80, 0x7f], .int8, [2, 2])),
          ("zero_point", .bytes([0xfd, 5], .int8, [2])), ("scale", float16s([2, 4], [2])),
          ("axis", .int(-1)),
        ], [2, 2]), values: [6, 0, -250, 488]),
    // Codes 1, −8, 7, −1 in the nibbles 81, f7; rows have scales of their own.
    ByHand(
      name: "int4 per row",
      operation: new(
        "constexpr_blockwise_shift_scale",
        [
          ("data", .bytes([0x81, 0xf7], .int4, [2, 2])), ("scale", float16s([1, 0.25], [2, 1])),
        ],
        [2, 2]), values: [1, -8, 1.75, -0.25]),
    // Nibbles 1, 8, 7, 15, minus 8.
    ByHand(
      name: "uint4 with an offset",
      operation: new(
        "constexpr_blockwise_shift_scale",
        [
          ("data", .bytes([0x81, 0xf7], .uint4, [2, 2])), ("scale", float16s([2], [1, 1])),
          ("offset", .bytes([8], .uint4, [1, 1])),
        ], [2, 2]), values: [-14, 0, -2, 14]),
    // Two rows of four; blocks of 1 × 2, so scales [2, 2].
    ByHand(
      name: "blocks of two",
      operation: new(
        "constexpr_blockwise_shift_scale",
        [
          ("data", .bytes([1, 2, 3, 4, 5, 6, 7, 8], .int8, [2, 4])),
          ("scale", float16s([1, 10, 100, 1000], [2, 2])),
          ("offset", .bytes([0, 1, 2, 3], .int8, [2, 2])),
        ], [2, 4]), values: [1, 2, 20, 30, 300, 400, 4000, 5000]),
    // Blocks of 2 × 1 × 2 in [2, 2, 4]: scales [1, 2, 2].
    ByHand(
      name: "blocks along two axes",
      operation: new(
        "constexpr_blockwise_shift_scale",
        [
          ("data", .bytes([UInt8](repeating: 1, count: 16), .uint8, [2, 2, 4])),
          ("scale", float16s([1, 2, 3, 4], [1, 2, 2])),
        ], [2, 2, 4]), values: [1, 1, 2, 2, 3, 3, 4, 4, 1, 1, 2, 2, 3, 3, 4, 4]),
    // 0.1 is 0x1.998p-4; times 3 is 0x1.332p-2, a tie, times 77 is 0x1.ecaep2.
    ByHand(
      name: "products are rounded to halves",
      operation: new(
        "constexpr_blockwise_shift_scale",
        [("data", .bytes([3, 77], .int8, [2])), ("scale", float16s([0.1], [1]))], [2]),
      values: [0x1.33p-2, 0x1.eccp2]),
  ]

  private static let byHandPalettes: [ByHand] = [
    // Two bits each: 0, 1, 2, 3, 3 in one stream.
    ByHand(
      name: "flat palette",
      operation: old(
        "constexpr_lut_to_dense",
        [
          ("indices", .bytes([0xe4, 0x03], .uint8, [2])), ("lut", float16s([-1, 0, 5, 7], [4])),
          ("shape", .bytes([5, 0, 0, 0], .uint32, [1])),
        ], [5]), values: [-1, 0, 5, 7, 7]),
    // Three bits: 1, 2, 3, 4, 5.
    ByHand(
      name: "3 bits",
      operation: new(
        "constexpr_lut_to_dense",
        [
          ("indices", .bytes([0xd1, 0x58], .uint3, [5])),
          ("lut", float16s([0, 10, 20, 30, 40, 50, 60, 70], [1, 8, 1])),
        ], [5]), values: [10, 20, 30, 40, 50]),
    // One bit: rows 01, 10, 11, 00; a table for two rows and one column each.
    ByHand(
      name: "tables for blocks of rows and columns",
      operation: new(
        "constexpr_lut_to_dense",
        [
          ("indices", .bytes([0b0011_0110], .uint1, [4, 2])),
          ("lut", float16s([1, 2, 3, 4, 5, 6, 7, 8], [2, 2, 2, 1])),
        ], [4, 2]), values: [1, 4, 2, 3, 6, 8, 5, 7]),
    // The example of the format's description: [[0, 1], [1, 0]], entries (10, 11) and (20, 21).
    ByHand(
      name: "vectors along axis 0",
      operation: new(
        "constexpr_lut_to_dense",
        [
          ("indices", .bytes([0b0110], .uint1, [2, 2])),
          ("lut", float16s([10, 11, 20, 21], [1, 1, 2, 2])), ("vector_axis", .int(0)),
        ], [4, 2]), values: [10, 20, 11, 21, 20, 10, 21, 11]),
    ByHand(
      name: "vectors along axis 1",
      operation: new(
        "constexpr_lut_to_dense",
        [
          ("indices", .bytes([0b0110], .uint1, [2, 2])),
          ("lut", float16s([10, 11, 20, 21], [1, 1, 2, 2])), ("vector_axis", .int(-1)),
        ], [2, 4]), values: [10, 11, 20, 21, 20, 21, 10, 11]),
    // A table of integers 0, 1, −1, 127 and the scale 0.5.
    ByHand(
      name: "a table of int8",
      operation: MILOperation(
        "constexpr_lut_to_dense",
        inputs: [
          ("indices", .value(.bytes([0b11_10_01_00], .uint2, [4]))), ("lut", .named("table")),
        ], outputs: [("w", .tensor(.float16, [4]))]),
      others: [
        new(
          "constexpr_blockwise_shift_scale",
          [
            ("data", .bytes([0, 1, 0xff, 0x7f], .int8, [1, 4, 1])),
            ("scale", float16s([0.5], [1, 1, 1])),
          ], [1, 4, 1], name: "table")
      ], values: [0, 0.5, -0.5, 63.5]),
    ByHand(
      name: "halves as singles",
      operation: MILOperation(
        "constexpr_cast", attributes: [("source_val", float16s([1, 2.5], [2]))],
        outputs: [("w", .tensor(.float32, [2]))]), values: [1, 2.5]),
    ByHand(
      name: "bfloat16",
      operation: MILOperation(
        "const", attributes: [("val", .bytes([0x80, 0x3f, 0x20, 0xc0], .bfloat16, [2]))],
        outputs: [("w", .tensor(.bfloat16, [2]))]), values: [1, -2.5]),
  ]

  @Test(arguments: affine + byHandPalettes) func valuesByHand(_ test: ByHand) throws {
    let constant = try read(test.operation, in: try ConstantFolder(), after: test.others)
    #expect(try constant.floats() == test.values)
    #expect(constant.elementCount == test.values.count)
  }
}
