import IngotFeatures
import StrictJSON
import TestSupport
import Testing
import Trees

@testable import Gate

/// Which trees moved the outputs, of ensembles made in code. InteropTests do the same with files of a library.
struct TreeAttributionTests {
  /// Two stumps on a and b, and a tree of two levels on a, b and c.
  private func ensemble(
    _ change: (inout [[TreeNodes.Node]]) -> Void = { _ in }
  ) throws -> TreeEnsemble {
    func branch(_ feature: Int, _ threshold: Double, _ left: Int, _ right: Int) -> TreeNodes.Node {
      .branch(feature: feature, threshold: threshold, rule: .isStrict, left: left, right: right)
    }
    var trees: [[TreeNodes.Node]] = [
      [branch(0, 5, 1, 2), .leaf([1]), .leaf([2])],
      [branch(1, 5, 1, 2), .leaf([3]), .leaf([4])],
      [
        branch(0, 3, 1, 2), branch(1, 2, 3, 4), branch(2, 6, 5, 6), .leaf([1]), .leaf([2]),
        .leaf([3]), .leaf([4]),
      ],
    ]
    change(&trees)
    var builder = try TreeEnsembleBuilder(
      path: "t", featureCount: 3, base: [0],
      precision: TreeEnsemble.Precision(roundsFeatures: true, addsFloats: true),
      transform: .identity)
    for nodes in trees { try builder.add(TreeNodes(nodes)) }
    return try builder.finish()
  }

  /// Ten rows: a, b and c are 0 to 9.
  private let rows = (0..<10).map { [Double($0), Double($0), Double($0)] }

  private func sentences(
    _ change: (inout [[TreeNodes.Node]]) -> Void, of baseline: TreeEnsemble? = nil
  ) throws -> [String] {
    let found = try #require(
      try TreeAttribution(
        baseline ?? ensemble(), ensemble(change), features: ["a", "b", "c"], rows: rows))
    return found.findings.map(\.sentence)
  }

  @Test func nothingIsSaidOfWhatIsTheSame() throws {
    #expect(try sentences { _ in } == [])
    // No row is between 5 and 5.5.
    #expect(
      try sentences {
        $0[0][0] = .branch(feature: 0, threshold: 4.5, rule: .isStrict, left: 1, right: 2)
      } == [])
  }

  @Test func aThresholdThatMovedNamesItsFeature() throws {
    #expect(
      try sentences {
        $0[2][2] = .branch(feature: 2, threshold: 8, rule: .isStrict, left: 5, right: 6)
      } == [
        "feature 'c': threshold 6.0 of tree 2, node 2 is 8.0; 2 of 10 inputs go another way"
      ])
  }

  @Test func aLeafThatMovedNamesItsTree() throws {
    #expect(
      try sentences {
        $0[1][2] = .leaf([4.25])
        $0[0][1] = .leaf([1.5])
      } == [
        "tree 0: leaves differ by up to 0.5; moves 5 of 10 inputs",
        "tree 1: leaves differ by up to 0.25; moves 5 of 10 inputs",
      ])
  }

  @Test func whatATreeLacksOrHasBesidesIsNamed() throws {
    #expect(
      try sentences { $0.remove(at: 1) } == [
        "tree 1 of the baseline is missing; moves 10 of 10 inputs"
      ])
    let fewer = try ensemble { $0.removeLast() }
    #expect(
      try sentences({ _ in }, of: fewer) == ["tree 2 is not of the baseline; moves 10 of 10 inputs"]
    )
    #expect(
      try sentences { $0[0] = [.leaf([7])] } == [
        "tree 0 has other branches and leaves; moves 10 of 10 inputs"
      ])
  }

  @Test func anotherFeatureOrRuleIsNamed() throws {
    #expect(
      try sentences {
        $0[2][1] = .branch(feature: 2, threshold: 1, rule: .isStrict, left: 3, right: 4)
      } == [
        "tree 2, node 1 asks feature 'c' where the baseline asks 'b'; 1 of 10 inputs go another way"
      ]
    )
    #expect(
      try sentences {
        $0[0][0] = .branch(feature: 0, threshold: 5, rule: [], left: 1, right: 2)
      } == [
        "feature 'a': tree 0, node 0 sends missing or equal values, or categories, another way; 1 of 10 "
          + "inputs go another way"
      ])
  }

  /// A branch that asks for categories names those that go another way; without names their codes.
  @Test func categoriesThatGoAnotherWayAreNamed() throws {
    func stump(_ categories: [Int]) throws -> TreeEnsemble {
      var builder = try TreeEnsembleBuilder(
        path: "t", featureCount: 3, base: [0],
        precision: TreeEnsemble.Precision(roundsFeatures: true, addsFloats: true),
        transform: .identity)
      let set = builder.add(TreeEnsemble.CategorySet(categories))
      try builder.add(
        TreeNodes([
          .branch(feature: 1, threshold: set, rule: .isCategory, left: 1, right: 2), .leaf([1]),
          .leaf([2]),
        ]))
      return try builder.finish()
    }
    let schema = try FeatureSchema([
      Feature("a"), Feature("net", .category(CategoryList(["no", "lan", "wifi"]))), Feature("c"),
    ])
    for (categories, words) in [
      (CategoryWords(schema), "the categories 'no', 'lan', 70"),
      (CategoryWords(), "the categories 0, 1, 70"),
    ] {
      let found = try #require(
        try TreeAttribution(
          stump([0, 2]), stump([1, 2, 70]), features: ["a", "net", "c"], categories: categories,
          rows: rows))
      #expect(
        found.findings.map(\.sentence) == [
          "feature 'net': tree 0, node 0 sends \(words) another way; 2 of 10 inputs go another way"
        ])
    }
    let one = try #require(
      try TreeAttribution(
        stump([0, 2]), stump([2]), features: ["a", "net", "c"], categories: CategoryWords(schema),
        rows: rows))
    #expect(
      one.findings.map(\.sentence) == [
        "feature 'net': tree 0, node 0 sends the category 'no' another way; 1 of 10 inputs go another way"
      ])
    #expect(
      one.findings.first.map { JSONValue.object($0.members).compact } == #"{"categories":["'no'"],"#
        + #""feature":"net","inputs":10,"moved":1,"node":0,"tree":0,"what":"categories"}"#)
  }

  /// The tree that moves most comes first, and few are named.
  @Test func theWorstAreNamedFirst() throws {
    let found = try sentences { trees in
      for tree in trees.indices {
        trees[tree] = trees[tree].map { node in
          if case .leaf(let values) = node {
            .leaf(values.map { $0 * Double(tree + 2) })
          } else {
            node
          }
        }
      }
    }
    #expect(found.map { $0.prefix(6) } == ["tree 2", "tree 1", "tree 0"])
  }
}
