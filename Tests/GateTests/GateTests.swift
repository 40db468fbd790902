import Graph
import ModelFixtures
import StrictJSON
import Files
import TestSupport
import Testing
import Weights

@testable import Gate
@testable import Inputs

struct GateTests {
  /// A 3→4 linear embedding.
  static let weight: [[Float]] = [
    [1, 0, 0.5], [0, 1, -0.5], [0.5, 0.5, 1], [-1, 0.25, 0.75],
  ]

  static func references(_ count: Int = 12, more: String = "") throws -> ReferenceSet {
    var generator = SeededGenerator(seed: 11)
    return try ModelFixtures.references(
      generator.pairs(count, width: 3).map { String($0.dropLast()) + more + "}" })
  }

  static func judge(
    _ candidate: Model, _ baseline: Model? = nil, references: ReferenceSet? = nil,
    limits: Limits? = nil, threshold: Double? = nil
  ) throws -> Verdict {
    try Gate(
      on: references ?? Self.references(), limits ?? Limits(profile: .strict), threshold: threshold,
      jobs: 1
    ).judge([candidate], against: [baseline ?? denseModel(weight, origin: "baseline")])
  }

  // MARK: - Passing

  @Test func aModelJudgedByItselfPassesWithAWarning() throws {
    let verdict = try Self.judge(try denseModel(Self.weight))
    let receipt = try #require(verdict.receipt)
    #expect(verdict.isPassed)
    #expect(verdict.reasons == [])
    #expect(
      verdict.warnings == [
        "baseline and candidate are the same bytes: a model was judged by itself"
      ])
    #expect(receipt.metrics == verdict.metrics)
    guard case .embeddings(let metrics) = receipt.metrics.drift else {
      Issue.record("no embeddings")
      return
    }
    #expect(metrics.cosine == .init(mean: 1, p1: 1, min: 1))
    #expect(metrics.similarityDrift == .init(mean: 0, max: 0))
    #expect(metrics.neighbourOverlap == 1)
  }

  @Test func aSmallChangePassesAndTheReceiptNamesEverything() throws {
    var weight = Self.weight
    weight[0][0] = 1.001
    let baseline = try denseModel(Self.weight), candidate = try denseModel(weight)
    let references = try Self.references()
    let verdict = try Self.judge(candidate, baseline, references: references)
    let receipt = try #require(verdict.receipt)
    #expect(verdict.warnings == [])
    #expect(receipt.baseline.weights == baseline.digest)
    #expect(receipt.candidate.weights == candidate.digest)
    #expect(receipt.references == references.digest)
    #expect(receipt.architecture == "dense")
    #expect(Array(receipt.candidate.files.keys) == ["model.json"])
    #expect(receipt.baseline.files == receipt.candidate.files)
    #expect(receipt.limits.profile == .strict)
  }

  @Test func fewPairsAreAWarningThatStandsInTheReceipt() throws {
    let verdict = try Self.judge(
      try denseModel(Self.weight, digest: "other"), references: try Self.references(7))
    let warning = "the reference set has only 7 pairs; fewer than 8 say little"
    #expect(verdict.warnings == [warning])
    #expect(verdict.receipt?.warnings == [warning])
  }

  @Test func progressEndsWithBothSidesDone() throws {
    let seen = Seen()
    _ = try Gate(on: Self.references(), Limits(), threshold: nil, jobs: 1).judge(
      .model(denseModel(Self.weight)), against: .model(denseModel(Self.weight))
    ) { if case .running(let done, let total) = $0 { seen.add(done, total) } }
    #expect(seen.last == [48, 48])
  }

  @Test func aBaselineRunsOnceWhileItsBytesAreTheSame() throws {
    // What has the digest of a baseline that was run counts as it; its numbers are not run again.
    let other = Self.weight.map { $0.map { $0 + 0.3 } }
    let candidate = try denseModel(Self.weight, digest: "candidate")
    func metrics(_ gate: Gate, _ weight: [[Float]], _ digest: String) throws -> DriftMetrics? {
      try gate.judge([candidate], against: [try denseModel(weight, digest: digest)]).metrics
    }
    let once = Gate(on: try Self.references(), try Limits(), threshold: nil, jobs: 1)
    let gate = once.keepingBaselines()
    let first = try metrics(gate, Self.weight, "baseline")
    #expect(try metrics(gate, other, "baseline") == first)
    #expect(try metrics(gate, other, "another") != first)
    let afresh = Gate(on: try Self.references(), try Limits(), threshold: nil, jobs: 1)
    #expect(try metrics(afresh, Self.weight, "baseline") == first)
    #expect(try metrics(afresh, other, "baseline") != first)
  }

  // MARK: - Outputs

  @Test func outputsThatOverflowAreRefusedBeforeAnyMetric() throws {
    let weight = Self.weight.map { $0.map { $0 * 3e38 } }
    let verdict = try Self.judge(
      try denseModel(weight),
      references: try ModelFixtures.references([pairLine([0.5, 0.5, 0], [2, 2, 2])]))
    #expect(verdict.metrics == nil)
    #expect(verdict.receipt == nil)
    #expect(
      verdict.reasons == [
        "4 of 8 outputs of the candidate are not finite, for 1 of 2 inputs, "
          + "first for [2.0, 2.0, 2.0] (line 1)",
        "swapping in 'w' alone gives outputs that are not finite; relative error "
          + "2.9999999919761498e+38; its values are 2.9999999919761494e+38 times the baseline's",
      ])
  }

  @Test func anEmbeddingThatIsAllZeroIsRefused() throws {
    // The candidate ignores the third value; an input with nothing else becomes zero.
    let weight = Self.weight.map { [$0[0], $0[1], 0] }
    let verdict = try Self.judge(
      try denseModel(weight),
      references: try ModelFixtures.references([pairLine([1, 1, 1], [0, 0, 2])]))
    #expect(verdict.metrics == nil)
    #expect(
      verdict.reasons[0]
        == "1 of 2 embeddings of the candidate is all zero, which has no cosine, "
        + "first for [0.0, 0.0, 2.0] (line 1)")
  }

  // MARK: - Drift

  @Test func driftIsRefusedWithLimitsPairsAndTheWeightToBlame() throws {
    var weight = Self.weight
    weight.swapAt(0, 3)
    let verdict = try Self.judge(
      try denseModel(weight),
      references: try ModelFixtures.references([
        pairLine([1, 0, 0], [0, 1, 0]), pairLine([1, 0, 0], [0, 0, 1]),
      ]))
    #expect(verdict.receipt == nil)
    #expect(
      verdict.reasons == [
        "cosine mean 0.381 is below 0.999 (strict)", "cosine min -0.778 is below 0.995 (strict)",
        "[1.0, 0.0, 0.0]: cosine -0.778 to the baseline (line 1)",
        "swapping in 'w' alone turns [1.0, 0.0, 0.0] to cosine -0.778, 100 % of the drift; "
          + "relative error 1.211; its rows are permuted: row 0 is the baseline's row 3",
      ])
  }

  @Test func aScaledWeightThatChangesNoCosinePassesWithAWarning() throws {
    let verdict = try Self.judge(try denseModel(Self.weight.map { $0.map { $0 * 2 } }))
    #expect(verdict.isPassed)
    #expect(
      verdict.warnings == [
        "the length of an embedding changed by 100 %, which cosines do not see",
        "the candidate's weight 'w' is no mere compression, though the outputs keep their limits: "
          + "its values are 2 times the baseline's",
      ])
    #expect(
      verdict.summaryLines == [
        "cosine: mean 1, p1 1, min 1", "similarity drift: mean 0, max 0",
        "neighbours kept: 1, nearest kept: 1", "norm drift: 1",
        "flips: 0; measured on 24 inputs in 12 pairs",
      ])
  }

  // MARK: - What cannot be compared

  @Test func modelsOfOtherShapesAreNotCompared() throws {
    let baseline = try denseModel(Self.weight)
    #expect(
      refusal { _ = try Self.judge(try denseModel([[1, 2]]), baseline) }
        == "the candidate's input is 2 values ('x0', 'x1'), the baseline's is 3 values ('x0', "
        + "'x1', 'x2')")
    #expect(
      refusal { _ = try Self.judge(try denseModel([[1, 2, 3]]), baseline) }
        == "the candidate's output is an embedding of 1, the baseline's is an embedding of 4")
    #expect(
      refusal { _ = try Self.judge(try denseModel(Self.weight, .numbers), baseline) }
        == "the candidate's output is 4 numbers, the baseline's is an embedding of 4")
  }

  @Test func formsThatDoNotSuitTheOutputAreErrors() throws {
    let samples = try ModelFixtures.references([#"{"input": {"values": [1, 2, 3]}}"#])
    #expect(
      refusal { _ = try Self.judge(try denseModel(Self.weight), references: samples) }
        == "refs.jsonl: holds 1 sample; a model that gives embeddings is judged on pairs "
        + "('a' and 'b')")
    let scores = try denseModel(Self.weight, .softmax)
    #expect(
      refusal { _ = try Self.judge(scores, scores) }
        == "refs.jsonl: holds 12 pairs; a model that gives scores or numbers is judged on "
        + "samples ('input')")
  }

  @Test func inputsThatDoNotSuitTheModelNameTheirLine() throws {
    let set = try ModelFixtures.references([
      pairLine([1, 2, 3], [3, 2, 1]), #"{"a": {"text": "x"}, "b": {"values": [1]}}"#,
    ])
    #expect(
      refusal { _ = try Self.judge(try denseModel(Self.weight), references: set) }
        == #"refs.jsonl:2: "x": is a text of 1 character, "#
        + "the model takes 3 values ('x0', 'x1', 'x2')")
  }

  @Test(
    arguments: [
      (.nan, "the threshold is not a number, expected a number from -1 to 1"),
      (1.5, "the threshold is 1.5, expected a number from -1 to 1"),
      (-.infinity, "the threshold is infinite, expected a number from -1 to 1"),
    ] as [(Double, String)])
  func thresholdsThatMeanNothingAreErrors(_ test: (threshold: Double, fault: String)) throws {
    #expect(
      refusal {
        _ = try Self.judge(try denseModel(Self.weight), threshold: test.threshold)
      } == test.fault)
  }

  // MARK: - The answer

  static let strict =
    #"{"cosineMean":0.999,"cosineMin":0.995,"neighbourOverlap":0.95,"profile":"strict","#
    + #""similarityDriftMax":0.02,"similarityDriftMean":0.005,"tightened":[],"weakened":[],"#
    + #""words":"strict"}"#

  @Test func theAnswerHasTheKeysOfTheDesign() throws {
    let verdict = try Self.judge(
      try denseModel(Self.weight, digest: "other"),
      references: try ModelFixtures.references([
        pairLine([1, 0, 0], [0, 1, 0], #", "similarity": 1"#),
        pairLine([1, 0, 0], [1, 1, 1], #", "similarity": 2"#),
      ]))
    #expect(
      verdict.json.compact
        == #"{"findings":[{"comparisons":2,"id":"few-references","inputs":3,"lines":2,"needed":8,"#
        + #""sentence":"the reference set has only 2 pairs; fewer than 8 say little","#
        + #""severity":"warning"}],"flips":[],"#
        + #""limits":\#(Self.strict),"metrics":{"cosine":{"mean":1.0,"min":1.0,"p1":1.0},"#
        + #""distinct":{"inputs":3,"pairs":2},"flips":0,"inputs":3,"#
        + #""neighbourOverlap":1.0,"normDrift":0.0,"pairs":2,"similarityDrift":{"max":0.0,"#
        + #""mean":0.0},"spearman":{"baseline":1.0,"candidate":1.0},"topOneAgreement":1.0},"#
        + #""reasons":[],"verdict":"passed","warnings":["the reference set has only 2 pairs; "#
        + #"fewer than 8 say little"]}"#)
    let refused = try Self.judge(try denseModel(Self.weight.map { $0.map { _ in 0 } }))
    #expect(
      refused.json.compact
        == #"{"findings":[{"id":"weights-zero","sentence":"the candidate's weight 'w' is all zero, "#
        + #"the baseline's is not","severity":"refused","weights":["w"]}],"flips":[],"#
        + #""limits":\#(Self.strict),"reasons":["the candidate's weight 'w' is all zero, the baseline's is not"],"#
        + #""verdict":"refused","warnings":[]}"#)
  }
}

/// Remembers what a progress handler was told last.
final class Seen: Sendable {
  private let numbers = Mutex<[Int]>([])
  var last: [Int] { numbers.withLock { $0 } }
  func add(_ done: Int, _ total: Int) { numbers.withLock { $0 = [done, total] } }
}
