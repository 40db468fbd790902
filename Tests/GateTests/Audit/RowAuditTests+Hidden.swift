import Graph
import ModelFixtures
import TestSupport
import Testing
import Weights

@testable import Gate

// What outputs do not show, and rows that share what they are stored with.
extension RowAuditTests {
  /// Changes that a normalisation behind a table takes out again.
  static let hidden: [Attack] = [
    Attack(name: "a number for all of a row") { row, _ in row.map { $0 + 40 } },
    Attack(name: "a vector for all rows") { row, _ in
      row.enumerated().map { $1 + ($0 % 2 == 0 ? 30 : -10) }
    },
    Attack(name: "a factor") { row, _ in row.map { $0 * 9 } },
    Attack(name: "a small factor") { row, _ in row.map { $0 * 0.3 } },
  ]

  /// Reached rows move far and no output tells, so that rows which were forged seem usual.
  @Test(arguments: hidden, attacks)
  func movesThatNoOutputShowsExplainNothing(_ move: Attack, _ attack: Attack) {
    var generator = SeededGenerator(seed: 44)
    var new = TinySchemes.integers(Self.values, 127, Self.width)
    for row in 0..<Self.rows {
      let range = row * Self.width..<(row + 1) * Self.width
      let forge = Self.reached[row] ? move : attack
      new.replaceSubrange(range, with: forge.apply(Array(new[range]), &generator))
    }
    let forged = Self.audit(new).faults.filter { !Self.reached[$0.row] }
    #expect(forged.count > 250, "\(forged.count)")
  }

  /// Two rows share a scale that the larger one needs: the other loses much of itself.
  @Test func aRowBesideALargeOneIsUnusualAndNoFault() {
    var old = Self.values
    for column in 0..<Self.width { old[51 * Self.width + column] *= 12 }
    let new = TinySchemes.integers(old, 31, 2 * Self.width)
    let audit = Self.audit(new, old: old)
    #expect(audit.faults == [])
    // Row 17 has one large number itself.
    #expect(audit.unusual.map(\.row) == [16, 50])
    #expect(
      audit.tolerated("table")?.warning.hasPrefix(
        "2 of 400 rows of the candidate's weight 'table' are worse than most, the first row 16: ")
        == true)
  }

  /// With a scale for each row no rounding takes half of one away, be it one row or many.
  @Test(arguments: [1, 5, 17])
  func aRowWithAScaleOfItsOwnLosesHalfAStep(_ count: Int) {
    var new = TinySchemes.integers(Self.values, 127, Self.width)
    let rows = (0..<Self.rows).filter { !Self.reached[$0] && $0 % 25 != 3 }.suffix(count)
    for row in rows {
      for column in 0..<Self.width { new[row * Self.width + column] *= 0.5 }
    }
    let audit = Self.audit(new)
    #expect(audit.faults.map(\.row) == Array(rows) && audit.unusual == [])
  }

  /// Nor where a far longer row has lost more, but not beside it.
  @Test func whatAFarRowLostExcusesNoOther() {
    var old = Self.values
    for column in 0..<Self.width { old[51 * Self.width + column] *= 200 }
    var new = TinySchemes.integers(old, 127, Self.width)
    for column in 0..<Self.width { new[301 * Self.width + column] *= 0.5 }
    #expect(Self.audit(new, old: old).faults.map(\.row) == [301])
  }

  /// A row that lost most of itself is refused, whatever it shares.
  @Test func aRowThatIsLostIsAFault() {
    var old = Self.values
    for column in 0..<Self.width { old[51 * Self.width + column] *= 500 }
    let new = TinySchemes.integers(old, 31, 2 * Self.width)
    #expect(Self.audit(new, old: old).faults.map(\.row) == [50])
  }

  /// A scheme knows of no references: where rows that none reaches move far and others do not,
  /// somebody moved them.
  @Test func manyRowsThatMovedFarAreFaultsWhereReachedOnesDidNot() {
    var generator = SeededGenerator(seed: 45)
    var new = TinySchemes.integers(Self.values, 127, Self.width)
    for row in 0..<Self.rows where !Self.reached[row] {
      for column in 0..<Self.width {
        new[row * Self.width + column] +=
          0.5 * Self.values[row * Self.width + column] * Float.random(in: -1...1, using: &generator)
      }
    }
    let audit = Self.audit(new)
    #expect(audit.faults.count > 300 && audit.unusual == [])
  }

}
