import Graph
import ModelFixtures
import Files
import TestSupport
import Testing
import Weights

@testable import WeightCompression

struct WeightCompressorTests {
  private static func source() -> MemoryWeights {
    var random = SeededGenerator(seed: 71)
    return MemoryWeights(tensors: [
      "table": ([30, 8], Samples.gaussian.values(240, &random)),
      "query": ([8, 8], Samples.heavyTailed.values(64, &random)),
      "out": ([16, 8], Samples.clustered.values(128, &random)),
      "positions": ([5, 8], Samples.uniform.values(40, &random)),
      "bias": ([8], Samples.gaussian.values(8, &random)),
      "norm": ([8], Samples.gaussian.values(8, &random)),
      "pooler": ([8], Samples.gaussian.values(8, &random)),
    ])
  }

  private static let weights = [
    WeightReference("table", [30, 8], role: .tokenTable),
    WeightReference("positions", [1, 5, 8], role: .positionTable),
    WeightReference("norm", [8], role: .norm),
    WeightReference("query", [8, 8], role: .matrix(outputAxis: 0)),
    WeightReference("bias", [8], role: .bias),
    WeightReference("out", [1, 16, 8], role: .matrix(outputAxis: 2)),
  ]

  static let schemes: [Scheme] =
    [.int8(.perTensor), .int8(.perChannel)]
    + PaletteScheme.knownBits.flatMap { bits in
      [.palette(bits: bits, .perTensor), .palette(bits: bits, .perGroup(size: 2))]
    }

  @Test(arguments: schemes)
  func compressesByRoleInTheGraphsOrder(_ scheme: Scheme) throws {
    let source = Self.source()
    let options = try CompressionOptions(scheme: scheme)
    let done = Mutex<[TensorName]>([])
    let one = try WeightCompressor.compress(
      weights: Self.weights, from: source, options: options, jobs: 1,
      progress: { name in done.withLock { $0.append(name) } })
    #expect(one.tensors.map(\.name) == Self.weights.map(\.name))
    #expect(one.unused == ["pooler"])
    #expect(done.withLock { $0.sorted() } == Self.weights.map(\.name).sorted())
    for tensor in one.tensors {
      #expect(tensor.schemeLabel == (tensor.role.isCompressible ? scheme.label : "kept"))
      let values = tensor.dequantized()
      #expect(values.count == tensor.reference.elementCount)
      if tensor.role.isCompressible {
        // Palettes of more bits have an entry for every value of these small groups.
        #expect(tensor.relativeError < 1)
        if tensor.bits <= 3 { #expect(tensor.relativeError > 0) }
      } else {
        #expect(tensor.relativeError == 0)
        #expect(try values == source.floats(of: tensor.name))
      }
    }
    let two = try WeightCompressor.compress(
      weights: Self.weights, from: source, options: options, jobs: 2)
    #expect(zip(one.tensors, two.tensors).allSatisfy { $0.content == $1.content })
    #expect(zip(one.tensors, two.tensors).allSatisfy { $0.relativeError == $1.relativeError })
  }

  @Test func moreBitsLoseLess() throws {
    let errors = try PaletteScheme.knownBits.map { bits in
      try WeightCompressor.compress(
        weights: [Self.weights[0]], from: Self.source(),
        options: CompressionOptions(scheme: .palette(bits: bits, .perTensor)), jobs: 1
      ).tensors[0].relativeError
    }
    #expect(zip(errors, errors.dropFirst()).allSatisfy { $0 > $1 })
  }

  @Test(arguments: [1, 2])
  func listsEveryRefusalAtOnce(_ jobs: Int) throws {
    var source = Self.source()
    source.tensors["query"]?.values[63] = .nan
    source.tensors["positions"]?.values[7] = .infinity
    source.tensors["positions"]?.values[9] = -.infinity
    source.tensors["bias"]?.shape = [4, 2]
    source.tensors["norm"]?.values.removeLast()
    let weights =
      Self.weights + [WeightReference("absent", [2], role: .bias)]
    let options = try CompressionOptions(
      scheme: "palettize", bits: 4, granularity: "per-group", groupSize: 4)
    let error = #expect(throws: CompressionError.self) {
      try WeightCompressor.compress(weights: weights, from: source, options: options, jobs: jobs)
    }
    #expect(
      error?.description == """
        tensor 'table': 30 channels are no multiple of the group size 4; use a group size of 3 \
        or 5, or per-tensor
        tensor 'positions': 2 values are not finite, the first at flat index 7
        tensor 'norm': has 7 values, its shape needs 8
        tensor 'query': 1 value is not finite, the first at flat index 63
        tensor 'bias': has shape [4, 2], the graph needs [8]
        tensor 'absent': the graph uses it, but the weights have no tensor of this name
        """)
  }

  @Test func suggestsGroupSizesThatDivide() {
    func reason(_ size: Int, _ channels: Int) -> String {
      TensorRefusal(name: "t", fault: .groups(size: size, channels: channels)).description
    }
    #expect(
      reason(16, 30522)
        == "tensor 't': 30522 channels are no multiple of the group size 16; "
        + "use a group size of 6 or 5087, or per-tensor")
    #expect(
      reason(2, 7)
        == "tensor 't': 7 channels are no multiple of the group size 2; use per-tensor")
    #expect(
      reason(64, 10)
        == "tensor 't': 10 channels are no multiple of the group size 64; "
        + "use a group size of 10, or per-tensor")
    #expect(
      reason(Int.max, 10)
        == "tensor 't': 10 channels are no multiple of the group size 9223372036854775807; "
        + "use a group size of 10, or per-tensor")
  }

  @Test(arguments: 0..<40)
  func findsOneBadValueAnywhere(_ place: Int) throws {
    for bad in [Float.nan, .infinity, -.infinity] {
      var values = [Float](repeating: .greatestFiniteMagnitude, count: 40)
      values[place] = bad
      let source = MemoryWeights(tensors: ["w": ([40], values)])
      let error = #expect(throws: CompressionError.self) {
        try WeightCompressor.compress(
          weights: [WeightReference("w", [40], role: .bias)], from: source,
          options: CompressionOptions(scheme: .int8(.perTensor)), jobs: 1)
      }
      let fault = TensorRefusal.Fault.nonFinite(count: 1, firstIndex: place)
      #expect(error == .refused([TensorRefusal(name: "w", fault: fault)]))
    }
  }

  @Test func passesTheSourcesErrorsOn() throws {
    var source = MemoryWeights(tensors: ["unreadable": ([1], [1])])
    source.unreadable = ["unreadable"]
    #expect(throws: MemoryWeights.Unreadable(name: "unreadable")) {
      try WeightCompressor.compress(
        weights: [WeightReference("unreadable", [1], role: .bias)], from: source,
        options: CompressionOptions(scheme: .int8(.perTensor)), jobs: 2)
    }
  }

  @Test(arguments: schemes)
  func takesEmptyAndConstantTensors(_ scheme: Scheme) throws {
    let shapes = [[0, 4], [4, 0], [], [2, 2], [4, 1]]
    let weights = shapes.enumerated().map { index, shape in
      WeightReference("t\(index)", shape, role: .matrix(outputAxis: 0))
    }
    for value in [0, 1.5, -Float.leastNonzeroMagnitude, 3e38] as [Float] {
      let source = MemoryWeights(for: weights) {
        [Float](repeating: value, count: $0.elementCount)
      }
      let result = try WeightCompressor.compress(
        weights: weights, from: source, options: CompressionOptions(scheme: scheme), jobs: 1)
      #expect(result.tensors.map(\.name) == weights.map(\.name))
      for tensor in result.tensors {
        #expect(tensor.relativeError <= 1e-7)
        #expect(tensor.dequantized().count == tensor.reference.elementCount)
        #expect(throws: Never.self) {
          try CompressedTensor(tensor.reference, tensor.content, relativeError: 0)
        }
      }
    }
  }
}
