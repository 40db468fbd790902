import Graph
import ModelFixtures
import Testing

@testable import Gate
@testable import Inputs

/// Classifiers of tokens: which rows are tokens, and what of them the gate counts.
struct TokenRowsTests {
  private func matrix(_ rows: [[Float]]) -> OutputMatrix {
    OutputMatrix(rowCount: rows.count, width: rows[0].count, values: rows.flatMap { $0 })
  }

  @Test func paddingIsLeftOut() {
    let rows = TokenRows(
      matrix([[0.75, 0.25, 0, 0], [0.5, 0.5, 1, 0]]),
      matrix([[0.25, 0.75, 0, 0], [0.5, 0.5, 0, 0]]), labels: ["a", "b"])
    #expect(rows.places.map(\.input) == [0, 1, 1] && rows.places.map(\.token) == [1, 1, 2])
    #expect(rows.before == matrix([[0.75, 0.25], [0.5, 0.5], [1, 0]]))
    #expect(rows.after == matrix([[0.25, 0.75], [0.5, 0.5], [0, 0]]))
    #expect(rows.word(rows.decision(rows.before[2])) == "'a'")
    #expect(rows.word(rows.decision(rows.after[2])) == "no token")
  }

  /// Two texts of three and four tokens; those that the tokenizer adds count.
  private func judge(_ old: Model, _ new: Model, _ more: String = "") throws -> Verdict {
    let set = try references(["who", "big dog"].map { #"{"input": {"text": "\#($0)"}\#(more)}"# })
    return try Gate(on: set, Limits(), threshold: nil, jobs: 1).judge([new], against: [old])
  }

  @Test func aTokenWhoseLabelChangesIsAFlip() throws {
    let verdict = try judge(
      SmallTokenClassifier.model(bias: [4, 0]), SmallTokenClassifier.model(bias: [0, 4]))
    #expect(verdict.metrics?.flips == 7)
    #expect(
      verdict.flips.map(\.decision).first
        == .label(input: #""who", token 1"#, from: "'O'", to: "'NAME'"))
    #expect(verdict.flips.map(\.line) == [1, 1, 1, 2, 2, 2, 2])
  }

  @Test func equalModelsPass() throws {
    let verdict = try judge(SmallTokenClassifier.model(), SmallTokenClassifier.model())
    #expect(verdict.isPassed && verdict.metrics?.flips == 0)
  }

  @Test func aTokenThatIsCutOffIsAFlip() throws {
    let set = try references(["who", "big dog"].map { #"{"input": {"text": "\#($0)"}}"# })
    let evaluation = try Evaluation(
      references: set, meaning: .tokenClasses(labels: ["O", "NAME"], tokens: 2), limits: Limits(),
      threshold: nil)
    let baseline = matrix([[0.75, 0.25, 0, 0], [0.75, 0.25, 0.25, 0.75]])
    let cut = evaluation.filledUp(matrix([[0.75, 0.25], [0.75, 0.25]]), like: baseline)
    #expect(cut == matrix([[0.75, 0.25, 0, 0], [0.75, 0.25, 0, 0]]))
    let findings = evaluation.findings(baseline: baseline, candidate: cut, jobs: 1)
    #expect(
      findings.flips == [
        Flip(
          line: 2, before: 0.75, after: 0, margin: 0.75,
          decision: .label(input: #""big dog", token 2"#, from: "'NAME'", to: "no token"))
      ])
    #expect(findings.metrics?.drift == .outputs(.init(mean: 1.0 / 6, max: 0.75)))
  }

  @Test func knownOutputsAreRefused() throws {
    let model = try SmallTokenClassifier.model()
    #expect(throws: EvaluationError.self) {
      _ = try judge(model, model, #", "output": [1, 0]"#)
    }
  }
}
