import Testing

@testable import Trees

/// Thresholds of few different numbers, by which branches decide as before for some rows.
struct TreeCoarseningTests {
  private struct Numbers {
    var seed: UInt64

    /// Numbers of 64 bits about zero, most of them near to it.
    mutating func next() -> Double {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let number = Double(seed >> 11) / 0x1p52 - 1
      return number * number * number * 50
    }
  }

  /// One branch each: of two features in turn, with every rule that compares.
  private static func stumps(
    _ thresholds: [Double], _ rules: [TreeEnsemble.Rule] = [[], .isStrict, .readsMissingAsZero],
    roundsFeatures: Bool = false
  ) throws(TreeError) -> TreeEnsemble {
    var builder = try TreeEnsembleBuilder(
      path: "a", featureCount: 2, base: [0],
      precision: .init(roundsFeatures: roundsFeatures, addsFloats: false), transform: .identity)
    for (place, threshold) in thresholds.enumerated() {
      try builder.add(
        TreeNodes([
          .branch(
            feature: place % 2, threshold: threshold, rule: rules[place % rules.count], left: 1,
            right: 2), .leaf([1]), .leaf([2]),
        ]))
    }
    return try builder.finish()
  }

  private static func table(_ trees: TreeEnsemble, _ feature: Int32) -> Set<Double> {
    Set(
      trees.thresholds.indices.filter { trees.features[$0] == feature }
        .map { trees.thresholds[$0] })
  }

  private static func leaves(_ trees: TreeEnsemble, _ row: [Double]) -> [Int] {
    (0..<trees.treeCount).map { trees.leaf(of: row, $0) }
  }

  private static let schemes: [CoarseThresholds] =
    [.halves, .evenlySpaced] + [1, 2, 4, 8].map { .few(bits: $0) }

  /// How far a threshold may move, as `specs/formats/tree-model.md` says it, of its feature's range.
  private static func share(_ coarse: CoarseThresholds) -> Double {
    switch coarse {
    case .halves: 1.0 / 512
    case .evenlySpaced: 1.0 / 508
    case .few(let bits): [1: 1.0 / 4, 2: 1.0 / 8, 4: 1.0 / 32, 8: 1.0 / 512][bits] ?? 0
    }
  }

  /// Few references and many, each scheme: none goes another way, and no threshold goes too far.
  @Test(arguments: schemes, [(10, true), (10, false), (500, false)])
  func noReferenceGoesAnotherWay(
    _ coarse: CoarseThresholds, _ test: (rows: Int, roundsFeatures: Bool)
  ) throws {
    var numbers = Numbers(seed: 7)
    let own = try Self.stumps(
      (0..<800).map { _ in numbers.next() }, roundsFeatures: test.roundsFeatures)
    var rows = (0..<test.rows).map { _ in [numbers.next(), numbers.next()] }
    // A row at a threshold, and beside it.
    rows += [[own.thresholds[0], own.thresholds[1].nextUp], [.nan, 0]]
    if test.roundsFeatures { rows = rows.map { $0.map { Double(Float($0)) } } }
    let made = own.coarseningThresholds(coarse, rows: rows)
    #expect(made.thresholds != own.thresholds)
    for row in rows { #expect(Self.leaves(own, row) == Self.leaves(made, row), "\(row)") }
    for feature in [0, 1] {
      let values = rows.map { $0[feature] }.filter { !$0.isNaN }
      let range = try #require(values.max()) - (try #require(values.min()))
      for branch in own.thresholds.indices where own.features[branch] == Int32(feature) {
        let move = (own.thresholds[branch] - made.thresholds[branch]).magnitude
        #expect(move <= Self.share(coarse) * range)
      }
      #expect(Self.table(made, Int32(feature)).count < Self.table(own, Int32(feature)).count)
    }
    // All else stays.
    #expect(made.left == own.left && made.rules == own.rules && made.features == own.features)
  }

  /// Where references ask for no more, there are no more numbers than asked for.
  @Test(arguments: [1, 2, 3, 4, 6, 8])
  func thereAreNoMoreNumbersThanAskedFor(_ bits: Int) throws {
    var numbers = Numbers(seed: 11)
    let own = try Self.stumps((0..<4000).map { _ in numbers.next() }, [[]])
    let made = own.coarseningThresholds(.few(bits: bits), rows: [[-50, -50], [50, 50]])
    for feature in [0, 1] as [Int32] {
      let count = Self.table(made, feature).count
      #expect(count <= 1 << bits && (bits > 6 || count > 1 << bits / 3), "\(count)")
    }
    let even = own.coarseningThresholds(.evenlySpaced, rows: [[-50, -50], [50, 50]])
    for feature in [0, 1] as [Int32] { #expect(Self.table(even, feature).count <= 255) }
  }

  /// What references tell apart stays apart, however few numbers are asked for.
  @Test func referencesAskForMore() throws {
    let own = try Self.stumps((0..<64).map { Double($0 / 2) + 0.5 }, [[]])
    let rows = (0..<40).map { [Double($0), Double($0)] }
    let made = own.coarseningThresholds(.few(bits: 1), rows: rows)
    #expect(Self.table(made, 0).count == 32)
    let some = own.coarseningThresholds(
      .few(bits: 1), rows: stride(from: 0, to: 40, by: 4).map { [Double($0), Double($0)] })
    // A number between any two references next to each other.
    #expect(Self.table(some, 0).count == 8)
  }

  /// A year of 2008 does not become 2011, unless so little is asked for that it may.
  @Test func aYearStaysAYear() throws {
    let years = (1984...2023).map { Double($0) + 0.5 }
    let own = try Self.stumps(years.flatMap { [$0, $0] }, [[]])
    let rows = [[1984, 1984], [2024.0, 2024]]
    for coarse in Self.schemes {
      let made = own.coarseningThresholds(coarse, rows: rows)
      let moves = zip(own.thresholds, made.thresholds).map { ($0 - $1).magnitude }
      #expect(try #require(moves.max()) <= 40 * Self.share(coarse), "\(coarse)")
    }
    #expect(
      own.coarseningThresholds(.few(bits: 8), rows: rows).thresholds == own.thresholds)
  }

  /// With no more numbers than there may be, all stay as they are.
  @Test func fewNumbersStay() throws {
    let own = try Self.stumps((0..<64).map { Double($0 % 8) + 0.25 })
    #expect(own.coarseningThresholds(.few(bits: 4), rows: []).thresholds == own.thresholds)
  }

  @Test func aHalfThatDecidesOtherwiseIsNotTaken() throws {
    // Halves next to 0.1 are 0.09998 and 0.10004.
    let own = try Self.stumps([0.1], [[]])
    func made(_ rows: [Double]) -> [Double] {
      own.coarseningThresholds(.halves, rows: (rows + [0, 1]).map { [$0, 0] }).thresholds
    }
    #expect(made([]) == [0.0999755859375])
    #expect(made([0.09999]) == [0.10003662109375])
    #expect(made([0.09999, 0.10001]) == [Double(Float(0.1))])
    #expect(made([0.1, 0.1.nextUp]) == [0.1])
    // Too far for a range of 0.01.
    #expect(
      own.coarseningThresholds(.halves, rows: [[0.095, 0], [0.105, 0]]).thresholds
        == [Double(Float(0.1))])
    // Beyond the largest half.
    let large = try Self.stumps([1e6 + 1], [[]])
    #expect(
      large.coarseningThresholds(.halves, rows: [[0, 0], [2e6, 0]]).thresholds == [1e6 + 1])
  }

  /// A missing value that is read as 0 is a reference at 0.
  @Test func aMissingValueThatIsZeroCounts() throws {
    let own = try Self.stumps([1e-9], [[.isStrict, .readsMissingAsZero]])
    let rows = [[-1, 0], [1.0, 0]]
    #expect(own.coarseningThresholds(.halves, rows: rows).thresholds == [0])
    let made = own.coarseningThresholds(.halves, rows: rows + [[.nan, .nan]])
    #expect(made.thresholds == [0x1p-24])
    #expect(Self.leaves(made, [.nan, .nan]) == Self.leaves(own, [.nan, .nan]))
  }

  @Test func numbersThatAreAskedForThemselvesStay() throws {
    let own = try Self.stumps(
      [0.5, 3, .infinity, 70_000.25, 0.1], [.isEqual, .isEqual, [], [], .isEqual])
    #expect(
      own.coarseningThresholds(.few(bits: 1), rows: [[0, 0], [1e6, 1e6]]).thresholds
        == own.thresholds)
  }

  /// A feature that has one value in the references, or none, has no range to say how far is far.
  @Test func aFeatureWithoutARangeStays() throws {
    let own = try Self.stumps([0.1, 0.1], [[]])
    let made = own.coarseningThresholds(.few(bits: 1), rows: [[5, .nan], [5, .nan]])
    #expect(made.thresholds == own.thresholds)
  }

  /// What the gate asks of one threshold.
  @Test func aMoveIsAllowedNearAndBetweenRows() throws {
    let own = try Self.stumps([2008, 2008], [[], .isStrict])
    let references = ReferenceDecisions(own, rows: [[1984, 1984], [2009, 2008], [2024, 2024]])
    func allows(_ threshold: Double, _ branch: Int, _ coarse: CoarseThresholds) -> Bool {
      references.allows(threshold, at: branch, moving: coarse.share)
    }
    #expect(allows(2008.07, 0, .few(bits: 8)) && !allows(2008.08, 0, .few(bits: 8)))
    #expect(allows(2008.07, 0, .halves) && !allows(2008.08, 0, .halves))
    #expect(allows(2004, 0, .few(bits: 2)) && !allows(2002.9, 0, .few(bits: 2)))
    // A row at 2009 would go another way.
    #expect(allows(2008.99, 0, .few(bits: 2)) && !allows(2009, 0, .few(bits: 2)))
    #expect(references.turned(by: 2009, at: 0) == 1 && references.turned(by: 1983, at: 0) == 1)
    #expect(references.turned(by: 2024, at: 0) == 2)
    // Strictly below 2008: the row at 2008 goes right, and at 2008.01 left.
    #expect(allows(2007, 1, .few(bits: 4)) && !allows(2008.01, 1, .few(bits: 4)))
    #expect(references.turned(by: .nan, at: 1) > 0)
  }

  /// Rows of another width are none.
  @Test func rowsOfAnotherWidthDoNotCount() throws {
    let own = try Self.stumps([0.1, 0, 1, 0], [[]])
    #expect(own.coarseningThresholds(.halves, rows: [[], [1]]).thresholds[0] == 0.0999755859375)
  }

  @Test func branchesAreNumberedLevelByLevel() throws {
    var builder = try TreeEnsembleBuilder(
      path: "a", featureCount: 1, base: [0],
      precision: .init(roundsFeatures: false, addsFloats: false), transform: .identity)
    try builder.add(TreeNodes([.leaf([1])]))
    try builder.add(
      TreeNodes([
        .branch(feature: 0, threshold: 1, rule: [], left: 1, right: 2),
        .branch(feature: 0, threshold: 2, rule: [], left: 3, right: 4),
        .branch(feature: 0, threshold: 3, rule: [], left: 5, right: 6),
        .leaf([1]), .leaf([2]), .leaf([3]), .leaf([4]),
      ]))
    let own = try builder.finish()
    for threshold in [1.0, 2, 3] {
      let branch = try #require(own.thresholds.firstIndex(of: threshold))
      let place = try #require(own.place(ofBranch: branch))
      #expect(place.tree == 1 && Double(place.node) == threshold - 1)
    }
    #expect(own.place(ofBranch: 3) == nil)
  }

  @Test func wordsAreReadBack() {
    for coarse in Self.schemes { #expect(CoarseThresholds(words: coarse.words) == coarse) }
    for word in ["", "palettize", "palettize 5", "palettize 04", "int4", "Float16"] {
      #expect(CoarseThresholds(words: word) == nil, "\(word)")
    }
    for coarse in Self.schemes { #expect(coarse.share == Self.share(coarse)) }
  }
}
