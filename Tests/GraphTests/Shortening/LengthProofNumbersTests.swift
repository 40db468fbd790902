import Testing
import Weights

@testable import Graph

/// Proofs end where numbers are no longer what real numbers would be. Beside each such graph is one that
/// is nearly the same, and is proven.
struct LengthProofNumbersTests {
  struct Pair: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let proven: SmallGraph
    let refused: SmallGraph

    init<Value>(
      _ description: String, proven: Value, refused: Value, _ graph: (Value) -> SmallGraph
    ) {
      testDescription = description
      (self.proven, self.refused) = (graph(proven), graph(refused))
    }
  }

  /// Numbers that are too large for a float.
  static let large: [Pair] = [
    // The layer's numbers are small again.
    Pair("norm before a linear layer", proven: 1.5e38, refused: 2e38) { gain in
      SmallGraph(
        gain: gain,
        changes: [
          .states: SmallGraph.steps {
            Linear($0, weight: SmallGraph.weight("projection", [4, 4]), bias: nil)
          }
        ], numbers: ["projection": 1.2e-38])
    },
    // Eight values are weighed before they are divided by the sum of their shares.
    Pair("values of attention", proven: 1e37, refused: 1e38) { scale in
      SmallGraph(changes: [.values: SmallGraph.scales(scale)], pooling: .first)
    },
    Pair("sum over tokens", proven: 1e37, refused: 1e38) { scale in
      SmallGraph(changes: [.context: SmallGraph.scales(scale)])
    },
    Pair("product over tokens", proven: 1e37, refused: 1e38) { scale in
      SmallGraph(changes: [.context: SmallGraph.scales(scale)], pooling: .product)
    },
  ]

  /// Numbers that are too small for a float's digits, and are multiplied until they are large again.
  static let small: [Pair] = [
    // 0.02 · 2^−149 and −0.45 · 2^−149 are both zero: nothing is left of the gap.
    Pair("gap", proven: 0x1p-60, refused: 0x1p-149) { factor in
      SmallGraph(
        gain: 0.01, changes: [.hidden: SmallGraph.scales(factor, 0x1p60, 0x1p-60 / factor)],
        pooling: .maximum)
    },
    // 0.51 · 2^−149 is rounded to 2^−149: scores are 8 and not 4.
    Pair("bound of scores", proven: 0x1p-60, refused: 0x1p-149) { factor in
      SmallGraph(
        hiding: -119, gain: 0.357,
        changes: [.scores: SmallGraph.scales(factor, 0x1p60, 0x1p-60 / factor, 8)])
    },
  ]

  /// Integers that a float does not hold.
  static let integers: [Pair] = [
    // Of the mask, and of what it hides: 2^24 + 1 is no float, and would be 2^24.
    Pair("integers", proven: (2 << 23) - 2, refused: 2 << 23) { (number: Int32) in
      let counts = number < 2 << 23
      let one = Operand.literal(.integers([1], shape: []))
      let large = Operand.literal(.integers([number], shape: []))
      return SmallGraph(
        changes: [
          .mask: SmallGraph.steps(
            { ElementwiseBinary(counts ? .mul : .sub, one, $0) },
            { ElementwiseBinary(.add, $0, large) }, { ElementwiseBinary(.sub, $0, large) })
        ])
    }
  ]

  /// Numbers that are none.
  static let odd: [Pair] = [
    // NaN is no smaller than the mask.
    Pair("maximum of a weight", proven: 0, refused: .nan) { number in
      SmallGraph(
        changes: [
          .present: SmallGraph.steps {
            ElementwiseBinary(.maximum, $0, SmallGraph.weight("number", [1]))
          }
        ], numbers: ["number": number])
    },
    Pair("quotient of a weight", proven: 2, refused: .infinity) { number in
      SmallGraph(
        changes: [
          .present: SmallGraph.steps {
            ElementwiseBinary(.realDivision, $0, SmallGraph.weight("number", [1]))
          }
        ], numbers: ["number": number])
    },
    // 0 · ∞ is NaN.
    Pair("slope", proven: 0.2, refused: .infinity) { alpha in
      SmallGraph(changes: [.values: SmallGraph.steps { SigmoidHard($0, alpha: alpha, beta: 0) }])
    },
  ]

  /// The bound of what is divided by 1 does not shrink with the rounding that the bound of the 1 allows for.
  static let divisors: [Pair] = [
    Pair("divisor", proven: -119, refused: -117.5) { hiding in
      SmallGraph(
        hiding: hiding,
        changes: [
          .scores: { graph, scores in
            var one = Operand.literal(.floats([1], shape: [1]))
            for slice in 0..<300 {
              one = try graph.append("one_\(slice)", SliceByIndex(one, begin: [0], end: [1]))
            }
            return try graph.append("quotients", ElementwiseBinary(.realDivision, scores, one))
          }
        ])
    }
  ]

  @Test(arguments: large + small + integers + odd + divisors)
  func claimNoMoreThanIsTrue(_ pair: Pair) throws {
    #expect(try pair.proven.proof() != nil)
    #expect(try pair.refused.proof() == nil)
  }
}
