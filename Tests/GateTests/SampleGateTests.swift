import ModelFixtures
import StrictJSON
import TestSupport
import Testing

@testable import Gate
@testable import Inputs

struct SampleGateTests {
  private func samples(_ lines: [String]) throws -> ReferenceSet {
    try references(lines.map { #"{"input": {"values": \#($0)}}"# })
  }

  private func judge(
    _ kind: Kind, _ old: [[Float]], _ new: [[Float]], _ set: ReferenceSet,
    limits: Limits? = nil, threshold: Double? = nil
  ) throws -> Verdict {
    try Gate(on: set, limits ?? Limits(), threshold: threshold, jobs: 1).judge(
      [denseModel(new, kind)], against: [denseModel(old, kind)])
  }

  private let few = "the reference set has only 2 samples; fewer than 8 say little"

  @Test func aBinaryClassifierIsJudgedOnItsProbability() throws {
    let set = try samples(["[1, 0]", "[0, 1]"])
    let refused = try judge(.binary, [[2, 1]], [[-2, 1]], set)
    #expect(
      refused.reasons == [
        "output drift mean 0.381 is above 0.01 (standard)",
        "output drift max 0.762 is above 0.05 (standard)",
        "[1.0, 0.0] changes from 'yes' to 'no': 0.88 → 0.12 (line 1), from a margin of 0.381 "
          + "where 0.01 is tolerated (standard)",
        "[1.0, 0.0]: 0.88 → 0.12 (line 1)",
        "swapping in 'w' alone moves [1.0, 0.0] 0.88 → 0.12, 100 % of the drift; relative error "
          + "1.789; 1 of its 2 values is negated",
      ])
    #expect(refused.metrics?.flips == 1)
    #expect(refused.metrics?.pairs == 0)
    #expect(refused.metrics?.inputs == 2)
    let passed = try judge(.binary, [[2, 1]], [[2.01, 1]], set)
    #expect(passed.receipt != nil)
    #expect(passed.warnings == [few])
  }

  @Test func theThresholdMovesTheDecision() throws {
    let set = try samples(["[1]", "[2]"])
    let limits = try Limits(overrides: ["similarityDriftMean": 0.1, "similarityDriftMax": 0.2])
    // 0.7311 before, 0.6900 after.
    let at = try judge(.binary, [[1]], [[0.8]], set, limits: limits, threshold: 0.7)
    #expect(at.flips.count == 1)
    #expect(at.isPassed)
    #expect(try judge(.binary, [[1]], [[0.8]], set, limits: limits).flips == [])
    let fault = refusal { _ = try judge(.binary, [[1]], [[0.8]], set, threshold: -0.1) }
    #expect(fault == "the threshold is -0.1, expected a number from 0 to 1")
  }

  /// A probability has bounds, a score and a number have none.
  @Test func theThresholdIsHeldToWhatTheModelGives() throws {
    let set = try samples(["[1]", "[-1]"])
    func fault(_ kind: Kind, _ threshold: Double) -> String? {
      refusal { _ = try judge(kind, [[0.3]], [[0.3]], set, threshold: threshold) }
    }
    for threshold in [-58.3, 0, 1e6] {
      #expect(fault(.score, threshold) == "(nothing was thrown)")
      #expect(fault(.numbers, threshold) == "(nothing was thrown)")
    }
    #expect(
      fault(.binary, 58.3) == "the threshold is 58.3, expected a number from 0 to 1")
    #expect(
      fault(.score, .infinity) == "the threshold is infinite, expected a finite number")
    #expect(fault(.numbers, .nan) == "the threshold is not a number, expected a finite number")
  }

  @Test func aClassifierWithSeveralOutputsIsJudgedOnItsLargest() throws {
    let set = try samples(["[1, 0]", "[0, 1]"])
    let refused = try judge(
      .softmax, [[2, 0], [0, 2], [1, 1]], [[0, 2], [2, 0], [1, 1]], set)
    #expect(
      refused.reasons[2]
        == "[1.0, 0.0] changes from 'label0' to 'label1': 0.67 → 0.09 (line 1), from a margin of "
        + "0.21 where 0.01 is tolerated (standard)")
    #expect(refused.reasons.contains("[1.0, 0.0]: 'label0' 0.67 → 0.09 (line 1)"))
    #expect(refused.metrics?.flips == 2)
    #expect(
      refused.reasons.last?.hasSuffix(
        "its rows are in another order: row 0 is the baseline's row 1")
        == true)
    let unused = try judge(
      .softmax, [[2, 0], [0, 2]], [[2, 0.001], [0, 2]], set, threshold: 0.5)
    #expect(
      unused.warnings == [
        few, "the threshold was not used: the label is that of the largest output",
      ])
  }

  @Test func numbersAreJudgedRelativeToTheirRange() throws {
    let set = try samples(["[0]", "[100]", "[50]"])
    let passed = try judge(.numbers, [[3]], [[3.01]], set)
    guard case .outputs(let drift)? = passed.metrics?.drift else {
      Issue.record("no outputs")
      return
    }
    #expect((drift.max - 1.0 / 300).magnitude < 1e-6)
    #expect(passed.receipt != nil)
    let refused = try judge(.numbers, [[3]], [[3.3]], set, threshold: 0.5)
    #expect(refused.reasons.first == "output drift mean 0.05 is above 0.01 (standard)")
    #expect(refused.warnings.last == "the threshold was not used: there are no labels")
    #expect(refused.metrics?.flips == 0)
  }

  @Test func scoresAreJudgedRelativeToTheirRange() throws {
    let set = try samples(["[58.29, 1]", "[1, 40]"])
    let old: [[Float]] = [[1, 0], [0, 1]]
    let passed = try judge(.scores, old, [[1.0005, 0], [0, 1]], set)
    #expect(passed.isPassed, "\(passed.reasons)")
    let refused = try judge(.scores, old, [[0.01, 0], [0, 1]], set)
    // The range of the first column is 57.29; half the distance of 58.29 and 1 is half of that.
    #expect(
      refused.reasons.contains(
        "[58.29, 1.0] changes from 0 to 1: 58.29 → 0.58 (line 1), from a margin of 0.5 where 0.01 "
          + "is tolerated (standard)"), "\(refused.reasons)")
  }

  @Test func oneScoreDecidesAtZeroOrAtTheThreshold() throws {
    let set = try samples(["[1]", "[-1]", "[30]"])
    #expect(try judge(.score, [[0.3]], [[0.3001]], set).metrics?.flips == 0)
    #expect(try judge(.score, [[0.3]], [[-0.3]], set).metrics?.flips == 3)
    #expect(try judge(.score, [[0.3]], [[0.3]], set, threshold: 5).isPassed)
  }

  @Test func knownOutputsMustFitTheModel() throws {
    let set = try references([#"{"input": {"values": [1]}, "output": [1, 2]}"#])
    #expect(
      refusal { _ = try judge(.binary, [[1]], [[1]], set) }
        == "refs.jsonl:1: [1.0]: 'output' has 2 numbers, the model gives 1, the probability p of the second of two "
        + "labels; write it, or [1 − p, p]")
  }

  @Test func aBaselineThatIsWrongItselfIsAWarning() throws {
    let set = try references([
      #"{"input": {"values": [1]}, "output": [0]}"#, #"{"input": {"values": [-1]}, "output": [0]}"#,
    ])
    let verdict = try judge(.binary, [[1]], [[1.001]], set)
    #expect(
      verdict.warnings.last
        == "the baseline itself gives another label than the known one on 1 of 2 samples")
  }

  @Test func theAnswerHasOutputDrift() throws {
    let verdict = try judge(.binary, [[1]], [[1]], try samples(["[1]", "[2]"]))
    #expect(
      verdict.json.compact.contains(
        #""metrics":{"distinct":{"inputs":2,"pairs":0},"flips":0,"inputs":2,"#
          + #""outputDrift":{"max":0.0,"mean":0.0},"pairs":0,"rankCorrelation":1.0},"#))
    #expect(
      verdict.summaryLines == [
        "output drift: mean 0, max 0", "rank correlation: 1", "flips: 0; measured on 2 inputs",
      ])
  }

  @Test func aScoreOfZeroIsNoFault() throws {
    let verdict = try judge(.numbers, [[1]], [[1]], try samples(["[0]", "[1]"]))
    #expect(verdict.isPassed)
  }
}
