import Testing

@testable import Evaluation

struct BlameTests {
  private struct Models {
    let first: [[Float]]
    let second: [[Float]]
    let references: ReferenceSet

    init() throws {
      var generator = SeededGenerator(seed: 21)
      first = generator.matrix(6, 4)
      second = generator.matrix(5, 6)
      references = try EvaluationTests.references(generator.pairs(20, width: 4))
    }

    func judge(
      first: [[Float]]? = nil, second: [[Float]]? = nil, profile: Limits.Profile = .lenient
    ) throws -> Judgement {
      try Gate.judge(
        baseline: try twoLayerModel(first: self.first, second: self.second),
        candidate: try twoLayerModel(
          first: first ?? self.first, second: second ?? self.second),
        references: references, limits: try Limits(profile: profile), jobs: 1)
    }
  }

  private func swaps(_ judgement: Judgement) -> [String] {
    judgement.reasons.filter { $0.hasPrefix("swapping in") }
  }

  @Test func theOneWeightThatWasShuffledIsNamed() throws {
    let models = try Models()
    var first = models.first
    first.swapAt(0, 4)
    let judgement = try models.judge(first: first)
    #expect(judgement.receipt == nil)
    let swaps = swaps(judgement)
    #expect(swaps.count == 1)
    #expect(swaps[0].hasPrefix("swapping in 'first' alone moves ["))
    #expect(swaps[0].contains(", 100 % of the drift; relative error "))
    #expect(swaps[0].hasSuffix("; its rows are permuted: row 0 is the baseline's row 4"))
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

  @Test func driftOfManySmallErrorsBlamesNoOne() throws {
    // Two layers whose errors add up: neither alone makes half of 1 − cosine.
    let axis: [[Float]] = [[1, 0], [0, 1]]
    let turned: [[Float]] = [[1, 0.15], [0, 1]]
    let references = try EvaluationTests.references([pairLine([0.1, 0.1], [0, 0.1])])
    let judgement = try Gate.judge(
      baseline: try twoLayerModel(first: axis, second: axis),
      candidate: try twoLayerModel(first: turned, second: turned), references: references,
      limits: try Limits(profile: .strict), jobs: 1)
    #expect(
      judgement.reasons.last
        == "no single weight makes most of the drift; the largest relative errors are "
        + "'first' 0.106, 'second' 0.106")
  }

  @Test func worstPairsAreListedBeforeAndAfter() throws {
    let models = try Models()
    var first = models.first
    first.swapAt(0, 4)
    let judgement = try models.judge(first: first)
    let pairs = judgement.reasons.filter { $0.contains(" ↔ ") && !$0.hasPrefix("swapping") }
    #expect((1...3).contains(pairs.count))
    #expect(pairs.allSatisfy { $0.contains(" → ") && $0.contains("(line ") })
    #expect(judgement.reasons[0].hasPrefix("cosine mean "))
    #expect(judgement.reasons[0].hasSuffix(" is below 0.95 (lenient)"))
  }
}
