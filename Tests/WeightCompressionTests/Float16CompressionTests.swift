import Graph
import ModelFixtures
import TestSupport
import Testing
import Weights

@testable import WeightCompression

/// Compression for a format that stores float16 values.
struct Float16CompressionTests {
  private static let schemes: [Scheme?] = [nil] + WeightCompressorTests.schemes

  private func compress(
    _ values: [Float], _ shape: [Int], _ scheme: Scheme?,
    role: WeightRole = .matrix(outputAxis: 0), jobs: Int = 1
  ) throws -> CompressedTensor {
    let weights = try WeightCompressor.compress(
      weights: [WeightReference("w", shape, role: role)],
      from: MemoryWeights(tensors: ["w": (shape, values)]),
      options: CompressionOptions(scheme: scheme, floats: .float16), jobs: jobs)
    return try #require(weights.tensors.first)
  }

  private static func isHalf(_ value: Float) -> Bool { Float(Float16(value)) == value }

  /// Samples that float16 can hold.
  private static func values(_ samples: Samples, _ count: Int) -> [Float] {
    var random = SeededGenerator(seed: 91)
    return samples.values(count, &random).map { samples == .huge ? $0 * 1e-34 : $0 }
      .map { min(max($0, -65000), 65000) }
  }

  @Test(arguments: Samples.allCases, schemes)
  func everyValueIsAHalfAndEveryThreadCountTheSame(_ samples: Samples, _ scheme: Scheme?) throws {
    let values = Self.values(samples, 24 * 25)
    let tensor = try compress(values, [24, 25], scheme)
    let dequantized = tensor.dequantized()
    #expect(dequantized.allSatisfy(Self.isHalf))
    var difference = 0.0
    var total = 0.0
    for (value, other) in zip(values, dequantized) {
      difference += (Double(value) - Double(other)) * (Double(value) - Double(other))
      total += Double(value) * Double(value)
    }
    let expected = (difference / total).squareRoot()
    #expect((tensor.relativeError - expected).magnitude <= 1e-12 * expected)
    let again = try compress(values, [24, 25], scheme, jobs: 3)
    #expect(again.content == tensor.content && again.relativeError == tensor.relativeError)
  }

  @Test(arguments: Samples.allCases)
  func integersErrByHalfAStepOfTheStoredScale(_ samples: Samples) throws {
    let values = Self.values(samples, 600)
    let tensor = try compress(values, [24, 25], .int8(.perChannel))
    guard case .linear(let linear) = tensor.content else {
      Issue.record("not int8")
      return
    }
    let scales = linear.scales
    let codes = linear.codes(600)
    #expect(scales.allSatisfy(Self.isHalf) && !codes.contains(-128))
    for (index, (value, other)) in zip(values, tensor.dequantized()).enumerated() {
      let scale = scales[index / 25]
      #expect(other == Float(Float16(scale * Float(codes[index]))))
      // The product is rounded by 2⁻¹¹ of its size, or by half the least half.
      let rounding = max(Double(value.magnitude) * 0x1.02p-11, 0x1p-25)
      let limit = Double(scale) * 0.500_02 + rounding
      #expect((Double(value) - Double(other)).magnitude <= limit, "\(value) \(other)")
    }
  }

  struct Scale: CustomTestStringConvertible {
    let largest: Float
    let scale: Float
    let code: Int
    var testDescription: String { "\(largest)" }
  }

  static let scales = [
    Scale(largest: 0, scale: 1, code: 0),
    Scale(largest: 1e-30, scale: 0x1p-24, code: 0),
    Scale(largest: 0x1p-24, scale: 0x1p-24, code: 1),
    Scale(largest: 127 * 0x1p-24, scale: 0x1p-24, code: 127),
    // 1.25 steps would be rounded to one, and 127 of those would not reach.
    Scale(largest: 127 * 0x1.4p-24, scale: 0x1p-23, code: 79),
    Scale(largest: 127, scale: 1, code: 127),
    Scale(largest: 1, scale: Float(Float16(1.0 / 127)), code: 127),
    // 516 is nearer, and 127 times that is infinite.
    Scale(largest: 65504, scale: 515.5, code: 127),
    Scale(largest: 65519, scale: 515.5, code: 127),
  ]

  @Test(arguments: scales)
  func scalesAreHalvesThatReach(_ item: Scale) {
    let result = LinearQuantizer.quantize(
      [item.largest, -item.largest], .row(2), LinearScheme(.int8, granularity: .perTensor),
      .float16)
    #expect(result.scales == [item.scale])
    #expect(result.codes(2) == [item.code, -item.code])
    #expect(FloatType.float16.rounded(item.scale * 127).isFinite)
  }

  /// coremltools' codes and scales of `LinearQuantizerTests.golden`, computed in fp16 throughout.
  @Test func errsNoMoreThanCoreMLTools() throws {
    let theirs: [(codes: [Int8], scales: [Float])] = [
      (
        [20, -68, 49, 61, -127, -85, 8, -21, -2, -96, 99, 88, 7, 127, 53, -97],
        [0.00768280029296875, 0.004436492919921875]
      ),
      (
        [20, -68, 49, 61, -127, -85, 8, -21, -1, -56, 57, 51, 4, 73, 30, -56],
        [0.00768280029296875, 0.00768280029296875]
      ),
    ]
    for (scheme, theirs) in zip([Scheme.int8(.perChannel), .int8(.perTensor)], theirs) {
      let values = LinearQuantizerTests.golden
      let tensor = try compress(values, [2, 8], scheme)
      func squaredError(_ other: (Int) -> Float) -> Double {
        values.indices.reduce(0) { sum, i in
          let error = Double(values[i]) - Double(other(i))
          return sum + error * error
        }
      }
      let ours = tensor.dequantized()
      let error = squaredError { ours[$0] }
      let limit = squaredError { i in
        Float(Float16(theirs.scales[i / 8] * Float(theirs.codes[i])))
      }
      #expect(error <= limit)
    }
  }

  @Test(arguments: Samples.allCases, [1, 2, 4, 8])
  func palettesAreHalvesAndEachValueTakesTheNearest(_ samples: Samples, _ bits: Int) throws {
    let values = Self.values(samples, 600)
    let tensor = try compress(values, [24, 25], .palette(bits: bits, .perGroup(size: 12)))
    guard case .palette(let codes) = tensor.content, codes.blocks == [2, 1] else {
      Issue.record("not two palettes")
      return
    }
    let palettes = codes.palettes
    #expect(palettes.allSatisfy(Self.isHalf))
    let size = 1 << bits
    for start in [0, size] {
      let table = palettes[start..<start + size]
      #expect(zip(table, table.dropFirst()).allSatisfy { $0 <= $1 })
    }
    for (index, (value, other)) in zip(values, tensor.dequantized()).enumerated() {
      let start = index / 300 * size
      let nearest = palettes[start..<start + size].map { (Double($0) - Double(value)).magnitude }
        .min()
      #expect((Double(value) - Double(other)).magnitude == nearest, "\(value) \(other)")
    }
  }

  @Test func entriesMayCoincideAndTheTailRepeats() {
    // Four values that are two float16 values.
    let values: [Float] = [1, 1 + 0x1p-20, 2, 2 + 0x1p-20]
    let scheme = PaletteScheme(bits: 3, granularity: .perTensor)
    let result = Palettizer.palettize(values, .row(4), scheme, .float16, jobs: 1)
    #expect(result.palettes == [1, 1, 2, 2, 2, 2, 2, 2])
    let indices = BitPacking.unpack(result.indices, bits: 3, count: 4)
    #expect(indices.map { result.palettes[Int($0)] } == [1, 1, 2, 2])
    let zeros = Palettizer.palettize(
      [-1e-9, 1], .row(2), PaletteScheme(bits: 1, granularity: .perTensor), .float16, jobs: 1)
    #expect(zeros.palettes.map(\.bitPattern) == [0, (1 as Float).bitPattern])
  }

  @Test func keptWeightsAreRoundedAndSaySo() throws {
    let values: [Float] = [0.1, -0.1, 1, 65504]
    for role in [WeightRole.bias, .norm, .positionTable] {
      let tensor = try compress(values, [4], .int8(.perTensor), role: role)
      #expect(tensor.content == .uncompressed(values.map { Float(Float16($0)) }))
      #expect(tensor.relativeError > 0 && tensor.relativeError < 0x1p-11)
      #expect(tensor.bits == 16 && tensor.byteCount == 8 && tensor.schemeLabel == "kept")
    }
  }

  @Test func statisticsStayWhole() throws {
    let values: [Float] = [0.1, 1e6]
    let tensor = try compress(values, [2], nil, role: .statistic)
    #expect(tensor.content == .uncompressed(values))
    #expect(tensor.floats == .float32 && tensor.relativeError == 0)
    #expect(tensor.bits == 32 && tensor.byteCount == 8)
  }

  @Test func countsTwoBytesPerFloat() throws {
    let values = [Float](repeating: 1, count: 16)
    #expect(try compress(values, [4, 4], .int8(.perChannel)).byteCount == 16 + 4 * 2)
    #expect(try compress(values, [4, 4], .palette(bits: 2, .perTensor)).byteCount == 4 + 4 * 2)
    #expect(try compress(values, [4, 4], nil).byteCount == 32)
  }

  @Test func listsWhatHalvesCannotHold() throws {
    let weights = [
      WeightReference("kept", [20], role: .bias),
      WeightReference("matrix", [2, 2], role: .matrix(outputAxis: 0)),
      WeightReference("bad", [2], role: .norm),
      WeightReference("edge", [2], role: .norm),
      WeightReference("mean", [1], role: .statistic),
    ]
    var uncompressed = [Float](repeating: 1, count: 20)
    uncompressed[3] = 65520
    uncompressed[9] = -70000
    uncompressed[17] = 1e20
    let source = MemoryWeights(tensors: [
      "kept": ([20], uncompressed), "matrix": ([2, 2], [1, -70000.5, 2, 3]),
      "bad": ([2], [1e6, .nan]), "edge": ([2], [65519.99, -65504]), "mean": ([1], [1e30]),
    ])
    for scheme in [Scheme.int8(.perChannel), .palette(bits: 1, .perTensor), nil] {
      let error = #expect(throws: CompressionError.self) {
        try WeightCompressor.compress(
          weights: weights, from: source,
          options: CompressionOptions(scheme: scheme, floats: .float16), jobs: 2)
      }
      #expect(
        error?.description == """
          tensor 'kept': 3 values do not fit float16, the largest is 1e+20 at flat index 17, \
          float16 holds 65504
          tensor 'matrix': 1 value does not fit float16, the largest is -70000.5 at flat index 1, \
          float16 holds 65504
          tensor 'bad': 1 value is not finite, the first at flat index 1
          """)
    }
  }
}
