import Graph
import ModelFixtures
import StrictJSON
import Testing
import Weights

@testable import Gate
@testable import Inputs

/// Rows that the references never reach: they are reported, and they are judged.
struct UntouchedTests {
  private static let table: TensorName = "embeddings.word_embeddings.weight"
  private static let positions: TensorName = "embeddings.position_embeddings.weight"
  /// Of the words of `TinyBert` no reference holds these, besides `[PAD]` and `[UNK]`.
  static let untouched = ["there", "then"].compactMap { TinyBert.words.firstIndex(of: $0) }

  func judge(
    _ candidate: Model, _ baseline: Model? = nil, allowsOtherPreparation: Bool = false
  ) throws -> Verdict {
    try Gate(
      on: TinyBert.references(), Limits(profile: .strict), threshold: nil,
      allowsOtherPreparation: allowsOtherPreparation, jobs: 1
    ).judge(.model(candidate), against: .model(try baseline ?? TinyBert.model()))
  }

  private func changing(
    _ name: TensorName, rows: [Int], _ change: @escaping (Float) -> Float
  ) throws -> Model {
    try TinyBert.model(origin: "candidate") { weights in
      guard let (shape, old) = weights.tensors[name] else { return }
      var values = old
      for row in rows {
        for place in row * 8..<(row + 1) * 8 { values[place] = change(values[place]) }
      }
      weights.tensors[name] = (shape, values)
    }
  }

  // MARK: - Rows

  struct Attack: Sendable, CustomTestStringConvertible {
    let name: String
    let change: @Sendable (Float) -> Float
    var testDescription: String { name }
  }

  static let attacks = [
    Attack(name: "zero") { _ in 0 }, Attack(name: "negated") { -$0 },
    Attack(name: "other numbers") {
      Float(bitPattern: $0.bitPattern &* 2_654_435_761 & 0x3F7F_FFFF)
    },
  ]

  /// Every reference gives the very same vector.
  @Test(arguments: attacks)
  func rowsOfTokensThatNoReferenceHoldsAreJudged(_ attack: Attack) throws {
    let verdict = try judge(
      try changing(Self.table, rows: Self.untouched, attack.change))
    #expect(!verdict.isPassed && verdict.receipts.isEmpty)
    guard case .embeddings(let metrics) = verdict.metrics?.drift else {
      Issue.record("no embeddings")
      return
    }
    #expect(metrics.cosine.min == 1)
    #expect(
      verdict.reasons.first?.hasPrefix(
        "2 of 20 rows of the candidate's weight '\(Self.table)' are worse than its compression "
          + "explains, the first row \(Self.untouched[0]): relative error ") == true,
      "\(verdict.reasons)")
    // No profile is loose enough.
    #expect(verdict.outlooks.allSatisfy { !$0.isPassed })
  }

  @Test(arguments: attacks)
  func positionsBehindTheLongestReferenceAreJudged(_ attack: Attack) throws {
    let verdict = try judge(try changing(Self.positions, rows: [7, 8], attack.change))
    #expect(!verdict.isPassed)
    #expect(
      verdict.reasons.first?.hasPrefix(
        "2 of 12 rows of the candidate's weight '\(Self.positions)' are worse than its "
          + "compression explains, the first row 7: ") == true, "\(verdict.reasons)")
  }

  @Test func aFloatThatIsRoundedPasses() throws {
    let candidate = try TinyBert.model(origin: "candidate") { weights in
      for name in weights.names { weights.change(name) { Float(Float16($0)) } }
    }
    let verdict = try judge(candidate)
    #expect(verdict.isPassed, "\(verdict.reasons)")
  }

  // MARK: - Coverage

  @Test func theReceiptSaysWhatTheReferencesReach() throws {
    let verdict = try judge(try TinyBert.model(origin: "candidate"))
    let receipt = try #require(verdict.receipt)
    let coverage = try #require(receipt.coverage)
    #expect((coverage.tokenRows.reached, coverage.tokenRows.all) == (16, 20))
    #expect((coverage.positions.reached, coverage.positions.all) == (5, 10))
    #expect(coverage.comparedRows > 12 + 20 && coverage.generatedInputs == 1)
    #expect(
      verdict.summaryLines.last
        == "references reach 16 of 20 token rows and 5 of 10 positions; "
        + "\(coverage.comparedRows) rows of weights compared with the baseline's, "
        + "1 generated text run besides")
    let json =
      #""coverage":{"comparedRows":\#(coverage.comparedRows),"generatedInputs":1,"#
      + #""positions":{"all":10,"reached":5},"tokenRows":{"all":20,"reached":16}}"#
    #expect(receipt.json.compact.contains(json), "\(receipt.json.compact)")
    #expect(verdict.json.compact.contains(json))
    let recorded = try RecordedReceipt(Array(receipt.json.compact.utf8), origin: "r.json")
    #expect(recorded.coverage == coverage && recorded.records(receipt))
  }

  @Test(arguments: [
    (#""reached":16"#, #""reached":21"#), (#""generatedInputs":1"#, #""generatedInputs":-1"#),
    (#""all":10"#, #""all":4"#), (#","generatedInputs":1"#, ""),
  ])
  func onlyWhatCanBeIsRead(_ test: (old: String, new: String)) throws {
    let text = try #require(try judge(try TinyBert.model(origin: "candidate")).receipt).json.compact
    let forged = text.replacing(test.old, with: test.new)
    #expect(forged != text)
    #expect(throws: JSONError.self) {
      try RecordedReceipt(Array(forged.utf8), origin: "r.json")
    }
  }

  /// Receipts of before have no such key.
  @Test func aReceiptWithoutItIsRead() throws {
    let receipt = try #require(try judge(try TinyBert.model(origin: "candidate")).receipt)
    guard case .object(var members) = receipt.json else { return }
    members["coverage"] = nil
    let old = try RecordedReceipt(
      Array(JSONValue.object(members).compact.utf8), origin: "r.json")
    #expect(old.coverage == nil)
  }

  // MARK: - Generated texts

  private func generated(
    reached: [[Int32]], rows: Int, length: Int, barred: Set<Int32> = [2, 3], isSample: Bool = true,
    seed: UInt64 = 0
  ) -> [[Int32]] {
    GeneratedTexts(
      ReachedRows(texts: reached, rows: rows, positions: length), before: [2], behind: [3],
      length: length, barred: barred, isSample: isSample, seed: seed
    ).texts
  }

  @Test func theyHoldWhatNoReferenceHoldsAsLongAsTextsMayBe() {
    #expect(generated(reached: [[2, 5, 3]], rows: 8, length: 7) == [[2, 0, 1, 4, 6, 7, 3]])
    // What is left over is filled up.
    #expect(generated(reached: [[2, 5, 6, 7, 3]], rows: 8, length: 7) == [[2, 0, 1, 4, 0, 1, 3]])
    // Where all tokens are reached, positions are left.
    #expect(
      generated(reached: [[2, 0, 1, 4, 3]], rows: 5, length: 7) == [[2, 0, 1, 4, 0, 1, 3]])
    #expect(generated(reached: [[2, 0, 1, 4, 3]], rows: 5, length: 5) == [])
    #expect(generated(reached: [[2, 3]], rows: 9, length: 2) == [])
    #expect(generated(reached: [[2, 3]], rows: 4, length: 7, barred: [0, 1, 2, 3]) == [])
  }

  @Test func aSampleIsSpreadAndBounded() {
    let few = generated(reached: [[2, 4, 3]], rows: 1004, length: 10)
    #expect(few.count == 1 && few[0].count == 10)
    #expect(few[0].dropFirst().dropLast().allSatisfy { !Set([2, 3, 4]).contains($0) })
    #expect((few[0][8]) > 800)
    let many = generated(
      reached: Array(repeating: [2, 4, 3], count: 100_000), rows: 1004, length: 10)
    #expect(many.count == 8 && Set(many.joined()).count == 8 * 8 + 2)
    let all = generated(reached: [[2, 4, 3]], rows: 1004, length: 10, isSample: false)
    #expect(Set(all.joined()) == Set((0..<1004).map { Int32($0) }).subtracting([4]))
  }

  /// Whoever knew the texts could train a candidate for them.
  @Test func eachCandidateHasASampleOfItsOwn() {
    let texts = (0..<3).map { seed in
      generated(reached: [[2, 4, 3]], rows: 1004, length: 10, seed: UInt64(seed / 2))
    }
    #expect(texts[0] == texts[1] && texts[1] != texts[2])
    #expect((texts[2][0][8]) > 800)
  }

  /// A long text beside few short references would cost more than they do.
  @Test func aTextIsAsLongAsReferencesPayFor() {
    func length(_ references: Int) -> [Int] {
      generated(
        reached: Array(repeating: [2, 4, 3], count: references), rows: 1004, length: 256
      ).map(\.count)
    }
    #expect(length(10) == [32])
    #expect(length(1000) == [60])
    #expect(length(20_000) == [256, 256, 256, 256])
  }

  private func drift(
    _ before: [[Float]], _ after: [[Float]], worst: Double, _ profile: Limits.Profile = .strict,
    areRowsCompared: Bool = true
  ) throws -> GeneratedDrift {
    func matrix(_ rows: [[Float]]) -> OutputMatrix {
      OutputMatrix(rowCount: rows.count, width: 2, values: rows.flatMap { $0 })
    }
    return GeneratedDrift(
      before: matrix(before), after: matrix(after), worst: worst,
      areRowsCompared: areRowsCompared, limits: try Limits(profile: profile), encoder: nil
    )
  }

  @Test func generatedTextsRefuseWhatNoCompressionDoes() throws {
    let turned = try drift([[1, 0]], [[0.3, 0.954]], worst: 0.9995)
    #expect(
      turned.reason?.sentence
        == "the candidate drifts to cosine 0.3 on a generated text of tokens that no reference "
        + "holds, where the worst reference keeps 0.9995: its rows are not those of the baseline")
    let noNumber = try drift([[1, 0]], [[.nan, 0]], worst: 1)
    #expect(noNumber.reason?.sentence.contains("not finite") == true)
    // They drift more than references do, and that alone is a warning.
    let drifted = try drift([[1, 0]], [[0.9, 0.436]], worst: 0.9995)
    #expect(drifted.reason == nil && drifted.warning?.sentence.contains("(0.995)") == true)
    let coarse = try drift([[1, 0]], [[0.3, 0.954]], worst: 0.8, .lenient)
    #expect(coarse.reason == nil && coarse.warning != nil)
    let fine = try drift([[1, 0]], [[1, 0.01]], worst: 1)
    #expect(fine.reason == nil && fine.warning == nil)
    // Where rows could not be compared, nothing else speaks for them.
    let alone = try drift([[1, 0]], [[0.7, 0.714]], worst: 0.97, .lenient, areRowsCompared: false)
    #expect(alone.reason?.sentence.contains("cosine 0.7 ") == true)
    // Nothing can be held to a baseline that gives nothing there.
    let nothing = try drift([[0, 0]], [[.nan, 0]], worst: 1)
    #expect(nothing.reason == nil && nothing.minimum == nil)
  }
}
