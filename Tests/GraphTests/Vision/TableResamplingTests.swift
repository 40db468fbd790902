import Testing

@testable import Graph

/// Weights by which a table of positions is resampled.
struct TableResamplingTests {
  @Test(arguments: [TableResampling.cubic, .smoothCubic])
  func keepsATableOfTheSameSize(_ resampling: TableResampling) {
    #expect(resampling.weights(from: 3, to: 3) == [1, 0, 0, 0, 1, 0, 0, 0, 1])
  }

  @Test(arguments: [TableResampling.cubic, .smoothCubic], [(5, 2), (4, 3), (2, 7)])
  func keepsAConstantTable(_ resampling: TableResampling, _ sizes: (from: Int, to: Int)) {
    let weights = resampling.weights(from: sizes.from, to: sizes.to)
    #expect(weights.count == sizes.from * sizes.to)
    for row in 0..<sizes.to {
      let sum = weights[row * sizes.from..<(row + 1) * sizes.from].reduce(0, +)
      #expect(abs(sum - 1) < 1e-6)
    }
  }

  /// torch.nn.functional.interpolate of [0, 1, 2, 3] to two values, mode bicubic: between two
  /// neighbours, −0.09375, 0.59375, 0.59375, −0.09375.
  @Test func theMiddleOfFourHasKeysWeights() {
    let weights = TableResampling.cubic.weights(from: 4, to: 2)
    #expect(weights == [0.5, 0.59375, -0.09375, 0, 0, -0.09375, 0.59375, 0.5])
  }
}
