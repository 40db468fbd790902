import Graph
import ModelFixtures
import TestSupport
import Testing
import Weights

@testable import WeightCompression

struct ExpectedErrorsTests {
  private static let schemes: [Scheme?] =
    [
      nil, .int8(.perChannel), .int8(.perTensor),
      .linear(LinearScheme(.int4, granularity: .perBlock(size: 32), range: .leastSquares)),
      .linear(LinearScheme(.uint4, mode: .asymmetric, granularity: .perChannel)),
    ]
    + [1, 4, 6].flatMap { bits -> [Scheme] in
      [.palette(bits: bits, .perTensor), .palette(bits: bits, .perGroup(size: 16))]
    } + [.palette(PaletteScheme(bits: 4, granularity: .perTensor, width: 2))]

  private func errors(
    _ reference: WeightReference, _ values: [Float], _ scheme: Scheme?
  ) throws -> (expected: Double?, made: Double) {
    let source = MemoryWeights(tensors: [reference.name: (reference.shape, values)])
    let options = try CompressionOptions(scheme: scheme, floats: .float16)
    let planned = try WeightCompressor.plan(
      weights: [reference], from: source, options: options)
    let made = try WeightCompressor.compress(
      weights: [reference], from: source, options: options, jobs: 1)
    return (
      try ExpectedErrors.measure(planned, from: source, jobs: 2)[0],
      made.tensors[0].relativeError
    )
  }

  /// A quarter of the channels is looked at, and tells the error of all within a twentieth.
  @Test(arguments: schemes)
  func comesNearWhatCompressionLoses(_ scheme: Scheme?) throws {
    var random = SeededGenerator(seed: 211)
    let reference = WeightReference("w", [512, 512], role: .matrix(outputAxis: 0))
    let (expected, made) = try errors(
      reference, Samples.gaussian.values(512 * 512, &random), scheme)
    let ratio = try #require(expected) / made
    #expect(ratio > 0.95 && ratio < 1.05, "\(ratio)")
  }

  /// Channels along the second axis, taken in whole groups.
  @Test(arguments: schemes)
  func takesChannelsAlongAnyAxis(_ scheme: Scheme?) throws {
    var random = SeededGenerator(seed: 212)
    let reference = WeightReference("w", [256, 1024], role: .matrix(outputAxis: 1))
    let (expected, made) = try errors(
      reference, Samples.gaussian.values(256 * 1024, &random), scheme)
    let ratio = try #require(expected) / made
    #expect(ratio > 0.95 && ratio < 1.05, "\(ratio)")
  }

  /// One value decides the one scale, wherever it is.
  @Test func seesTheLargestValueOfOneScale() throws {
    var random = SeededGenerator(seed: 213)
    var values = Samples.uniform.values(512 * 512, &random)
    values[511 * 512 + 3] = 1000
    let reference = WeightReference("w", [512, 512], role: .matrix(outputAxis: 0))
    let (expected, made) = try errors(reference, values, .int8(.perTensor))
    #expect(try #require(expected) > made * 0.9)
  }

  @Test func isExactForSmallTensors() throws {
    var random = SeededGenerator(seed: 214)
    let reference = WeightReference("w", [32, 64], role: .matrix(outputAxis: 0))
    let values = Samples.heavyTailed.values(32 * 64, &random)
    for scheme in Self.schemes {
      let (expected, made) = try errors(reference, values, scheme)
      #expect(expected == made)
    }
  }

  @Test func knowsNothingOfWhatWouldBeRefused() throws {
    let reference = WeightReference("w", [2, 2], role: .matrix(outputAxis: 0))
    let absent = WeightReference("absent", [2], role: .bias)
    let source = MemoryWeights(tensors: ["w": ([2, 2], [1, 2, 3, .nan])])
    let planned = try WeightCompressor.plan(
      weights: [reference, absent], from: source,
      options: try CompressionOptions(scheme: .int8(.perTensor), floats: .float16))
    #expect(try ExpectedErrors.measure(planned, from: source, jobs: 1) == [nil, nil])
  }
}
