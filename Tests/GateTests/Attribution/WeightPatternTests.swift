import ModelFixtures
import TestSupport
import Testing

@testable import Gate

struct WeightPatternTests {
  private static let matrix: [[Float]] = {
    var generator = SeededGenerator(seed: 31)
    return generator.matrix(24, 24)
  }()

  private func pattern(_ new: [[Float]], from old: [[Float]] = matrix) -> WeightPattern? {
    WeightPattern.found(
      in: new.flatMap { $0 }, from: old.flatMap { $0 }, shape: [old.count, old[0].count])
  }

  @Test func nothingIsFoundInEqualOrNearlyEqualWeights() {
    #expect(pattern(Self.matrix) == nil)
    #expect(pattern(Self.matrix.map { $0.map { ($0 * 127).rounded() / 127 } }) == nil)
    #expect(pattern(Self.matrix.map { $0.map { ($0 * 3).rounded() / 3 } }) == nil)
  }

  @Test func nothingIsFoundInUnrelatedWeights() {
    var generator = SeededGenerator(seed: 32)
    #expect(pattern(generator.matrix(24, 24)) == nil)
  }

  @Test func factors() {
    #expect(pattern(Self.matrix.map { $0.map { $0 * 2 } }) == .scaled(2))
    #expect(pattern(Self.matrix.map { $0.map { -$0 } }) == .scaled(-1))
    #expect(
      pattern(Self.matrix.map { $0.map { $0 * 0.5 } })?.text
        == "its values are 0.5 times the baseline's")
  }

  @Test(arguments: [2, 0.5, -3] as [Float])
  func factorsBesideCompression(_ factor: Float) {
    let rounded = Self.matrix.map { $0.map { ($0 * 127).rounded() / 127 * factor } }
    guard case .scaled(let found) = pattern(rounded) else {
      Issue.record("no factor was found")
      return
    }
    // Rounding moves each of the 576 values by 1/254 at most, and not all one way.
    #expect((found / Double(factor) - 1).magnitude < 1e-3)
  }

  @Test func shuffledRows() {
    var rows = Self.matrix
    rows.swapAt(3, 17)
    rows.swapAt(5, 9)
    #expect(pattern(rows) == .permuted(axis: 0, row: 3, source: 17))
    #expect(
      pattern(rows)?.text == "its rows are permuted: row 3 is the baseline's row 17")
    let all = Self.matrix.indices.map {
      Self.matrix[($0 + 1) % 24].map { ($0 * 127).rounded() / 127 }
    }
    #expect(pattern(all) == .permuted(axis: 0, row: 0, source: 1))
  }

  @Test func shuffledColumns() {
    let turned = Self.matrix.map { row -> [Float] in
      var row = row
      row.swapAt(0, 23)
      return row
    }
    #expect(pattern(turned) == .permuted(axis: 1, row: 0, source: 23))
    #expect(
      pattern(turned)?.text == "its columns are permuted: column 0 is the baseline's column 23")
  }

  @Test func transposed() {
    let turned = (0..<24).map { row in (0..<24).map { Self.matrix[$0][row] } }
    #expect(pattern(turned) == .transposed)
    #expect(pattern(turned)?.text == "it is transposed")
  }

  @Test func noiseWithRowsOfTheSameLengthIsNoShuffle() {
    var generator = SeededGenerator(seed: 33)
    func unit(_ rows: [[Float]]) -> [[Float]] {
      rows.map { row in
        let length = row.reduce(Float(0)) { $0 + $1 * $1 }.squareRoot()
        return row.map { $0 / length }
      }
    }
    #expect(pattern(unit(generator.matrix(24, 24)), from: unit(generator.matrix(24, 24))) == nil)
  }

  @Test func vectorsAndEmptyWeightsHaveNoRows() {
    #expect(WeightPattern.found(in: [2, 1], from: [1, 2], shape: [2]) == nil)
    #expect(WeightPattern.found(in: [], from: [], shape: [0, 4]) == nil)
    #expect(WeightPattern.found(in: [1, 1], from: [0, 0], shape: [1, 2]) == nil)
  }
}
