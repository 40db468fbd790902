import Graph
import TestSupport
import Testing

@testable import WeightCompression

struct ClippingSearchTests {
  /// Least squared error of symmetric codes by trying very many scales.
  private func minError(_ values: [Float], _ weights: [Float], limit: Double) -> Double {
    let largest = values.map { Double($0.magnitude) }.max() ?? 0
    var minimum = Double.infinity
    for i in 1...20_000 {
      let scale = largest * 2.2 * Double(i) / 20_000
      var sum = 0.0
      for (value, weight) in zip(values, weights) {
        let code = max(-limit, min(limit, (Double(value) / scale).rounded(.toNearestOrEven)))
        let error = Double(value) - scale * code
        sum += error * error * Double(weight)
      }
      minimum = min(minimum, sum)
    }
    return minimum
  }

  @Test(arguments: [Samples.gaussian, .heavyTailed, .uniform, .bimodal, .clustered, .mostlyEqual])
  func fewLevelsAreExact(_ samples: Samples) {
    var random = SeededGenerator(seed: 111)
    let scheme = LinearScheme(.int4, granularity: .perTensor, range: .leastSquares)
    for isWeighted in [false, true] {
      let values = samples.values(32, &random)
      let weights = isWeighted ? randomWeights(32, &random) : [Float](repeating: 1, count: 32)
      let reference = WeightReference.matrix([1, 32])
      let found = LinearQuantizer.quantize(
        values, reference, scheme, .float32, importance: Importance(inputs: weights))
      let scale = found.scales[0]
      let error = squaredError(
        values, found.codes(32).map { scale * Float($0) }, weights: weights)
      #expect(error <= minError(values, weights, limit: 7) * (1 + 1e-6))
    }
  }

  @Test(arguments: [Samples.gaussian, .heavyTailed, .uniform, .bimodal])
  func manyLevelsAreNearlyExact(_ samples: Samples) {
    var random = SeededGenerator(seed: 112)
    let values = samples.values(32, &random)
    let ones = [Float](repeating: 1, count: 32)
    let found = LinearQuantizer.quantize(
      values, .matrix([1, 32]),
      LinearScheme(.int8, granularity: .perTensor, range: .leastSquares), .float32)
    let error = squaredError(values, found.codes(32).map { found.scales[0] * Float($0) })
    #expect(error <= minError(values, ones, limit: 127) * 1.3)
  }

  @Test func clipsAnOutlierThatCostsMore() {
    var random = SeededGenerator(seed: 113)
    let values = Samples.gaussian.values(5000, &random) + [30]
    for mode in LinearScheme.Mode.allCases {
      let scheme = LinearScheme(.int4, mode: mode, granularity: .perTensor, range: .leastSquares)
      let found = LinearQuantizer.parameters(values, .row(5001), scheme, .float32)
      #expect(found.scales[0] < 1)
    }
  }

  @Test func importanceMovesTheScale() {
    // Only the first input counts, and a scale that fits it exactly is found.
    let values: [Float] = [0.7, 1, -0.33, 0.9]
    let scheme = LinearScheme(.int4, granularity: .perTensor, range: .leastSquares)
    let importance = Importance(inputs: [1, 0, 0, 0])
    let found = LinearQuantizer.quantize(
      values, .matrix([1, 4]), scheme, .float32, importance: importance)
    let code = found.codes(4)[0]
    #expect((found.scales[0] * Float(code) - 0.7).magnitude < 1e-7)
    let none = LinearQuantizer.quantize(
      values, .matrix([1, 4]), scheme, .float32, importance: Importance(inputs: [0, 0, 0, 0]))
    #expect(none == LinearQuantizer.quantize(values, .matrix([1, 4]), scheme, .float32))
  }
}
