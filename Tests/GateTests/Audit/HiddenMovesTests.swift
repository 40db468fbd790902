import Graph
import ModelFixtures
import Testing
import Weights

@testable import Gate

/// Reached rows that moved where no output shows it explain nothing about other rows.
struct HiddenMovesTests {
  private static let table: TensorName = "embeddings.word_embeddings.weight"
  private static let words = "worse than its compression explains"
  /// Of the rows of `TinyBert` no reference reaches these.
  private static let untouched: Set = [0, 1, 16, 18]

  private func judge(_ candidate: Model, _ baseline: Model) throws -> Verdict {
    try Gate(on: TinyBert.references(), Limits(profile: .strict), threshold: nil, jobs: 1).judge(
      .model(candidate), against: .model(baseline))
  }

  // MARK: - Forged

  /// A model that is blind to half of the numbers of each row, but for their mean and variance.
  private static func blind(_ weights: inout MemoryWeights) {
    for name in weights.names where name.text.hasPrefix("embeddings.") && name != table {
      guard let (shape, old) = weights.tensors[name] else { continue }
      let keeps = name.text.hasSuffix("bias")
      let values = old.indices.map { $0 % 8 < 4 || keeps ? old[$0] : 0 }
      weights.tensors[name] = (shape, values)
    }
  }

  /// Reached rows have their unseen numbers in another order; the others keep a fifth of themselves.
  private static func forged(_ values: [Float]) -> [Float] {
    (0..<20).flatMap { row -> [Float] in
      let numbers = Array(values[row * 8..<(row + 1) * 8])
      if untouched.contains(row) { return numbers.map { $0 * 0.2 } }
      return Array(numbers[..<4] + numbers[4...].reversed())
    }
  }

  /// The typical row moved by most of its length, every reference gives the same vector.
  @Test func rowsThatMovedWhereNoReferenceSeesItExplainNothing() throws {
    let candidate = try TinyBert.model(origin: "candidate") { weights in
      Self.blind(&weights)
      guard let (shape, old) = weights.tensors[Self.table] else { return }
      weights.tensors[Self.table] = (shape, Self.forged(old))
    }
    let verdict = try judge(candidate, try TinyBert.model(changing: Self.blind))
    guard case .embeddings(let metrics) = verdict.metrics?.drift else {
      Issue.record("no embeddings")
      return
    }
    #expect(metrics.cosine.min > 0.99999)
    #expect(!verdict.isPassed && verdict.receipts.isEmpty)
    let found = verdict.reasons.filter { $0.contains("'\(Self.table)' are \(Self.words)") }
    #expect(found.count == 1, "\(verdict.reasons)")
    #expect(found.first?.contains("; rows that references reach moved by ") == true, "\(found)")
    #expect(verdict.outlooks.allSatisfy { !$0.isPassed })
  }

  // MARK: - Honest

  /// What a palette loses points nowhere, so outputs show it, whatever limits they miss.
  @Test(arguments: [2, 4, 8])
  func whatFewBitsLoseIsShown(_ levels: Int) throws {
    let candidate = try TinyBert.model(origin: "candidate") { weights in
      guard let (shape, old) = weights.tensors[Self.table] else { return }
      weights.tensors[Self.table] = (shape, TinySchemes.palette(old, levels))
    }
    let verdict = try judge(candidate, try TinyBert.model())
    #expect(!verdict.reasons.contains { $0.contains(Self.words) }, "\(verdict.reasons)")
  }

  // MARK: - The rule

  @Test func anErrorCountsAsMuchAsOutputsShow() {
    func part(_ candidate: Double, of typical: Double = 0.6) -> Double {
      ShownError(noise: 0.25, candidate: candidate).part(of: typical)
    }
    #expect(part(0.25) == 0.6 && part(0.0625) == 0.6 && part(2) == 0.6)
    #expect(part(0.015625) == 0.3)
    #expect(part(0) == 0)
    // Noise moves a row by its length, not by more.
    #expect(part(0.015625, of: 3) == 0.5 && part(0.25, of: 1.5) == 1.5)
    // What cannot be compared explains itself.
    #expect(part(.infinity) == 0.6)
    #expect(ShownError(noise: 0, candidate: 0).part(of: 0.6) == 0.6)
    #expect(ShownError(noise: .infinity, candidate: 0).part(of: 0.6) == 0.6)
  }

  @Test func smallErrorsAreQuestionedOnlyWhereHardlyAnythingDrifts() {
    #expect(!ShownError.isQuestioned(typical: 0.03, drift: 0))
    #expect(ShownError.isQuestioned(typical: 0.13, drift: 0.5))
    #expect(ShownError.isQuestioned(typical: 0.13, drift: nil))
    #expect(!ShownError.isQuestioned(typical: 0.1, drift: nil))
    #expect(!ShownError.isQuestioned(typical: 0.1, drift: 0.001))
    #expect(ShownError.isQuestioned(typical: 0.1, drift: 0.0001))
  }

  @Test func fewInputsRunAgainSpreadOverAll() {
    #expect(HiddenMoves.sample(of: [3, 5, 7]) == [3, 5, 7])
    let some = HiddenMoves.sample(of: Array(0..<200))
    #expect(some == [0, 25, 50, 75, 100, 125, 150, 175])
    #expect(HiddenMoves.sample(of: Array(0..<1000)).count == 40)
    #expect(HiddenMoves.sample(of: Array(0..<100_000)).count == 64)
  }

  @Test func noiseIsAsLongAsTheTypicalMoveAndLeavesOtherRows() throws {
    let far = try #require(
      FarTable(RowAuditTests.table, .table, typical: 0.5, reached: RowAuditTests.reached))
    let old = RowAuditTests.values, new = far.scrambled(old)
    #expect(far.scrambled(old) == new)
    let rows = RowErrors(old: old, new: new, RunLayout(rowsOf: RowAuditTests.table))
    for row in 0..<RowAuditTests.rows {
      let expected = RowAuditTests.reached[row] ? 0.5 * rows.lengths[row] : 0
      #expect((rows.errors[row] - expected).magnitude < 1e-4 * rows.lengths[row])
    }
    let width = RowAuditTests.width
    let up = (0..<width).count { new[8 * width + $0] > old[8 * width + $0] }
    #expect(up > 4 && up < width - 4)
  }

  @Test func onlyTablesWithEnoughReachedNumbersAreFar() {
    func isFar(_ rule: RowRule, typical: Double?, reached: [Bool]?) -> Bool {
      FarTable(RowAuditTests.table, rule, typical: typical, reached: reached) != nil
    }
    let one = (0..<RowAuditTests.rows).map { $0 == 4 }
    #expect(isFar(.table, typical: 0.5, reached: RowAuditTests.reached))
    #expect(!isFar(.table, typical: 0.01, reached: RowAuditTests.reached))
    #expect(!isFar(.table, typical: 0.5, reached: one))
    #expect(
      !isFar(.table, typical: 0.5, reached: nil) && !isFar(.table, typical: nil, reached: one))
    #expect(!isFar(.matrix(isCalibrated: false), typical: 0.5, reached: RowAuditTests.reached))
  }
}
