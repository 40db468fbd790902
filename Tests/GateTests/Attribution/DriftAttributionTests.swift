import Graph
import ModelFixtures
import TestSupport
import Testing
import Weights

@testable import Gate
@testable import Inputs

struct DriftAttributionTests {
  private struct Models {
    let first: [[Float]]
    let second: [[Float]]
    let references: ReferenceSet

    init() throws {
      var generator = SeededGenerator(seed: 21)
      first = generator.matrix(6, 4)
      second = generator.matrix(5, 6)
      references = try ModelFixtures.references(generator.pairs(20, width: 4))
    }

    func judge(
      first: [[Float]]? = nil, second: [[Float]]? = nil, profile: Limits.Profile = .lenient
    ) throws -> Verdict {
      try Gate(on: references, Limits(profile: profile), threshold: nil, jobs: 1).judge(
        [
          twoLayerModel(
            first: first ?? self.first, second: second ?? self.second)
        ], against: [twoLayerModel(first: self.first, second: self.second)])
    }
  }

  private func swaps(_ verdict: Verdict) -> [String] {
    verdict.reasons.filter { $0.hasPrefix("swapping in") }
  }

  @Test func theOneWeightThatWasShuffledIsNamed() throws {
    let models = try Models()
    var first = models.first
    first.swapAt(0, 4)
    let verdict = try models.judge(first: first)
    #expect(verdict.receipt == nil)
    let swaps = swaps(verdict)
    #expect(swaps.count == 1)
    #expect(swaps[0].hasPrefix("swapping in 'first' alone moves ["))
    #expect(swaps[0].contains(", 100 % of the drift; relative error "))
    #expect(swaps[0].hasSuffix("; its rows are permuted: row 0 is the baseline's row 4"))
    let together = try #require(verdict.causes?.together)
    #expect(together.weights == ["first"])
    #expect((together.share - 1).magnitude < 1e-6 && together.left.magnitude < 1e-6)
  }

  @Test func aDoubledScaleIsNamedBesideSmallErrorsElsewhere() throws {
    let models = try Models()
    let first = models.first.map { $0.map { $0 * 4 } }
    let second = models.second.map { $0.map { ($0 * 32).rounded() / 32 } }
    let swaps = swaps(try models.judge(first: first, second: second, profile: .strict))
    #expect(swaps.count == 1)
    #expect(swaps[0].hasPrefix("swapping in 'first' alone moves ["))
    #expect(swaps[0].hasSuffix("; relative error 3; its values are 4 times the baseline's"))
  }

  @Test func aFaultyWeightThatMattersLessIsStillNamed() throws {
    let models = try Models()
    var second = models.second
    second.swapAt(1, 2)
    let swaps = swaps(
      try models.judge(first: models.first.map { $0.map { $0 * 1.05 } }, second: second))
    #expect(swaps.count == 2)
    #expect(swaps[0].hasPrefix("swapping in 'second' alone moves ["))
    #expect(
      swaps[1] == "swapping in 'first' alone moves little; relative error 0.05; "
        + "its values are 1.05 times the baseline's")
  }

  @Test func driftOfManySmallErrorsIsNoOnesAlone() throws {
    // Two layers whose errors add up: neither alone makes half of 1 − cosine.
    let axis: [[Float]] = [[1, 0], [0, 1]]
    let turned: [[Float]] = [[1, 0.15], [0, 1]]
    let references = try ModelFixtures.references([pairLine([0.1, 0.1], [0, 0.1])])
    let verdict = try Gate(on: references, Limits(profile: .strict), threshold: nil, jobs: 1).judge(
      [twoLayerModel(first: turned, second: turned)],
      against: [twoLayerModel(first: axis, second: axis)])
    #expect(
      verdict.reasons.suffix(2) == [
        "no single weight makes most of the drift: plain rounding of 2 weights; swapped in alone, "
          + "'first' 27 %, 'second' 27 %",
        "together, 'first', 'second' make 100 % of the drift; with the baseline's in their place "
          + "0 % of it is left",
      ])
  }

  @Test func worstPairsAreListedBeforeAndAfter() throws {
    let models = try Models()
    var first = models.first
    first.swapAt(0, 4)
    let verdict = try models.judge(first: first)
    let pairs = verdict.reasons.filter { $0.contains(" ↔ ") && !$0.hasPrefix("swapping") }
    #expect((1...3).contains(pairs.count))
    #expect(pairs.allSatisfy { $0.contains(" → ") && $0.contains("(line ") })
    #expect(verdict.reasons[0].hasPrefix("cosine mean "))
    #expect(verdict.reasons[0].hasSuffix(" is below 0.95 (lenient)"))
  }

  // MARK: - What cancels

  private static let keyBias: TensorName = "encoder.layer.0.attention.self.key.bias"
  private static let values: TensorName = "encoder.layer.1.attention.self.value.weight"

  private func judge(
    calibration: CalibrationRecord? = nil, _ change: (inout MemoryWeights) -> Void
  ) throws -> Verdict {
    try Gate(on: TinyBert.references(), Limits(profile: .strict), threshold: nil, jobs: 1).judge(
      [
        TinyBert.model(
          origin: "candidate", calibration: calibration, changing: change)
      ], against: [TinyBert.model()])
  }

  /// It moves the scores of a query by the same number for every key, which softmax takes out.
  @Test func aBiasThatCancelsIsNeverNamedHoweverFarItMoved() throws {
    let verdict = try judge { weights in
      weights.change(Self.keyBias) { $0 * 30 }
      weights.change(Self.values) { $0 + 0.8 }
    }
    #expect(!verdict.isPassed)
    #expect(!verdict.reasons.contains { $0.contains("key.bias") }, "\(verdict.reasons)")
    #expect(swaps(verdict).count == 1)
    #expect(swaps(verdict).first?.hasPrefix("swapping in '\(Self.values)' alone ") == true)
  }

  /// Many weights lose a little, the bias moves most of all: no sentence names it.
  @Test func aBiasThatCancelsIsNotNamedWhereNoWeightStandsOut() throws {
    var generator = SeededGenerator(seed: 5)
    let verdict = try judge { weights in
      for name in weights.names where name.text.hasSuffix("dense.weight") {
        // The last layer moves the outputs most.
        let isLate = name.text.contains(".layer.1.") || name.text.contains("intermediate")
        let part: Float = name.text.hasSuffix("1.output.dense.weight") ? 0.02 : isLate ? 0.05 : 0.1
        weights.change(name) { $0 + Float.random(in: -part...part, using: &generator) }
      }
      weights.change(Self.keyBias) { _ in 40 }
    }
    let last = Array(verdict.reasons.suffix(2))
    #expect(last[0].hasPrefix("no single weight makes most of the drift: "), "\(last)")
    #expect(last[0].contains("; swapped in alone, '"), "\(last)")
    #expect(last[1].hasPrefix("together, '") && last[1].hasSuffix(" % of it is left"), "\(last)")
    #expect(!verdict.reasons.contains { $0.contains("key.bias") }, "\(verdict.reasons)")
  }

  /// Without its weight, a bias that calibration fitted would look like the one fault there is.
  @Test func aRefittedBiasIsSwappedWithItsWeight() throws {
    let name = "encoder.layer.1.output.dense"
    let calibration = CalibrationRecord(digest: ContentDigest(of: [7]), inputs: 3)
    let change: (inout MemoryWeights) -> Void = { weights in
      weights.change("\(name).weight") { ($0 * 2).rounded() / 2 }
      weights.change("\(name).bias") { $0 > 0 ? $0 - 0.7 : $0 }
    }
    let calibrated = swaps(try judge(calibration: calibration, change))
    #expect(
      calibrated.first?.hasPrefix(
        "swapping in '\(name).weight' with its bias '\(name).bias' alone ") == true)
    #expect(calibrated.count == 1 && calibrated[0].contains(", 100 % of the drift; "))
    let plain = swaps(try judge(change))
    #expect(plain.allSatisfy { !$0.contains("with its bias") })
  }
}
