import Graph
import Testing

@testable import Formats

/// Constants that store only some of their numbers, worked out here.
extension ConstantTests {
  private static func halves(_ values: [Float], _ shape: [Int]) -> MILValue {
    .bytes(Float16Bytes.data(of: values), .float16, shape)
  }

  // 0 1 1 0 1 0, from the lowest bit on.
  private static let mask = MILValue.bytes([0b01_0110], .uint1, [2, 3])

  private static func sparse(
    _ type: String, _ parameters: [(String, MILValue)], _ mask: [Int], _ count: Int
  ) -> MILOperation {
    MILOperation(
      type, inputs: parameters.map { ($0.0, .value($0.1)) },
      outputs: [("places", .tensor(.uint1, mask)), ("numbers", .tensor(.float16, [count]))])
  }

  private static func dense(_ shape: [Int]) -> MILOperation {
    MILOperation(
      "constexpr_sparse_to_dense",
      inputs: [("mask", .named("places")), ("nonzero_data", .named("numbers"))],
      outputs: [("w", .tensor(.float16, shape))])
  }

  private static let sparseByHand: [ByHand] = [
    ByHand(
      name: "packed mask",
      operation: MILOperation(
        "constexpr_sparse_to_dense",
        attributes: [
          ("nonzero_data", halves([1, 2, 3], [3])), ("mask", .bytes([0b01_0110], .uint8, [1])),
          ("shape", .bytes([2, 0, 0, 0, 3, 0, 0, 0], .uint32, [2])),
        ], outputs: [("w", .tensor(.float16, [2, 3]))]), values: [0, 1, 2, 0, 3, 0]),
    ByHand(
      name: "mask of bits",
      operation: MILOperation(
        "constexpr_sparse_to_dense",
        inputs: [("nonzero_data", .value(halves([1, 2, 3], [3]))), ("mask", .value(mask))],
        outputs: [("w", .tensor(.float16, [2, 3]))]), values: [0, 1, 2, 0, 3, 0]),
    // 2 · (q − 5) and 4 · (q − 1); what is not stored is zero, not −10 or −4.
    ByHand(
      name: "codes with scales", operation: dense([2, 3]),
      others: [
        sparse(
          "constexpr_sparse_blockwise_shift_scale",
          [
            ("data_mask", mask), ("nonzero_data", .bytes([6, 4, 3], .int8, [3])),
            ("scale", halves([2, 4], [2, 1])), ("offset", .bytes([5, 1], .int8, [2, 1])),
          ], [2, 3], 3)
      ], values: [0, 2, -2, 0, 8, 0]),
    // Indices 3, 0, 1.
    ByHand(
      name: "palette", operation: dense([2, 3]),
      others: [
        sparse(
          "constexpr_lut_to_sparse",
          [
            ("indices_mask", mask), ("indices_nonzero_data", .bytes([0b01_00_11], .uint2, [3])),
            ("lut", halves([7, 8, 9, 10], [1, 1, 4, 1])),
          ], [2, 3], 3)
      ], values: [0, 10, 7, 0, 8, 0]),
    // Vectors (7, −7) and (8, −8) along axis 0.
    ByHand(
      name: "palette of vectors", operation: dense([4, 3]),
      others: [
        sparse(
          "constexpr_lut_to_sparse",
          [
            ("indices_mask", mask), ("indices_nonzero_data", .bytes([0b101], .uint1, [3])),
            ("lut", halves([7, -7, 8, -8], [1, 1, 2, 2])), ("vector_axis", .int(0)),
          ], [4, 3], 6)
      ], values: [0, 8, 7, 0, -8, -7, 0, 8, 0, 0, -8, 0]),
  ]

  @Test(arguments: sparseByHand) func sparseValuesByHand(_ test: ByHand) throws {
    let constant = try read(test.operation, in: try ConstantFolder(), after: test.others)
    #expect(try constant.floats() == test.values)
    #expect(constant.elementCount == test.values.count)
  }

  @Test func asManyNumbersAsPlaces() throws {
    let operation = MILOperation(
      "constexpr_sparse_to_dense",
      inputs: [("nonzero_data", .value(Self.halves([1, 2], [2]))), ("mask", .value(Self.mask))],
      outputs: [("w", .tensor(.float16, [2, 3]))])
    #expect(
      throws: GraphError(
        value: "w", operation: "constexpr_sparse_to_dense",
        reason: "'mask' has 3 ones, 'nonzero_data' has 2 numbers")
    ) { try read(operation, in: try ConstantFolder()) }
  }
}
