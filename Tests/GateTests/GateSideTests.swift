import ModelFixtures
import TestSupport
import Testing
import Weights

@testable import Gate
@testable import Inputs

struct GateSideTests {
  private let set: ReferenceSet

  init() throws {
    set = try references([pairLine([1, 0, 0], [0, 1, 0]), pairLine([0, 1, 0], [0, 0, 1])])
  }

  private func matrix(_ rows: [[Float]]) -> OutputMatrix {
    OutputMatrix(rowCount: rows.count, width: rows[0].count, values: rows.flatMap { $0 })
  }

  // What the model of GateTests gives for the rows of the set, in the order of the file.
  private func rows() throws -> [[Float]] {
    let outputs = try ModelRunner(model: try denseModel(GateTests.weight), jobs: 1)
      .outputs(for: set.inputs)
    return set.inputOfRow.map { Array(outputs[$0]) }
  }

  private func judge(
    _ baseline: GateSide, _ candidate: GateSide, _ set: ReferenceSet? = nil
  ) throws -> Verdict {
    try Gate(on: set ?? self.set, Limits(), threshold: nil, jobs: 1).judge(
      candidate, against: baseline)
  }

  @Test func givenOutputsPassWithoutAReceipt() throws {
    let given = GateSide.outputs(matrix(try rows()), path: "out.npy")
    let model = GateSide.model(try denseModel(GateTests.weight))
    for (baseline, candidate) in [(given, given), (model, given), (given, model)] {
      let verdict = try judge(baseline, candidate)
      #expect(verdict.isPassed)
      #expect(verdict.receipt == nil)
      #expect(verdict.metrics?.inputs == 3)
      #expect(verdict.warnings.contains { $0.hasPrefix("vectors were given") })
      guard case .passedWithoutReceipt = verdict.outcome else {
        Issue.record("another verdict")
        continue
      }
    }
    let models = try judge(model, model)
    #expect(models.receipt != nil)
    #expect(!models.warnings.contains { $0.hasPrefix("vectors were given") })
  }

  @Test func givenOutputsThatDriftAreRefused() throws {
    var rows = try rows()
    rows[3] = rows[3].map { -$0 }
    let verdict = try judge(
      .model(try denseModel(GateTests.weight)), .outputs(matrix(rows), path: "out.npy"))
    #expect(!verdict.isPassed)
    #expect(verdict.reasons[1] == "cosine min -1 is below 0.97 (standard)")
    #expect(!verdict.reasons.contains { $0.contains("swapping") })
  }

  @Test func nanAtEveryPlaceOfEitherSideIsRefused() throws {
    let good = try rows()
    for row in good.indices {
      for column in good[row].indices {
        var rows = good
        rows[row][column] = .nan  // Rows 1 and 2 are of the same input; one bad row is enough.
        let bad = GateSide.outputs(matrix(rows), path: "bad.npy")
        let fine = GateSide.outputs(matrix(good), path: "good.npy")
        for (baseline, candidate) in [(bad, fine), (fine, bad), (bad, bad)] {
          let verdict = try judge(baseline, candidate)
          #expect(!verdict.isPassed)
          #expect(verdict.metrics == nil)
          #expect(verdict.reasons[0].contains("1 of 12 outputs of the "))
        }
      }
    }
  }

  @Test func rowsThatDoNotFitTheSetAreErrors() throws {
    let model = GateSide.model(try denseModel(GateTests.weight))
    let good = try rows()
    func fault(_ rows: [[Float]]) -> String {
      refusal { _ = try judge(model, .outputs(matrix(rows), path: "out.npy")) }
    }
    #expect(
      fault(Array(good.dropLast()))
        == "out.npy: has 3 rows, the reference set needs 4 (two per pair)")
    #expect(
      fault([good[0], good[1], good[3], good[2]])
        == "out.npy: rows 1 and 2 belong to the same input ([0.0, 1.0, 0.0]) and differ; the rows "
        + "are not in the order of the reference set")
    #expect(
      fault(good.map { Array($0.dropLast()) })
        == "the candidate's output is 3 numbers, the baseline's is 4 numbers")
    #expect(fault(good.map { _ in [] }) == "out.npy: its rows are empty")
  }

  @Test func samplesTakeOneRowPerLine() throws {
    let samples = try references([
      #"{"input": {"values": [1]}}"#, #"{"input": {"values": [2]}}"#,
      #"{"input": {"values": [1]}}"#,
    ])
    let old = GateSide.outputs(matrix([[0.5], [1], [0.5]]), path: "a.npy")
    let same = try judge(old, old, samples)
    #expect(same.isPassed)
    #expect(same.warnings.last == "nothing says what the outputs mean; labels were not judged")
    let moved = try judge(old, .outputs(matrix([[0.75], [1], [0.75]]), path: "b.npy"), samples)
    #expect(
      moved.reasons == [
        "output drift mean 0.25 is above 0.01 (standard)",
        "output drift max 0.5 is above 0.05 (standard)", "[1.0]: output 0 0.5 → 0.75 (line 1)",
      ])
    #expect(
      refusal { _ = try judge(old, .outputs(matrix([[1]]), path: "b.npy"), samples) }
        == "b.npy: has 1 row, the reference set needs 3 (one per sample)")
  }

  @Test func aModelBesideGivenOutputsHasItsWeightsChecked() throws {
    var weight = GateTests.weight
    weight[0][0] = .nan
    let verdict = try judge(
      .outputs(matrix(try rows()), path: "out.npy"), .model(try denseModel(weight)))
    #expect(
      verdict.reasons == [
        "the candidate's weight 'w' has 1 value that is not finite, the first (nan) at [0, 0]"
      ])
  }
}
