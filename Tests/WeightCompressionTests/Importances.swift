import TestSupport

@testable import WeightCompression

/// Squared error in Double, weighted.
func squaredError(_ values: [Float], _ others: [Float], weights: [Float]? = nil) -> Double {
  values.indices.reduce(0) { sum, i in
    let error = Double(values[i]) - Double(others[i])
    return sum + error * error * Double(weights?[i] ?? 1)
  }
}

/// Weights over several powers of ten, a few of them zero.
func randomWeights(_ count: Int, _ random: inout SeededGenerator) -> [Float] {
  (0..<count).map { _ in
    if Int.random(in: 0..<8, using: &random) == 0 { return 0 }
    let exponent = Int.random(in: -6...6, using: &random)
    return Float(
      sign: .plus, exponent: exponent, significand: .random(in: 1..<2, using: &random))
  }
}
