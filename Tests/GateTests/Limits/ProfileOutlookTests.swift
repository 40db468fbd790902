import ModelFixtures
import StrictJSON
import Testing

@testable import Gate
@testable import Inputs

/// A refusal's words about looser limits.
struct ProfileOutlookTests {
  private let baseline: [[Float]] = [[1, 0], [0, 1]]
  private let set: ReferenceSet

  init() throws {
    set = try references((1...10).map { pairLine([1, 0], [Float($0) / 10, 1]) })
  }

  private func judge(
    _ turn: Float, _ limits: Limits, threshold: Double? = nil
  ) throws -> Verdict {
    try Gate(on: set, limits, threshold: threshold, jobs: 1).judge(
      [denseModel([[1, turn], [0, 1]])], against: [denseModel(baseline)])
  }

  @Test func eachLooserProfileIsAskedFor() throws {
    let verdict = try judge(0.03, try Limits(profile: .strict))
    #expect(verdict.outlooks.map(\.profile) == [.standard, .lenient])
    #expect(verdict.outlooks.map(\.isPassed) == [false, true])
    #expect(verdict.outlooks[1].text == "the limits 'lenient' would let it pass")
    #expect(verdict.refusalLines == verdict.reasons + verdict.outlooks.map(\.text))
    let alone = try judge(0.03, try Limits(profile: .standard))
    #expect(alone.outlooks.map(\.profile) == [.lenient])
    #expect(try judge(0.9, try Limits(profile: .lenient)).outlooks.isEmpty)
    #expect(try judge(0, try Limits(profile: .strict)).outlooks.isEmpty)
  }

  @Test func missesAreValuesAndWordsTellTheSame() throws {
    let outlook = try #require(try judge(0.9, try Limits(profile: .standard)).outlooks.first)
    #expect(!outlook.isPassed && outlook.flips == 0 && !outlook.isRefusedAnyway)
    let miss = try #require(outlook.misses.first { $0.key == .cosineMin })
    #expect(miss.limit == 0.8 && miss.value < 0.8)
    #expect(miss.distance == 0.8 - miss.value)
    let value = Figures.text(miss.value, unlike: 0.8), by = Figures.text(miss.distance, unlike: 0)
    #expect(outlook.text.hasPrefix("the limits 'lenient' would refuse it, too: "))
    #expect(outlook.text.contains("cosine min \(value) (\(by) below 0.8)"), "\(outlook.text)")
    #expect(
      outlook.json.compact.contains(
        #"{"bound":0.8,"limit":"cosineMin","metric":"cosine min","missedBy":\#(miss.distance)"#))
  }

  @Test func whatIsWrittenReadsBack() throws {
    let verdict = try judge(0.9, try Limits(profile: .strict), threshold: 0.1345)
    #expect(verdict.outlooks.count == 2)
    for outlook in verdict.outlooks {
      let text = Array(outlook.json.compact.utf8)
      #expect(try ProfileOutlook(JSONParser.parseObject(text, origin: "kept")) == outlook)
    }
  }

  /// The plain profile is another one where its limits are replaced.
  @Test func ownLimitsAreComparedWithTheirProfile() throws {
    let own = try Limits(profile: .lenient, overrides: ["cosineMin": 0.9999])
    let verdict = try judge(0.03, own)
    #expect(verdict.outlooks.map(\.profile) == [.lenient])
    #expect(verdict.outlooks.map(\.isPassed) == [true])
  }

  @Test func flipsThatAProfileDoesNotTolerateAreCounted() throws {
    // Of (1, 0) and (0.1, 1) the similarity is 0.0995 before and 0.1386 after.
    let verdict = try judge(0.04, try Limits(profile: .strict), threshold: 0.1345)
    let lenient = try #require(verdict.outlooks.last)
    #expect(lenient.flips == 1)
    #expect(lenient.text == "the limits 'lenient' would refuse it, too: 1 flip")
  }

  @Test func whatNoLimitsChangeIsSaid() throws {
    #expect(try judge(.nan, try Limits(profile: .strict)).outlooks.isEmpty)
    let evaluation = try Evaluation(
      references: set, meaning: nil, limits: try Limits(profile: .standard), threshold: nil)
    var findings = Findings(metrics: LimitsTests.metrics())
    #expect(evaluation.outlooks(findings).map(\.isPassed) == [true])
    findings.isOutOfRange = true
    #expect(
      evaluation.outlooks(findings).map(\.text)
        == ["the limits 'lenient' would refuse it, too: no limits change this"])
  }
}
