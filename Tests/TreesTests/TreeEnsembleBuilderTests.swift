import Testing

@testable import Trees

struct TreeEnsembleBuilderTests {
  private static func builder() throws(TreeError) -> TreeEnsembleBuilder {
    try TreeEnsembleBuilder(
      path: "a.json", featureCount: 2, base: [0.5],
      precision: .init(roundsFeatures: false, addsFloats: false),
      transform: .identity)
  }

  private static func stump(
    feature: Int = 0, threshold: Double = 1, rule: TreeEnsemble.Rule = [], left: Int = 1,
    right: Int = 2
  ) -> TreeNodes {
    TreeNodes([
      .branch(feature: feature, threshold: threshold, rule: rule, left: left, right: right),
      .leaf([10]), .leaf([20]),
    ])
  }

  @Test func aRowGoesToItsLeaves() throws {
    var builder = try Self.builder()
    try builder.add(Self.stump(rule: .missingGoesLeft))
    try builder.add(Self.stump(feature: 1, rule: .isStrict))
    let ensemble = try builder.finish()
    #expect(ensemble.outputs(of: [1, 1]) == [30.5])
    #expect(ensemble.outputs(of: [2, 0]) == [30.5])
    #expect(ensemble.outputs(of: [1, 0]) == [20.5])
    #expect(ensemble.outputs(of: [.nan, .nan]) == [30.5])
  }

  @Test func zeroCanBeMissing() throws {
    var builder = try Self.builder()
    try builder.add(Self.stump(threshold: -1, rule: [.zeroIsMissing, .missingGoesLeft]))
    try builder.add(
      Self.stump(feature: 1, threshold: -1, rule: [.readsMissingAsZero, .missingGoesLeft]))
    let ensemble = try builder.finish()
    #expect(ensemble.outputs(of: [1e-36, .nan]) == [30.5])
    #expect(ensemble.outputs(of: [1, -2]) == [30.5])
  }

  @Test func categoriesOfASetGoLeft() throws {
    var builder = try Self.builder()
    let set = builder.add(TreeEnsemble.CategorySet([0, 3, 70]))
    try builder.add(Self.stump(threshold: set, rule: .isCategory))
    let ensemble = try builder.finish()
    for (value, sum) in [
      (0.0, 10.5), (0.9, 10.5), (3, 10.5), (70, 10.5), (1, 20.5), (200, 20.5), (-1, 20.5),
    ] {
      #expect(ensemble.outputs(of: [value, 0]) == [sum], "\(value)")
    }
  }

  @Test(arguments: [
    (stump(left: 3), "a.json: tree 0, node 0: has the child 3, the tree has 3 nodes"),
    (stump(left: -1), "a.json: tree 0, node 0: has the child -1, the tree has 3 nodes"),
    (stump(left: 0), "a.json: tree 0, node 0: is the child of two nodes, or of one below it"),
    (stump(left: 2), "a.json: tree 0, node 2: is the child of two nodes, or of one below it"),
    (stump(feature: 2), "a.json: tree 0, node 0: looks at feature 2, there are 2"),
    (stump(threshold: .nan), "a.json: tree 0, node 0: compares with NaN"),
    (
      stump(rule: .isCategory),
      "a.json: tree 0, node 0: asks for set 1.0 of categories, there are 0"
    ),
    (
      TreeNodes([.leaf([.infinity])]),
      "a.json: tree 0, node 0: is a leaf of [inf], which is not finite"
    ),
    (TreeNodes([.leaf([1, 2])]), "a.json: tree 0, node 0: is a leaf of 2 numbers, expected 1"),
    (TreeNodes([]), "a.json: tree 0: has no nodes"),
  ])
  func whatIsNotSoundIsNamed(_ nodes: TreeNodes, _ words: String) throws {
    var builder = try Self.builder()
    let error = #expect(throws: TreeError.self) { try builder.add(nodes) }
    #expect(error?.description == words)
  }

  @Test func aTreeMayNotBeTooDeep() throws {
    var builder = try Self.builder()
    func chain(_ depth: Int) -> TreeNodes {
      TreeNodes(count: 2 * depth + 1) { node in
        node % 2 == 1 || node == 2 * depth
          ? .leaf([1])
          : .branch(feature: 0, threshold: Double(node), rule: [], left: node + 1, right: node + 2)
      }
    }
    try builder.add(chain(4096))
    #expect(throws: TreeError.self) { try builder.add(chain(4097)) }
  }

  @Test func anEnsembleHasTrees() throws {
    let builder = try Self.builder()
    #expect(throws: TreeError(path: "a.json", fault: "has no trees")) { try builder.finish() }
  }
}
