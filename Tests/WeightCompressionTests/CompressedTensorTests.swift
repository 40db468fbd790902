import Graph
import ModelFixtures
import TestSupport
import Testing
import Weights

@testable import WeightCompression

struct CompressedTensorTests {
  private static let matrix = WeightReference("w", [2, 3], role: .matrix(outputAxis: 0))
  private static let transposed = WeightReference("t", [2, 3], role: .matrix(outputAxis: 1))

  struct Case: CustomTestStringConvertible {
    let name: String
    let reference: WeightReference
    let content: CompressedTensor.Content
    let label: String
    let bits: Int
    let byteCount: Int
    let values: [Float]
    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "kept", reference: matrix, content: .uncompressed([1, 2, 3, 4, 5, 6]), label: "kept",
      bits: 32,
      byteCount: 24, values: [1, 2, 3, 4, 5, 6]),
    Case(
      name: "int8 per tensor", reference: matrix,
      content: .int8(codes: [1, -2, 3, 4, -5, 127], scales: [0.5], blocks: [1, 1]),
      label: "int8 per tensor",
      bits: 8, byteCount: 10, values: [0.5, -1, 1.5, 2, -2.5, 63.5]),
    Case(
      name: "int8 per row", reference: matrix,
      content: .int8(codes: [1, -2, 3, 4, -5, 127], scales: [0.5, 2], blocks: [2, 1]),
      label: "int8 per channel",
      bits: 8, byteCount: 14, values: [0.5, -1, 1.5, 8, -10, 254]),
    Case(
      name: "int8 per column", reference: transposed,
      content: .int8(codes: [1, -2, 3, 4, -5, 127], scales: [0.5, 2, 1], blocks: [1, 3]),
      label: "int8 per channel", bits: 8, byteCount: 18, values: [0.5, -4, 3, 2, -10, 127]),
    Case(
      name: "one palette", reference: matrix,
      content: .palette(
        indices: BitPacking.pack([0, 1, 2, 3, 3, 0], bits: 2), bits: 2, palettes: [-1, 0, 5, 7],
        blocks: [1, 1]), label: "palette 2 bits per tensor", bits: 2, byteCount: 18,
      values: [-1, 0, 5, 7, 7, -1]),
    Case(
      name: "palettes of columns", reference: transposed,
      content: .palette(
        indices: BitPacking.pack([0, 1, 0, 1, 0, 1], bits: 1), bits: 1,
        palettes: [1, 2, 3, 4, 5, 6], blocks: [1, 3]), label: "palette 1 bit in groups of 1",
      bits: 1,
      byteCount: 25, values: [1, 4, 5, 2, 3, 6]),
  ]

  @Test(arguments: cases)
  func describesAndDequantises(_ item: Case) throws {
    let tensor = try CompressedTensor(item.reference, item.content, relativeError: 0.25)
    #expect(tensor.schemeLabel == item.label)
    #expect(tensor.bits == item.bits)
    #expect(tensor.byteCount == item.byteCount)
    #expect(tensor.dequantized() == item.values)
    #expect(tensor.relativeError == 0.25)
    #expect(tensor.shape == [2, 3])
  }

  struct Fault: CustomTestStringConvertible {
    let content: CompressedTensor.Content
    let error: String
    var testDescription: String { error }
  }

  static let faults = [
    Fault(content: .uncompressed([1]), error: "tensor 'w': 1 values, its shape needs 6"),
    Fault(
      content: .int8(codes: [1], scales: [1], blocks: [1, 1]),
      error: "tensor 'w': 1 bytes of codes, its shape needs 6"),
    Fault(
      content: .int8(codes: [1, 2, 3, 4, 5, 6], scales: [1, 2, 3], blocks: [2, 1]),
      error: "tensor 'w': 3 scales, its shape needs 2"),
    Fault(
      content: .palette(indices: [0, 0], bits: 5, palettes: [], blocks: [1, 1]),
      error: "a palette cannot have 5 bits; choose 1, 2, 3, 4, 6 or 8"),
    Fault(
      content: .palette(indices: [0], bits: 2, palettes: [1, 2, 3, 4], blocks: [1, 1]),
      error: "tensor 'w': 1 bytes of indices, its shape needs 2"),
    Fault(
      content: .palette(indices: [0, 0], bits: 2, palettes: [1, 2, 3], blocks: [1, 1]),
      error: "tensor 'w': 3 palette entries, its shape needs 4"),
    Fault(
      content: .palette(indices: [0, 0], bits: 2, palettes: [], blocks: [0, 1]),
      error: "tensor 'w': blocks [0, 1] do not divide its shape [2, 3]"),
    Fault(
      content: .palette(indices: [0, 0], bits: 2, palettes: [], blocks: [-2, 1]),
      error: "tensor 'w': blocks [-2, 1] do not divide its shape [2, 3]"),
    Fault(
      content: .palette(indices: [0, 0], bits: 2, palettes: [], blocks: [3, 1]),
      error: "tensor 'w': blocks [3, 1] do not divide its shape [2, 3]"),
  ]

  @Test(arguments: faults)
  func refusesPartsThatDoNotFit(_ item: Fault) {
    let error = #expect(throws: CompressionError.self) {
      try CompressedTensor(Self.matrix, item.content, relativeError: 0)
    }
    #expect(error?.description == item.error)
  }

  @Test(arguments: [1, 4095, 4096, 4097, 20_000])
  func errorIsThatOfTheDequantisedValues(_ count: Int) throws {
    var random = SeededGenerator(seed: UInt64(count))
    let values = Samples.gaussian.values(3 * count, &random)
    let reference = WeightReference("w", [3, count], role: .matrix(outputAxis: 0))
    for scheme in [
      Scheme.int8(.perTensor), .int8(.perChannel), .palette(bits: 3, .perTensor),
      .palette(bits: 3, .perGroup(size: 1)),
    ] {
      let weights = try WeightCompressor.compress(
        weights: [reference], from: MemoryWeights(tensors: ["w": ([3, count], values)]),
        options: CompressionOptions(scheme: scheme), jobs: 1)
      let tensor = try #require(weights.tensors.first)
      var difference = 0.0
      var total = 0.0
      for (value, other) in zip(values, tensor.dequantized()) {
        difference += (Double(value) - Double(other)) * (Double(value) - Double(other))
        total += Double(value) * Double(value)
      }
      let expected = (difference / total).squareRoot()
      #expect((tensor.relativeError - expected).magnitude <= 1e-12 * expected)
    }
  }
}
