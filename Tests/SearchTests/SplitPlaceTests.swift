import Testing

@testable import Search

/// Where a table is cut in two.
struct SplitPlaceTests {
  /// The cut is where the counts change, at a place near it that leaves a multiple of 96 rows.
  @Test(arguments: [1000, 960]) func isWhereLookupsBecomeRare(_ rows: Int) throws {
    let counts = (0..<rows).map { $0 < 240 ? 400 : 2 }
    let place = try #require(SplitPlace.rows(counts))
    #expect((rows - place) % 96 == 0)
    #expect(abs(place - 240) < 96)
  }

  @Test func rowsThatNothingLooksUpAreRare() throws {
    let counts = (0..<2000).map { $0 < 500 ? 3 : $0 % 100 == 0 ? 1 : 0 }
    let place = try #require(SplitPlace.rows(counts))
    #expect(abs(place - 500) < 96)
  }

  @Test(arguments: [
    [Int](repeating: 3, count: 1000),
    (0..<1000).map { $0 % 2 }, [], [0, 0, 0], [Int](repeating: 0, count: 1000), [9, 1, 1, 1],
  ])
  func isNowhereWhereLittleIsGained(_ counts: [Int]) {
    #expect(SplitPlace.rows(counts) == nil)
  }
}
