import Graph
import ModelFixtures
import StrictJSON
import Files
import TestSupport
import Testing
import Weights

@testable import Gate
@testable import Inputs

// Weights that are refused before anything runs.
extension GateTests {
  struct BadWeight: Sendable, CustomTestStringConvertible {
    let name: String
    let change: @Sendable (inout [[Float]]) -> Void
    let reason: String
    var testDescription: String { name }
  }

  @Test(arguments: [
    BadWeight(
      name: "one NaN", change: { $0[2][1] = .nan },
      reason: "the candidate's weight 'w' has 1 value that is not finite, the first (nan) at [2, 1]"
    ),
    BadWeight(
      name: "infinities",
      change: {
        $0[0][2] = -.infinity; $0[3][0] = .infinity
      },
      reason:
        "the candidate's weight 'w' has 2 values that are not finite, the first (-inf) at [0, 2]"),
    BadWeight(
      name: "all zero", change: { $0 = $0.map { $0.map { _ in 0 } } },
      reason: "the candidate's weight 'w' is all zero, the baseline's is not"),
    BadWeight(
      name: "all minus zero", change: { $0 = $0.map { $0.map { _ in -0.0 } } },
      reason: "the candidate's weight 'w' is all zero, the baseline's is not"),
  ])
  func badWeightsAreRefusedBeforeAnythingRuns(_ test: BadWeight) throws {
    var weight = Self.weight
    test.change(&weight)
    let verdict = try Self.judge(try denseModel(weight))
    #expect(!verdict.isPassed)
    #expect(verdict.reasons == [test.reason])
    #expect(verdict.metrics == nil)
    #expect(verdict.receipt == nil)
  }

  @Test func nanAnywhereInTheWeightIsFound() throws {
    for row in 0..<4 {
      for column in 0..<3 {
        for bad in [Float.nan, .infinity, -.infinity, .signalingNaN] {
          var weight = Self.weight
          weight[row][column] = bad
          let verdict = try Self.judge(try denseModel(weight))
          #expect(!verdict.isPassed)
          #expect(verdict.reasons[0].hasSuffix("at [\(row), \(column)]"))
        }
      }
    }
  }

  @Test func aBaselineWithNaNIsRefusedToo() throws {
    var weight = Self.weight
    weight[1][1] = .nan
    let verdict = try Self.judge(try denseModel(Self.weight), try denseModel(weight))
    #expect(
      verdict.reasons == [
        "the baseline's weight 'w' has 1 value that is not finite, the first (nan) at [1, 1]"
      ])
  }

  @Test func aWeightWithTooFewValuesIsRefused() throws {
    let whole = try denseModel(Self.weight)
    let cut = MemoryWeights(tensors: ["w": ([4, 3], [1, 2, 3])])
    let candidate = try Model(
      origin: "cut", architecture: whole.architecture, files: whole.files, weights: cut)
    #expect(
      try Self.judge(candidate).reasons == [
        "the candidate's weight 'w' has 3 values, its shape [4, 3] needs 12"
      ])
  }

}
