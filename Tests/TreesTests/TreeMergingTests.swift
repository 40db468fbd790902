import Testing

@testable import Trees

/// Equal nodes become one, and every row still comes to the numbers that it came to.
struct TreeMergingTests {
  private static let ways = [(true, true), (true, false), (false, true), (false, false)]

  /// Trees of few features, thresholds and leaves, so that many nodes are equal.
  private static func grown(
    seed: UInt64, trees: Int, depth: Int, roundsFeatures: Bool = true
  ) throws(TreeError) -> TreeEnsemble {
    var seed = seed
    func next(_ count: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % count
    }
    var builder = try TreeEnsembleBuilder(
      path: "a", featureCount: 3, base: [0.5, 1], leafWidth: 2,
      precision: .init(roundsFeatures: roundsFeatures, addsFloats: false), transform: .identity)
    let sets = [[1, 3], [0, 70], [1, 3]].map { builder.add(TreeEnsemble.CategorySet($0)) }
    for _ in 0..<trees {
      var nodes: [TreeNodes.Node] = []
      func grow(_ depth: Int) -> Int {
        let place = nodes.count
        nodes.append(.leaf([Double(next(3)), Double(next(2)) / 3]))
        guard depth > 0, next(6) > 0 else { return place }
        let left = grow(depth - 1)
        let right = grow(depth - 1)
        nodes[place] =
          next(5) == 0
          ? .branch(
            feature: 2, threshold: sets[next(3)], rule: .isCategory, left: left, right: right)
          : .branch(
            feature: next(2), threshold: Double(next(4)) / 3,
            rule: [[], .isStrict, .missingGoesLeft][next(3)], left: left, right: right)
        return place
      }
      _ = grow(depth)
      try builder.add(TreeNodes(nodes))
    }
    return try builder.finish()
  }

  private static let rows: [[Double]] = {
    let values = [-1, 0, 1.0 / 3, 0.5, 1, 3, .nan]
    return values.flatMap { first in
      values.flatMap { second in values.map { [first, second, $0] } }
    }
  }()

  private func isEqual(_ one: TreeEnsemble, _ other: TreeEnsemble) -> Bool {
    Self.rows.allSatisfy { row in
      one.undividedSums(of: row).map(\.bitPattern) == other.undividedSums(of: row).map(\.bitPattern)
    }
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>, [true, false])
  func sumsAreEqualBitForBit(_ seed: UInt64, _ roundsFeatures: Bool) throws {
    let own = try Self.grown(seed: seed, trees: 5, depth: 6, roundsFeatures: roundsFeatures)
    for (leaves, branches) in Self.ways {
      let merged = own.merged(mergesLeaves: leaves, mergesBranches: branches)
      #expect(isEqual(own, merged.ensemble), "seed \(seed)")
      #expect(merged.leaves.count == merged.ensemble.leafCount)
      for (place, leaf) in merged.leaves.enumerated() {
        #expect(
          merged.ensemble.leaves[2 * place..<2 * place + 2] == own.leaves[2 * leaf..<2 * leaf + 2])
      }
      // What is written is read as it was.
      let read = try TreeEnsemble(merged.ensemble.header, path: "b") {
        merged.ensemble.values(of: $0)
      }
      #expect(isEqual(own, read), "seed \(seed)")
      let pairing = try #require(TreePairing(own, read))
      for (leaf, found) in pairing.leaves.enumerated() {
        let found = try #require(found)
        #expect(own.leaves[2 * leaf..<2 * leaf + 2] == read.leaves[2 * found..<2 * found + 2])
      }
    }
    let merged = own.merged(mergesLeaves: true, mergesBranches: true).ensemble
    #expect(merged.leafCount <= 6 && own.leafCount > 20)
    // The trees of the first seed have no equal branches.
    #expect(
      seed == 1
        ? merged.branchCount == own.branchCount : merged.branchCount < own.branchCount)
    #expect(merged.categories.count == 2)
  }

  /// Without equal nodes everything stays where it was.
  @Test func differentNodesStayWhereTheyAre() throws {
    var builder = try TreeEnsembleBuilder(
      path: "a", featureCount: 1, base: [0],
      precision: .init(roundsFeatures: true, addsFloats: false), transform: .identity)
    let nodes: [TreeNodes.Node] = [
      .branch(feature: 0, threshold: 1, rule: [], left: 1, right: 2), .leaf([1]),
      .branch(feature: 0, threshold: 2, rule: [], left: 3, right: 4), .leaf([2]), .leaf([3]),
    ]
    try builder.add(TreeNodes(nodes))
    let own = try builder.finish()
    let merged = own.merged(mergesLeaves: true, mergesBranches: true)
    #expect(merged.ensemble == own)
    #expect(merged.leaves == [0, 1, 2])
  }

  @Test func equalTreesBecomeOne() throws {
    var builder = try TreeEnsembleBuilder(
      path: "a", featureCount: 1, base: [0],
      precision: .init(roundsFeatures: true, addsFloats: false), transform: .identity)
    for _ in 0..<3 {
      try builder.add(
        TreeNodes([
          .branch(feature: 0, threshold: 1, rule: [], left: 1, right: 2), .leaf([1]), .leaf([2]),
        ]))
    }
    let merged = try builder.finish().merged(mergesLeaves: true, mergesBranches: true).ensemble
    #expect(merged.roots == [0, 0, 0])
    #expect(merged.left == [-1] && merged.right == [-2])
    #expect(merged.outputs(of: [1]) == [3])
  }

  /// Thresholds of 64 bits that 32 do not tell apart are two: a row between them tells the trees apart.
  @Test func thresholdsThatAreEqualInFewerBitsStay() throws {
    let thresholds = [0.1, (0.1).nextUp, 0.1]
    #expect(Float(thresholds[0]) == Float(thresholds[1]))
    var builder = try TreeEnsembleBuilder(
      path: "a", featureCount: 1, base: [0],
      precision: .init(roundsFeatures: false, addsFloats: false), transform: .identity)
    for threshold in thresholds {
      try builder.add(
        TreeNodes([
          .branch(feature: 0, threshold: threshold, rule: [], left: 1, right: 2), .leaf([1]),
          .leaf([2]),
        ]))
    }
    let merged = try builder.finish().merged(mergesLeaves: true, mergesBranches: true).ensemble
    #expect(merged.branchCount == 2)
    #expect(merged.roots.map { merged.thresholds[Int($0)] } == thresholds)
    #expect(merged.outputs(of: [(0.1).nextUp]) == [5])
  }

  /// Branches and leaves to which no tree leads are left out, whatever is merged; sets that they ask for, too.
  @Test(arguments: ways) func whatNoRowReachesIsLeftOut(_ leaves: Bool, _ branches: Bool) throws {
    let header = TreeHeader(
      featureCount: 1, branchCount: 4, treeCount: 1, leafCount: 4, leafWidth: 1, setCount: 1,
      wordCount: 4, base: [0], divisor: 1,
      precision: .init(roundsFeatures: true, addsFloats: false), transform: .identity)
    let category = Double(TreeEnsemble.Rule.isCategory.rawValue)
    // The tree is branch 1 above branch 3. Branch 0 leads to it, and branch 2 to leaf 3, and none to these.
    let own = try TreeEnsemble(header, path: "b") { array in
      switch array {
      case .features: [0, 0, 0, 0]
      case .thresholds: [7, 1, 0, 2]
      case .rules: [0, 0, category, 0]
      case .left: [1, -1, -4, -2]
      case .right: [2, 3, -4, -3]
      case .roots: [1]
      case .outputs: [0]
      case .leaves: [10, 20, 30, 40]
      case .categoryStarts: [0, 4]
      case .categoryWords: [1, 0, 0, 0]
      }
    }
    let merged = own.merged(mergesLeaves: leaves, mergesBranches: branches)
    #expect(merged.ensemble.thresholds == [1, 2])
    #expect(merged.ensemble.categories.isEmpty)
    #expect(merged.ensemble.leaves == (leaves ? [10, 20, 30] : [10, 20, 30, 40]))
    for (row, output) in [(0.5, 10.0), (1.5, 20), (3, 30)] {
      #expect(own.outputs(of: [row]) == [output] && merged.ensemble.outputs(of: [row]) == [output])
    }
  }

  /// Nodes that are shared on every level would be too many to run.
  @Test func treesThatGrowWithoutEndAreRefused() throws {
    let header = TreeHeader(
      featureCount: 1, branchCount: 25, treeCount: 1, leafCount: 1, leafWidth: 1, setCount: 0,
      wordCount: 1, base: [0], divisor: 1,
      precision: .init(roundsFeatures: true, addsFloats: false), transform: .identity)
    func ensemble(_ count: Int) throws -> TreeEnsemble {
      var header = header
      header.branchCount = count
      return try TreeEnsemble(header, path: "b") { array in
        switch array {
        case .left, .right: (1...count).map { $0 == count ? -1 : Double($0) }
        case .features, .rules, .thresholds: [Double](repeating: 0, count: count)
        case .roots, .outputs, .leaves, .categoryStarts, .categoryWords: [0]
        }
      }
    }
    #expect(try ensemble(24).outputs(of: [0]) == [0])
    let error = #expect(throws: TreeError.self) { try ensemble(25) }
    #expect(
      error?.description
        == "b: its trees have more than 16777216 branches, shared ones counted in each")
  }

  @Test func treesOfAnotherFormAreNoPair() throws {
    let own = try Self.grown(seed: 3, trees: 4, depth: 5)
    let merged = own.merged(mergesLeaves: true, mergesBranches: true).ensemble
    #expect(TreePairing(own, merged) != nil)
    let reached = try #require(own.rules.firstIndex { !$0.contains(.isCategory) })
    var other = merged
    other.features[try #require(TreePairing(own, merged)?.branches[reached])] += 1
    #expect(TreePairing(own, other) == nil)
    other = merged
    other.roots.swapAt(0, 1)
    #expect(TreePairing(own, other) == nil)
    #expect(TreePairing(own, try Self.grown(seed: 4, trees: 4, depth: 5)) == nil)
  }
}
