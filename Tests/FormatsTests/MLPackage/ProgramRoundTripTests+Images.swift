import Graph

// Operations of image encoders, and sums along an axis.
extension ProgramRoundTripTests {
  private static let padded = WindowSteps(strides: [2, 1], padding: [1, 0, 1, 1])

  static let images: [Case] = [
    Case("conv", [floats(1, 3, 8, 8), floats(5, 3, 4, 4)]) {
      Conv($0[0], weight: $0[1], strides: [4, 2])
    },
    Case("conv in groups", [floats(1, 4, 8, 8), floats(6, 2, 3, 3), floats(6)]) {
      Conv($0[0], weight: $0[1], bias: $0[2], steps: padded, groups: 2)
    },
    Case("max_pool", [floats(1, 2, 8, 8)]) {
      Pool(.max, $0[0], window: [3, 2], steps: padded)
    },
    Case("avg_pool", [floats(1, 2, 8, 8)]) {
      Pool(.average, $0[0], window: [3, 2], steps: padded)
    },
    Case(
      "batch_norm",
      [floats(1, 3, 4, 5), floats(3), floats(3), floats(3), floats(3)]
    ) {
      BatchNorm(
        $0[0], mean: $0[1], variance: $0[2], gamma: $0[3], beta: $0[4], epsilon: 0x1p-10)
    },
    Case("sigmoid_hard", [floats(2, 3)]) { SigmoidHard($0[0], alpha: 0.25, beta: 0.5) },
    Case("cumsum", [floats(2, 3)]) { CumulativeSum($0[0], axis: 1) },
  ]
}
