import TestSupport
import Testing

@testable import Gate
@testable import Inputs

struct DriftDetailsTests {
  private func matrix(_ rows: [[Float]]) -> OutputMatrix {
    OutputMatrix(rowCount: rows.count, width: rows[0].count, values: rows.flatMap { $0 })
  }

  private func findings(
    _ lines: [String], _ baseline: [[Float]], _ candidate: [[Float]]
  ) throws -> Findings {
    let references = try ReferenceSet(bytes: Array(lines.joined(separator: "\n").utf8), origin: "r")
    let evaluation = try Evaluation(
      references: references, meaning: nil, limits: Limits(of: .standard), threshold: nil)
    return evaluation.findings(
      baseline: matrix(baseline), candidate: matrix(candidate), jobs: 1)
  }

  /// As `EmbeddingDriftTests.valuesWorkedOutByHand`: row 1 turned, and took 0's nearest neighbour.
  @Test func theWorstComesFirstWithWholeInputs() throws {
    let long = String(repeating: "c", count: 90)
    let findings = try findings(
      [
        #"{"a": {"text": "a"}, "b": {"text": "b"}}"#,
        #"{"a": {"text": "a"}, "b": {"text": "\#(long)"}}"#,
        #"{"a": {"text": "b"}, "b": {"text": "\#(long)"}}"#,
      ], [[1, 0], [0, 1], [3, 4]], [[1, 0], [6, 8], [3, 4]])
    guard case .embeddings(let details)? = findings.details else {
      Issue.record("no details")
      return
    }
    #expect(details.cosines.count == 3 && details.cosines[0] == 1 && details.cosines[2] == 1)
    #expect((details.cosines[1] - 0.8).magnitude < 1e-12)
    #expect(details.pairs.map(\.line) == [1, 3])
    #expect(details.pairs[0].a == .text("a") && details.pairs[0].b == .text("b"))
    #expect(details.pairs[0].before == 0 && (details.pairs[0].after - 0.6).magnitude < 1e-12)
    #expect(details.pairs[1].b == .text(long))
    #expect(details.inputs.map(\.subject) == [.init(.text("b"), line: 1)])
    #expect(details.neighbours == [.init(.init(.text("a"), line: 1), lost: 1, of: 1)])
  }

  @Test func whatDidNotChangeIsNotListed() throws {
    let rows: [[Float]] = [[1, 0], [0, 1], [3, 4], [4, 3]]
    let lines = [
      #"{"a": {"text": "a"}, "b": {"text": "b"}}"#, #"{"a": {"text": "c"}, "b": {"text": "d"}}"#,
    ]
    let details = try findings(lines, rows, rows).details
    #expect(
      details == .embeddings(.init(cosines: [1, 1, 1, 1], pairs: [], inputs: [], neighbours: [])))
  }

  @Test func changedOutputsHaveTheirInputs() throws {
    let lines = ["x", "y", "z"].map { #"{"input": {"text": "\#($0)"}}"# }
    let findings = try findings(
      lines, [[0, 1], [0.5, 0], [1, 0.5]], [[0, 1], [0.5, 0.25], [1, 0.5]])
    guard case .outputs(let details)? = findings.details else {
      Issue.record("no details")
      return
    }
    #expect(details.changes == [0, 0.25, 0])
    #expect(
      details.worst == [
        .init(.init(.text("y"), line: 2), name: "output 1", before: 0, after: 0.25)
      ])
  }

  /// Outputs that are not finite are not measured, and have no details.
  @Test func nothingIsToldOfWhatIsNotFinite() throws {
    let lines = ["x", "y"].map { #"{"input": {"text": "\#($0)"}}"# }
    #expect(try findings(lines, [[0], [1]], [[0], [.nan]]).details == nil)
  }
}
