import Graph
import TestSupport
import Testing

@testable import WeightCompression

/// Properties of linear schemes of every kind.
struct LinearSchemesTests {
  static let schemes = LinearScheme.Integers.allCases.flatMap { integers in
    LinearScheme.Mode.allCases.flatMap { mode in
      [.perTensor, .perChannel, .perBlock(size: 5)].flatMap { granularity in
        LinearScheme.Range.allCases.map { range in
          LinearScheme(integers, mode: mode, granularity: granularity, range: range)
        }
      }
    }
  }

  private static let shape = [6, 20]

  private func quantize(
    _ values: [Float], _ scheme: LinearScheme, _ floats: FloatType = .float32,
    axis: Int = 0, jobs: Int = 1
  ) throws -> (codes: LinearCodes, values: [Float]) {
    let reference = WeightReference.matrix(Self.shape, outputAxis: axis)
    let codes = LinearQuantizer.quantize(values, reference, scheme, floats, jobs: jobs)
    let tensor = try CompressedTensor(reference, .linear(codes), floats: floats, relativeError: 0)
    return (codes, tensor.dequantized())
  }

  private func values(_ samples: Samples, _ seed: UInt64) -> [Float] {
    var random = SeededGenerator(seed: seed)
    return samples.values(120, &random)
  }

  @Test(arguments: Samples.allCases, schemes)
  func eachValueTakesTheNearestCode(_ samples: Samples, _ scheme: LinearScheme) throws {
    for axis in [0, 1] where axis == 0 || scheme.granularity != .perBlock(size: 5) {
      for floats in [FloatType.float32, .float16] {
        let values = values(samples, 101).map {
          floats == .float16 ? min(max($0, -65504), 65504) : $0
        }
        let result = try quantize(values, scheme, floats, axis: axis)
        let layout = RunLayout(shape: Self.shape, blocks: result.codes.blocks)
        for scale in result.codes.scales {
          #expect(scale > 0 && scale.isFinite && floats.rounded(scale) == scale)
        }
        #expect(result.values.allSatisfy { $0.isFinite })
        for (i, code) in result.codes.codes(120).enumerated() {
          let group = layout.group(of: i)
          let scale = Double(result.codes.scales[group])
          let zeroPoint = scheme.fixedZeroPoint ?? Int(result.codes.zeroPoints[group])
          #expect(scheme.codes.contains(code) && scheme.codes.contains(zeroPoint))
          let error = (Double(values[i]) - scale * Double(code - zeroPoint)).magnitude
          let minimum =
            scheme.codes.map {
              (Double(values[i]) - scale * Double($0 - zeroPoint)).magnitude
            }.min() ?? 0
          #expect(error <= minimum + Double(values[i].magnitude) * 0x1p-23, "\(values[i])")
        }
      }
    }
  }

  @Test(arguments: Samples.allCases, schemes.filter { $0.range == .leastSquares })
  func leastSquaresIsNeverWorse(_ samples: Samples, _ scheme: LinearScheme) throws {
    let plain = LinearScheme(
      scheme.integers, mode: scheme.mode, granularity: scheme.granularity)
    for floats in [FloatType.float32, .float16] {
      let values = values(samples, 102).map { min(max($0, -65504), 65504) }
      let best = squaredError(values, try quantize(values, scheme, floats).values)
      let largest = squaredError(values, try quantize(values, plain, floats).values)
      #expect(best <= largest * (1 + 1e-12))
    }
  }

  @Test(arguments: schemes)
  func scalesExactlyWithPowersOfTwo(_ scheme: LinearScheme) throws {
    let values = values(.heavyTailed, 103)
    let (codes, _) = try quantize(values, scheme)
    for exponent in [-60, -1, 1, 60] {
      let factor = Float(sign: .plus, exponent: exponent, significand: 1)
      let scaled = try quantize(values.map { $0 * factor }, scheme).codes
      #expect(scaled.packed == codes.packed)
      #expect(scaled.zeroPoints == codes.zeroPoints)
      #expect(scaled.scales == codes.scales.map { $0 * factor })
    }
  }

  @Test(arguments: schemes)
  func scalesWithOtherFactors(_ scheme: LinearScheme) throws {
    let values = values(.gaussian, 104)
    let error = squaredError(values, try quantize(values, scheme).values).squareRoot()
    for factor in [0.3, 7, 1000] as [Float] {
      let scaled = values.map { $0 * factor }
      let other = squaredError(scaled, try quantize(scaled, scheme).values).squareRoot()
      // Rounding of the products can move single codes, and with them a search that is not exact.
      let tolerance = scheme.range == .leastSquares ? 0.1 : 1e-3
      #expect((other / Double(factor) - error).magnitude <= tolerance * error)
    }
  }

  @Test(arguments: schemes)
  func permutesWithItsChannels(_ scheme: LinearScheme) throws {
    var random = SeededGenerator(seed: 105)
    let values = values(.heavyTailed, 105)
    let order = (0..<6).shuffled(using: &random)
    let permuted = order.flatMap { values[$0 * 20..<$0 * 20 + 20] }
    let one = try quantize(values, scheme)
    let two = try quantize(permuted, scheme)
    if scheme.granularity == .perTensor {
      let error = squaredError(values, one.values)
      #expect((squaredError(permuted, two.values) - error).magnitude <= 1e-6 * error)
    } else {
      #expect(two.values == order.flatMap { one.values[$0 * 20..<$0 * 20 + 20] })
    }
  }

  @Test(arguments: schemes.filter { $0.granularity == .perBlock(size: 5) })
  func permutesWithItsBlocks(_ scheme: LinearScheme) throws {
    var random = SeededGenerator(seed: 106)
    let values = values(.heavyTailed, 106)
    let order = (0..<4).shuffled(using: &random)
    let places: [Int] = (0..<120).map { place in
      place / 20 * 20 + order[place % 20 / 5] * 5 + place % 5
    }
    let one = try quantize(values, scheme)
    let two = try quantize(places.map { values[$0] }, scheme)
    #expect(two.values == places.map { one.values[$0] })
  }

  @Test(arguments: schemes.filter { $0.mode == .symmetric })
  func changesSignWithItsValues(_ scheme: LinearScheme) throws {
    let values = values(.heavyTailed, 107)
    let one = try quantize(values, scheme)
    let two = try quantize(values.map { -$0 }, scheme)
    #expect(two.codes.scales == one.codes.scales)
    #expect(two.values == one.values.map { -$0 })
  }

  @Test(arguments: schemes)
  func threadsChangeNothing(_ scheme: LinearScheme) throws {
    let values = values(.clustered, 108)
    let one = try quantize(values, scheme, jobs: 1).codes
    let many = try quantize(values, scheme, jobs: 8).codes
    #expect(one == many)
  }

  private static let tiny = Float.leastNonzeroMagnitude

  /// Zeros, one value, all the same, the ends of either float type, subnormal numbers.
  static let edges: [[Float]] = [
    [0, 0], [0, -0.0], [3], [-3], [0.1, 0.1], [-0.1, -0.1], [65504, -65504], [65504, 65504, 0],
    [65519, -65519, 1], [tiny, -tiny], [0x1p-24, -0x1p-25], [6e-8, 1e-38],
    [.greatestFiniteMagnitude, -.greatestFiniteMagnitude], [.greatestFiniteMagnitude, tiny],
    [-.greatestFiniteMagnitude, 0], [.greatestFiniteMagnitude, .greatestFiniteMagnitude],
  ]

  @Test(arguments: edges, schemes)
  func standsEdges(_ values: [Float], _ scheme: LinearScheme) throws {
    for floats in [FloatType.float32, .float16] {
      if floats == .float16, values.contains(where: { $0.magnitude >= 65520 }) { continue }
      let shapes = [
        [values.count], [values.count, 1], [1, values.count], [1, 1, values.count, 1],
      ]
      for shape in shapes {
        var granularity = scheme.granularity
        if case .perBlock = granularity { granularity = .perBlock(size: 1) }
        let scheme = LinearScheme(
          scheme.integers, mode: scheme.mode, granularity: granularity, range: scheme.range)
        let reference = WeightReference.matrix(shape)
        guard scheme.fault(of: reference) == nil else { continue }
        let codes = LinearQuantizer.quantize(values, reference, scheme, floats)
        let tensor = try CompressedTensor(
          reference, .linear(codes), floats: floats, madeFrom: values)
        #expect(codes.scales.allSatisfy { $0 > 0 && $0.isFinite })
        #expect(tensor.dequantized().allSatisfy { $0.isFinite })
        let largest = values.map { Double($0.magnitude) }.max() ?? 0
        let steps = scheme.mode == .asymmetric ? 15.0 : 7.0
        for (value, other) in zip(values, tensor.dequantized()) {
          // Half a step, half a step more where the zero point was rounded, and the least half.
          let limit = largest * 2 / steps + (floats == .float16 ? 0x1p-24 : 0x1p-149)
          #expect((Double(value) - Double(other)).magnitude <= limit)
        }
      }
    }
  }

  @Test(arguments: schemes)
  func takesEmptyTensorsOfAnyRank(_ scheme: LinearScheme) throws {
    for shape in [[0], [0, 5], [5, 0], [0, 0], [2, 0, 5], [1, 0, 1, 2, 3, 4]] {
      for axis in 0..<shape.count {
        let reference = WeightReference.matrix(shape, outputAxis: axis)
        guard scheme.fault(of: reference) == nil else { continue }
        let codes = LinearQuantizer.quantize([], reference, scheme, .float16)
        #expect(codes.packed.isEmpty)
        #expect(throws: Never.self) {
          try CompressedTensor(reference, .linear(codes), relativeError: 0)
        }
      }
    }
  }
}
