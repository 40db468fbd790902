import Graph
import ModelFixtures
import TestSupport
import Testing
import Weights

@testable import WeightCompression

struct PlannedTensorTests {
  private static let weights = [
    WeightReference("table", [30, 8], role: .tokenTable),
    WeightReference("row", [1, 7], role: .matrix(outputAxis: 0)),
    WeightReference("wide", [3, 12], role: .matrix(outputAxis: 1)),
    WeightReference("scalar", [], role: .matrix(outputAxis: 0)),
    WeightReference("empty", [0, 4], role: .matrix(outputAxis: 0)),
    WeightReference("positions", [5, 8], role: .positionTable),
    WeightReference("bias", [8], role: .bias),
    WeightReference("means", [3], role: .statistic),
  ]

  private static let schemes: [Scheme?] =
    [nil, .int8(.perTensor), .int8(.perChannel)]
    + PaletteScheme.knownBits.flatMap { bits -> [Scheme] in
      [
        .palette(bits: bits, .perTensor), .palette(bits: bits, .perGroup(size: 1)),
        .palette(
          PaletteScheme(bits: bits, granularity: .perGroup(size: 1), entries: .int8)),
      ]
    }
    + LinearScheme.Integers.allCases.flatMap { integers in
      LinearScheme.Mode.allCases.flatMap { mode in
        [.perTensor, .perChannel, .perBlock(size: 1)].map { granularity in
          .linear(LinearScheme(integers, mode: mode, granularity: granularity))
        }
      }
    }

  @Test(arguments: schemes, [FloatType.float32, .float16])
  func saysWhatCompressionMakes(_ scheme: Scheme?, _ floats: FloatType) throws {
    let options = try CompressionOptions(scheme: scheme, floats: floats)
    var random = SeededGenerator(seed: 95)
    let source = MemoryWeights(for: Self.weights) {
      Samples.gaussian.values($0.elementCount, &random)
    }
    let planned = try WeightCompressor.plan(
      weights: Self.weights, from: source, options: options)
    let made = try WeightCompressor.compress(
      weights: Self.weights, from: source, options: options, jobs: 1)
    #expect(planned.map(\.name) == Self.weights.map(\.name))
    for (plan, tensor) in zip(planned, made.tensors) {
      #expect(plan.reference == tensor.reference)
      #expect(plan.schemeLabel == tensor.schemeLabel)
      #expect(plan.bits == tensor.bits)
      #expect(plan.byteCount == tensor.byteCount)
      #expect(plan.floats == tensor.floats)
    }
  }

  @Test func plansEachWeightByItsRole() throws {
    let planned = try WeightCompressor.plan(
      weights: Self.weights, from: MemoryWeights(),
      options: CompressionOptions(scheme: "int8", floats: .float16))
    #expect(
      planned.map { "\($0.name) \($0.role.label) \($0.shape) \($0.schemeLabel) \($0.byteCount)" }
        == [
          "table token table [30, 8] int8 per channel 300",
          "row matrix [1, 7] int8 per tensor 9",
          "wide matrix [3, 12] int8 per channel 60",
          "scalar matrix [] int8 per tensor 3",
          "empty matrix [0, 4] int8 per channel 0",
          "positions position table [5, 8] kept 80",
          "bias bias [8] kept 16",
          "means statistic [3] kept 12",
        ])
  }

  @Test func refusesGroupsThatDoNotFit() throws {
    let error = #expect(throws: CompressionError.self) {
      try WeightCompressor.plan(
        weights: Self.weights, from: MemoryWeights(),
        options: CompressionOptions(scheme: .palette(bits: 4, .perGroup(size: 4))))
    }
    #expect(
      error?.description == """
        tensor 'table': 30 channels are no multiple of the group size 4; use a group size of 3 \
        or 5, or per-tensor
        tensor 'row': 1 channels are no multiple of the group size 4; use per-tensor
        """)
  }
}
