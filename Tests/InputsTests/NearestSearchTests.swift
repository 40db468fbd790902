import TestSupport
import Testing

@testable import Inputs

/// Searches in tiles beside the plain rule: each with each in Double.
struct NearestSearchTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let rows: @Sendable () -> [[Float]]
    var testDescription: String { name }
  }

  private static func random(_ count: Int, _ width: Int, seed: UInt64) -> [[Float]] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in (0..<width).map { _ in generator.float() } }
  }

  /// Rows that differ from one direction by a part of it, far below what rounded rows can tell.
  private static func bunch(_ count: Int, _ width: Int, spread: Float) -> [[Float]] {
    var generator = SeededGenerator(seed: 5)
    return (0..<count).map { _ in (0..<width).map { 1 + Float($0 % 3) + spread * generator.float() }
    }
  }

  static let cases = [
    Case(name: "random") { random(700, 48, seed: 1) },
    Case(name: "wider than a block") { random(70, 7000, seed: 2) },
    Case(name: "one number") { random(300, 1, seed: 3) },
    Case(name: "one direction") { (1...300).map { [Float($0), Float(2 * $0)] } },
    Case(name: "copies") { random(40, 13, seed: 4).flatMap { Array(repeating: $0, count: 9) } },
    Case(name: "near ties") { bunch(600, 20, spread: 1e-4) },
    Case(name: "nearer ties") { bunch(600, 20, spread: 1e-6) },
    Case(name: "opposites") { random(150, 9, seed: 6).flatMap { [$0, $0.map { -$0 }] } },
    Case(name: "corners") { (0..<300).map { [[1, 0, 0], [0, 1, 0], [0, 0, -1]][$0 % 3] } },
    Case(name: "all sizes") {
      random(300, 12, seed: 7).enumerated().map { number, row in
        let size = Float(sign: .plus, exponent: (number * 7) % 200 - 120, significand: 1)
        return row.map { $0 * size }
      }
    },
    Case(name: "some without a direction") {
      var rows = random(80, 6, seed: 8)
      for place in [0, 17, 79] { rows[place] = Array(repeating: 0, count: 6) }
      rows[30][2] = .nan
      rows[31][2] = .infinity
      return rows
    },
    // One large number in each row leaves few of 127 steps for the others.
    Case(name: "outliers") { random(500, 40, seed: 12).map { [50] + $0 } },
    Case(name: "small outliers") { random(900, 384, seed: 13).map { [4] + $0 } },
    Case(name: "many") { random(1500, 100, seed: 14) },
    Case(name: "two") { random(2, 5, seed: 9) },
    Case(name: "one") { random(1, 5, seed: 10) },
  ]

  private static func vectors(_ rows: [[Float]]) -> Vectors {
    Vectors(
      OutputMatrix(rowCount: rows.count, width: rows[0].count, values: rows.flatMap { $0 }))
  }

  /// Largest cosine first, of equal ones the first; rows without a direction have no cosine.
  private static func plain(
    _ vectors: Vectors, _ row: Int, _ others: [Int], _ maximum: Int
  ) -> [Int] {
    let known = others.enumerated().filter { $0.element != row }.map {
      (place: $0.offset, row: $0.element, cosine: vectors.cosine(row, $0.element))
    }
    let sorted = known.filter { $0.cosine.isFinite }.sorted {
      ($1.cosine, $0.place) < ($0.cosine, $1.place)
    }
    return sorted.prefix(maximum).map(\.row)
  }

  @Test(arguments: cases, [1, 3, 10])
  func findsWhatComparingEachWithEachFinds(_ test: Case, _ maximum: Int) {
    let rows = test.rows()
    let vectors = Self.vectors(rows), all = Array(rows.indices)
    let found = vectors.nearest(to: all, among: all, maximum: maximum, jobs: 3)
    #expect(found == all.map { Self.plain(vectors, $0, all, maximum) })
    #expect(found == vectors.nearest(to: all, among: all, maximum: maximum, jobs: 1))
  }

  /// The nearest themselves, what is farther, and too few; of all rows, and of some among others.
  @Test(arguments: cases)
  func guessesChangeNothing(_ test: Case) {
    let rows = test.rows()
    let vectors = Self.vectors(rows), all = Array(rows.indices)
    for (askers, others) in [(all, all), (all.filter { $0 % 3 != 0 }, all.filter { $0 % 2 == 0 })] {
      let plain = askers.map { Self.plain(vectors, $0, others, 4) }
      let farther = askers.map { row in
        Array(others.filter { $0 != row && $0 % 7 == row % 7 }.prefix(6))
      }
      for guesses in [plain, farther, plain.map { Array($0.prefix(3)) }] {
        #expect(
          vectors.nearest(to: askers, among: others, maximum: 4, guesses: guesses, jobs: 2)
            == plain)
      }
    }
  }

  @Test(arguments: cases)
  func looksAmongOthers(_ test: Case) {
    let rows = test.rows()
    let vectors = Self.vectors(rows)
    // Some of the others look themselves, and their order is another.
    let askers = rows.indices.filter { $0 % 3 != 0 }
    let others = rows.indices.filter { $0 % 2 == 0 }.reversed().map { $0 }
    #expect(
      vectors.nearest(to: askers, among: others, maximum: 4, jobs: 2)
        == askers.map { Self.plain(vectors, $0, others, 4) })
  }

  @Test func noneAreLookedFor() {
    let vectors = Self.vectors(Self.random(5, 3, seed: 11))
    #expect(vectors.nearest(to: [0, 1], among: [2, 3], maximum: 0, jobs: 1) == [[], []])
    #expect(vectors.nearest(to: [], among: [2, 3], maximum: 1, jobs: 1).isEmpty)
    #expect(vectors.nearest(to: [0], among: [], maximum: 1, jobs: 1) == [[]])
  }
}
