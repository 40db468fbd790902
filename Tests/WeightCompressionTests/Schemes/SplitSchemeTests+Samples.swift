import Graph
import ModelFixtures
import TestSupport
import Testing
import Weights

@testable import WeightCompression

// What is expected of tables in two parts, from samples of each.
extension SplitSchemeTests {
  private func errors(
    _ reference: WeightReference, _ values: [Float], _ scheme: SplitScheme
  ) throws -> (expected: Double, made: Double) {
    let source = MemoryWeights(tensors: [reference.name: (reference.shape, values)])
    let planned = try WeightCompressor.plan(
      weights: [reference], from: source, options: try CompressionOptions(scheme: .split(scheme)))
    let expected = try ExpectedErrors.measure(planned, from: source, jobs: 1)[0]
    return (
      try #require(expected),
      try WeightCompressor.compress(planned, from: source, jobs: 1)[0].relativeError
    )
  }

  /// A half of each part is looked at.
  @Test(arguments: pairs)
  func samplesComeNearWhatCompressionLoses(_ pair: [Scheme]) throws {
    var random = SeededGenerator(seed: 403)
    let values = Samples.gaussian.values(2048 * 128, &random)
    let (expected, made) = try errors(
      Self.table(2048, 128), values, SplitScheme(rows: 1024, first: pair[0], rest: pair[1]))
    #expect(expected > 0.95 * made && expected < 1.05 * made, "\(expected) \(made)")
  }

  @Test(arguments: pairs)
  func expectationsOfSmallTablesAreExact(_ pair: [Scheme]) throws {
    let values = values(24 * 20, 404)
    let (expected, made) = try errors(
      Self.table(24, 20), values, SplitScheme(rows: 8, first: pair[0], rest: pair[1]))
    #expect((expected - made).magnitude <= 1e-12 * made, "\(expected) \(made)")
  }

  /// One value decides the one scale of its part.
  @Test func samplesSeeTheLargestValueOfAPart() throws {
    var random = SeededGenerator(seed: 405)
    var values = Samples.uniform.values(2048 * 128, &random)
    values[2047 * 128 + 5] = 1000
    let (expected, made) = try errors(
      Self.table(2048, 128), values,
      SplitScheme(rows: 1024, first: .int8(.perTensor), rest: .int8(.perTensor)))
    #expect(expected > 0.9 * made)
  }
}
