import TestSupport
import Testing
import Trees

/// Trees of two layouts are the same where every possible row reaches leaves of the same numbers.
struct FunctionPairingTests {
  private typealias Node = TreeNodes.Node

  private static func ensemble(
    _ trees: [[TreeNodes.Node]], rounds: Bool = false, sets: [TreeEnsemble.CategorySet] = [],
    width: Int = 1, divisor: Double = 1, transform: TreeEnsemble.Transform = .identity,
    outputs: Int = 1
  ) throws -> TreeEnsemble {
    var builder = try TreeEnsembleBuilder(
      path: "t", featureCount: 2, base: [Double](repeating: 0, count: outputs), leafWidth: width,
      divisor: divisor, precision: .init(roundsFeatures: rounds, addsFloats: false),
      transform: transform)
    for set in sets { _ = builder.add(set) }
    for nodes in trees { try builder.add(TreeNodes(nodes)) }
    return try builder.finish()
  }

  private static func branch(
    _ feature: Int, _ threshold: Double, _ rule: TreeEnsemble.Rule = [], _ left: Int = 1,
    _ right: Int = 2
  ) -> TreeNodes.Node {
    .branch(feature: feature, threshold: threshold, rule: rule, left: left, right: right)
  }

  private static func difference(
    _ own: TreeEnsemble, _ other: TreeEnsemble, missing: Bool = true
  ) -> TreeDifference? {
    do throws(TreeDifference) {
      _ = try FunctionPairing(
        own, other, takesMissing: [missing, missing], isWhole: [false, false])
      return nil
    } catch {
      return error
    }
  }

  private static func stump(
    _ threshold: Double, _ rule: TreeEnsemble.Rule = [], rounds: Bool = false
  ) throws -> TreeEnsemble {
    try ensemble([[branch(0, threshold, rule), .leaf([1]), .leaf([2])]], rounds: rounds)
  }

  /// Both numbers are named.
  @Test func ensemblesOfOtherSizesAreOthers() throws {
    func ensemble(features: Int, outputs: Int, output: Int = 0, width: Int = 1) throws
      -> TreeEnsemble
    {
      var builder = try TreeEnsembleBuilder(
        path: "t", featureCount: features, base: [Double](repeating: 0, count: outputs),
        leafWidth: width, precision: .init(roundsFeatures: false, addsFloats: false),
        transform: .identity)
      try builder.add(
        TreeNodes([.leaf([Double](repeating: 1, count: width))]), output: output)
      return try builder.finish()
    }
    let own = try ensemble(features: 2, outputs: 3, output: 1)
    #expect(
      Self.difference(own, try ensemble(features: 5, outputs: 3)) == .features(2, other: 5))
    #expect(
      Self.difference(own, try ensemble(features: 2, outputs: 1)) == .outputCount(3, other: 1))
    #expect(
      Self.difference(own, try ensemble(features: 2, outputs: 3, output: 2))
        == .outputs(tree: 0, 1..<2, other: 2))
    let wide = try ensemble(features: 2, outputs: 3, width: 2)
    #expect(
      Self.difference(wide, try ensemble(features: 2, outputs: 3, output: 2))
        == .outputs(tree: 0, 0..<2, other: 2))
  }

  @Test func comparisonsOfOneMeaningAreOne() throws {
    let own = try Self.stump(0.5)
    #expect(Self.difference(own, try Self.stump((0.5).nextUp, .isStrict)) == nil)
    #expect(
      Self.difference(own, try Self.stump(0.5, .isStrict))
        == .decision(tree: 0, feature: 0, .threshold(0.5)))
    #expect(
      Self.difference(own, try Self.stump(0.6)) == .decision(tree: 0, feature: 0, .threshold(0.6)))
    let missing = try Self.stump(0.5, .missingGoesLeft)
    #expect(Self.difference(own, missing) == .decision(tree: 0, feature: 0, .missing))
    #expect(Self.difference(own, missing, missing: false) == nil)
    // Turned round, the leaves change places: what is missing goes right as before.
    let turned = try Self.ensemble([
      [Self.branch(0, 0.5, .missingGoesLeft), Self.branch(0, 0.5, [], 3, 4), .leaf([2])]
        + [.leaf([1]), .leaf([2])]
    ])
    #expect(Self.difference(own, turned) == nil)
  }

  /// A threshold of 64 bits may be rounded to 32, and to no other number; one of 32 bits is not rounded.
  @Test func thresholdsAreThoseOfTheirNumbers() throws {
    let own = try Self.stump(0.1)
    #expect(Self.difference(own, try Self.stump(Double(Float(0.1)))) == nil)
    #expect(Self.difference(own, try Self.stump((0.1).nextUp)) != nil)
    #expect(Self.difference(own, try Self.stump(0.1001)) != nil)
    // 0.1 lies between two numbers of 32 bits; others were not rounded to.
    #expect(Self.difference(own, try Self.stump(Double(Float(0.1).nextDown))) == nil)
    #expect(Self.difference(own, try Self.stump(Double(Float(0.1).nextUp))) != nil)
    #expect(Self.difference(own, try Self.stump(Double(Float(0.1).nextDown.nextDown))) != nil)
    // What 32 bits hold needs no rounding: a whole number that equals it would go another way.
    let above = Float(3).nextUp
    for (rule, near) in [(.init(), above), (.init(), Float(3).nextDown), (.isStrict, above)]
      as [(TreeEnsemble.Rule, Float)]
    {
      #expect(Self.difference(try Self.stump(3, rule), try Self.stump(Double(near), rule)) != nil)
    }
    #expect(Self.difference(try Self.stump(3), try Self.stump(3)) == nil)
    let float = try Self.stump(3, .isStrict, rounds: true)
    #expect(Self.difference(float, try Self.stump(3, .isStrict)) == nil)
    #expect(Self.difference(float, try Self.stump(Double(Float(3).nextDown))) == nil)
    #expect(Self.difference(float, try Self.stump(Double(Float(3).nextUp), .isStrict)) != nil)
  }

  /// Negative codes, and those that are too large, are in no set; rows may have them.
  @Test(arguments: [(-0.5, true), (2e9, false)])
  func codesThatAreNoCategoryAreLookedAt(_ threshold: Double, _ isBelow: Bool) throws {
    let sets = [TreeEnsemble.CategorySet([1, 2])]
    let own = try Self.ensemble(
      [[Self.branch(0, 0, .isCategory), .leaf([1]), .leaf([2])]], sets: sets)
    func other(_ forged: Double) throws -> TreeEnsemble {
      try Self.ensemble(
        [
          [
            Self.branch(0, threshold, [], isBelow ? 1 : 2, isBelow ? 2 : 1), .leaf([forged]),
            Self.branch(0, 0, .isCategory, 3, 4), .leaf([1]), .leaf([2]),
          ]
        ], sets: sets)
    }
    #expect(Self.difference(own, try other(2)) == nil)
    #expect(
      Self.difference(own, try other(9)) == .decision(tree: 0, feature: 0, .categories([])))
  }

  /// A number has values that no category is, and the branch that asks for one would hide them.
  @Test func categoriesOfTheSecondAloneAreRefused() throws {
    let own = try Self.stump(0.5)
    let other = try Self.ensemble(
      [[Self.branch(0, 0, .isCategory), .leaf([1]), .leaf([2])]],
      sets: [TreeEnsemble.CategorySet([0])])
    #expect(Self.difference(own, other) == .decision(tree: 0, feature: 0, .categories([])))
  }

  @Test func setsAreChainsOfTheirCategories() throws {
    let own = try Self.ensemble(
      [[Self.branch(0, 0, .isCategory), .leaf([1]), .leaf([2])]],
      sets: [.init([1, 3])])
    func chain(_ first: Double, _ second: Double) throws -> TreeEnsemble {
      try Self.ensemble([
        [
          Self.branch(0, first, .isEqual), .leaf([1]), Self.branch(0, second, .isEqual, 3, 4),
          .leaf([1]), .leaf([2]),
        ]
      ])
    }
    #expect(Self.difference(own, try chain(3, 1)) == nil)
    #expect(
      Self.difference(own, try chain(3, 2)) == .decision(tree: 0, feature: 0, .categories([3])))
  }

  @Test func sharesAreVotesOfTheirTrees() throws {
    let own = try Self.ensemble(
      [[Self.branch(0, 1), .leaf([1, 3]), .leaf([2, 2])]], width: 2, transform: .share, outputs: 2)
    let other = try Self.ensemble(
      [[Self.branch(0, 1), .leaf([0.25, 0.75]), .leaf([0.5, 0.5])]], width: 2, outputs: 2)
    let pairing = try FunctionPairing(
      own, other, takesMissing: [true, true], isWhole: [false, false])
    #expect(pairing.leaves == [1, 2, 3, 2])
  }

  /// Random trees beside what a plain walk of rows gives: they pair exactly where no row tells them apart.
  @Test(arguments: 0..<200 as Range<UInt64>) func agreesWithRows(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let grid: [Double] = [0, 1, 2, 3]
    // Some trees of both are the same by chance: they are small, and ask few questions.
    func tree(_ depth: Int) -> [TreeNodes.Node] {
      var nodes: [TreeNodes.Node] = []
      var open = [(place: 0, depth: depth)]
      nodes.append(.leaf([0]))
      while let next = open.popLast() {
        if next.depth == 0 {
          nodes[next.place] = .leaf([Double(Int.random(in: 0..<2, using: &random))])
          continue
        }
        let rules: [TreeEnsemble.Rule] = [[], .isStrict, .isEqual]
        var rule = rules[Int.random(in: 0..<3, using: &random)]
        if Bool.random(using: &random) { rule.insert(.missingGoesLeft) }
        nodes[next.place] = Self.branch(
          Int.random(in: 0..<2, using: &random), grid[Int.random(in: 0..<4, using: &random)],
          rule, nodes.count, nodes.count + 1)
        for _ in 0..<2 {
          open.append((nodes.count, next.depth - 1))
          nodes.append(.leaf([0]))
        }
      }
      return nodes
    }
    let own = try Self.ensemble([tree(2)])
    let values = [-1, 0, 0.5, 1, 1.5, 2, 2.5, 3, 4, .nan]
    for _ in 0..<20 {
      let other = try Self.ensemble([tree(2)])
      let rows = values.flatMap { first in values.map { [first, $0] } }
      // Leaves of the first that reach several numbers of the second.
      var reached: [Int: Set<Double>] = [:]
      for row in rows { reached[own.leaf(of: row, 0), default: []].insert(other.sums(of: row)[0]) }
      let isSame = reached.values.allSatisfy { $0.count == 1 }
      #expect((Self.difference(own, other) == nil) == isSame, "seed \(seed)")
    }
  }
}
