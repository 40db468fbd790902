import Testing

@testable import Graph

/// Bounds of integers, beside all integers that they are for.
struct WholeRangeTests {
  private static let ranges: [(range: WholeRange, numbers: [Int])] = (-3...3).flatMap { low in
    (low...3).compactMap { high in WholeRange(low, high).map { ($0, Array(low...high)) } }
  }

  private static func result(_ kind: ElementwiseBinary.Kind, _ x: Int, _ y: Int) -> Int {
    switch kind {
    case .add: x + y
    case .sub: x - y
    case .mul: x * y
    case .maximum, .realDivision: max(x, y)
    }
  }

  private static func holds(_ kind: Comparison.Kind, _ x: Int, _ y: Int) -> Bool {
    switch kind {
    case .equal: x == y
    case .less: x < y
    case .greaterOrEqual: x >= y
    }
  }

  @Test(arguments: [ElementwiseBinary.Kind.add, .sub, .mul, .maximum])
  func holdAllResults(_ kind: ElementwiseBinary.Kind) {
    for (x, numbers) in Self.ranges {
      for (y, others) in Self.ranges {
        let results = numbers.flatMap { x in others.map { Self.result(kind, x, $0) } }
        #expect(x.combined(with: y, kind) == WholeRange(around: results))
      }
    }
  }

  @Test(arguments: Comparison.Kind.allCases)
  func decideComparisonsThatAlwaysEndAlike(_ kind: Comparison.Kind) {
    for (x, numbers) in Self.ranges {
      for (y, others) in Self.ranges {
        let results = Set(numbers.flatMap { x in others.map { Self.holds(kind, x, $0) } })
        guard let decided = x.holds(kind, y) else {
          // Two equal numbers are not looked at.
          #expect(results.count == 2 || kind == .equal && results == [true])
          continue
        }
        #expect(results == [decided])
      }
    }
  }

  @Test func holdRunningSums() {
    for (x, numbers) in Self.ranges {
      let sums = numbers.flatMap { number in (1...4).map { number * $0 } }
      #expect(x.summed(4) == WholeRange(around: sums))
    }
  }

  /// Integers of 32 bits wrap around.
  @Test func endWithIntegers() {
    #expect(WholeRange(0, 0x7FFF_FFFF) != nil)
    #expect(WholeRange(0, 0x8000_0000) == nil)
    #expect(WholeRange(-0x8000_0001, 0) == nil)
    let all = WholeRange(-0x8000_0000, 0x7FFF_FFFF)
    #expect(all?.summed(.max) == nil)
    let one = WholeRange(1, 1)
    #expect(all.flatMap { all in one.flatMap { all.combined(with: $0, .add) } } == nil)
    #expect(WholeRange(around: []) == nil)
  }
}
