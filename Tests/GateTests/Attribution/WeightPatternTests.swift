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
    #expect(pattern(Self.matrix.map { $0.map { $0 * -2 } }) == .scaled(-2))
    #expect(
      pattern(Self.matrix.map { $0.map { $0 * 0.5 } })?.text
        == "its values are 0.5 times the baseline's")
  }

  /// Each with and without the errors of INT8.
  private func both(_ change: ([[Float]]) -> [[Float]]) -> [WeightPattern?] {
    let rounded = Self.matrix.map { $0.map { ($0 * 127).rounded() / 127 } }
    return [pattern(change(Self.matrix)), pattern(change(rounded))]
  }

  @Test func signs() {
    let all = DamagedPart(unit: .value, count: 576, all: 576, first: 0)
    #expect(both { $0.map { $0.map { -$0 } } }.allSatisfy { $0 == .negated(all) })
    #expect(WeightPattern.negated(all).text == "all its values are negated")
    let row = both { rows in rows.indices.map { $0 == 7 ? rows[$0].map { -$0 } : rows[$0] } }
    let one = WeightPattern.negated(DamagedPart(unit: .row, count: 1, all: 24, first: 7))
    #expect(row.allSatisfy { $0 == one })
    #expect(one.text == "1 of its 24 rows is negated, the first row 7")
    let columns = both { $0.map { row in row.indices.map { $0 > 20 ? -row[$0] : row[$0] } } }
    let three = WeightPattern.negated(DamagedPart(unit: .column, count: 3, all: 24, first: 21))
    #expect(columns.allSatisfy { $0 == three })
    for lost in both({ $0.map { $0.map(\.magnitude) } }) {
      guard case .negated(let part) = lost else {
        Issue.record("lost signs are not found: \(String(describing: lost))")
        continue
      }
      #expect(part.unit == .value && (250..<330).contains(part.count))
    }
  }

  @Test func zeros() {
    let rows = both { rows in
      rows.indices.map { $0 % 8 == 3 ? rows[$0].map { _ in 0 } : rows[$0] }
    }
    let three = WeightPattern.zeroed(DamagedPart(unit: .row, count: 3, all: 24, first: 3))
    #expect(rows.allSatisfy { $0 == three })
    #expect(three.text == "3 of its 24 rows are zero, the baseline's are not, the first row 3")
    let small = both { $0.map { $0.map { $0.magnitude < 0.5 ? 0 : $0 } } }
    for one in small {
      guard case .zeroed(let part) = one else {
        Issue.record("small numbers that are gone are not found: \(String(describing: one))")
        continue
      }
      #expect(part.unit == .value)
    }
  }

  @Test func clippedValues() {
    for found in both({ $0.map { $0.map { min(max($0, -0.6), 0.6) } } }) {
      guard case .saturated(let part, let limit, let largest) = found else {
        Issue.record("clipping is not found: \(String(describing: found))")
        continue
      }
      #expect(part.unit == .value && (180..<290).contains(part.count))
      #expect((limit - 0.6).magnitude < 0.005 && largest > 0.95)
    }
  }

  /// Numbers that all lie beyond the baseline's are not clipped.
  @Test func shiftedValuesAreNotClipped() {
    for found in both({ $0.map { $0.map { $0 + 3 } } }) {
      if case .saturated = found { Issue.record("a shift is taken for clipping") }
    }
  }

  @Test func factorsOfRows() {
    let found = both { rows in rows.indices.map { $0 == 4 ? rows[$0].map { $0 * 3 } : rows[$0] } }
    for one in found {
      guard case .scaledLines(let part, let factor) = one else {
        Issue.record("a factor of one row is not found: \(String(describing: one))")
        continue
      }
      #expect(part == DamagedPart(unit: .row, count: 1, all: 24, first: 4))
      #expect((factor - 3).magnitude < 0.01)
    }
  }

  /// Fewer bits are no pattern, whatever their number.
  @Test(arguments: [1, 2, 3, 7, 127] as [Float])
  func roundingIsNoPattern(_ steps: Float) {
    let rounded = Self.matrix.map { $0.map { (($0 * steps).rounded(.down) + 0.5) / steps } }
    let damage = WeightDamage(
      in: rounded.flatMap { $0 }, from: Self.matrix.flatMap { $0 }, shape: [24, 24])
    #expect(damage == .rounding)
  }

  @Test func otherNumbersAreOthers() {
    var generator = SeededGenerator(seed: 34)
    let damage = WeightDamage(
      in: generator.matrix(24, 24).flatMap { $0 }, from: Self.matrix.flatMap { $0 },
      shape: [24, 24])
    #expect(damage == .other)
  }

  @Test func numbersOfAVectorInAnotherOrder() {
    var generator = SeededGenerator(seed: 35)
    let old = generator.matrix(1, 24)[0]
    let found = WeightPattern.found(in: old.reversed(), from: old, shape: [24])
    #expect(found == .shuffled(axis: 0, row: 0, source: 23))
    #expect(WeightPattern.found(in: generator.matrix(1, 24)[0], from: old, shape: [24]) == nil)
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
    #expect(pattern(all) == .shuffled(axis: 0, row: 0, source: 1))
    #expect(
      pattern(all)?.text == "its rows are in another order: row 0 is the baseline's row 1")
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
