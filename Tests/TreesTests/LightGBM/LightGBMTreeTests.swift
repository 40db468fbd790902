import Testing

@testable import Trees

/// What a branch of LightGBM does with what is missing, and to which class a tree adds. Expected values are those of
/// `NumericalDecision` in LightGBM's `tree.h`, and of `PredictRaw` in its `gbdt_prediction.cpp`.
struct LightGBMTreeTests {
  /// A branch at a threshold, with leaf 1 on its left and leaf 2 on its right.
  private static func stump(
    _ threshold: Double, _ missing: LightGBMTree.Missing, goesLeft: Bool, leaves: [Double] = [1, 2]
  ) -> LightGBMTree {
    var tree = LightGBMTree()
    tree.features = [0]
    tree.thresholds = [threshold]
    tree.decisions = [
      LightGBMTree.decision(isCategory: false, missingGoesLeft: goesLeft, missing)
    ]
    tree.left = [-1]
    tree.right = [-2]
    tree.leaves = leaves
    return tree
  }

  private static func outputs(_ tree: LightGBMTree, _ rows: [Double]) throws -> [Double] {
    var builder = try TreeEnsembleBuilder(
      path: "f", featureCount: 1, base: [0],
      precision: .init(roundsFeatures: false, addsFloats: false), transform: .identity)
    try builder.add(tree.nodes(sets: [:], scale: 1))
    let ensemble = try builder.finish()
    return rows.map { ensemble.sums(of: [$0])[0] }
  }

  /// Where nothing was missing in training, NaN is 0 and is compared, whatever the default is.
  @Test(arguments: [true, false]) func withoutMissingValuesNaNIsZero(_ goesLeft: Bool) throws {
    for (threshold, expected) in [(1.5, 1.0), (0, 1), (-1.5, 2)] {
      let tree = Self.stump(threshold, .none, goesLeft: goesLeft)
      #expect(try Self.outputs(tree, [.nan, 0]) == [expected, expected], "\(threshold)")
    }
  }

  /// Where zero is what is missing, zero and NaN go the default way, and no other number does.
  @Test(arguments: [true, false]) func zeroAsMissingGoesTheDefaultWay(_ goesLeft: Bool) throws {
    let tiny = Double(1e-35 as Float)
    let way = goesLeft ? 1.0 : 2.0
    for (threshold, one, minusOne) in [(1.5, 1.0, 1.0), (-1.5, 2, 2)] {
      let tree = Self.stump(threshold, .zero, goesLeft: goesLeft)
      let rows = [0, -0.0, .nan, tiny, -tiny, tiny.nextUp, 1, -1]
      #expect(
        try Self.outputs(tree, rows) == [way, way, way, way, way, one, one, minusOne],
        "\(threshold)")
    }
  }

  /// Where NaN is what is missing, NaN goes the default way, and zero is a number.
  @Test(arguments: [true, false]) func nanAsMissingGoesTheDefaultWay(_ goesLeft: Bool) throws {
    let way = goesLeft ? 1.0 : 2.0
    #expect(
      try Self.outputs(Self.stump(1.5, .nan, goesLeft: goesLeft), [.nan, 0, 2]) == [way, 1, 2])
    #expect(
      try Self.outputs(Self.stump(-1.5, .nan, goesLeft: goesLeft), [.nan, 0, -2]) == [way, 2, 1])
  }

  /// Trees of several classes take turns: tree 0 adds to class 0, tree 1 to class 1, and so on round.
  @Test func treesTakeTurnsAtClasses() throws {
    var document = LightGBMDocument()
    document.version = "v4"
    document.classCount = 3
    document.treesPerIteration = 3
    document.objective = "multiclass num_class:3"
    document.featureNames = ["a"]
    document.lastFeature = 0
    document.trees = (0..<6).map { number in
      let leaf = [1.0, 20, 300, 4000, 50_000, 600_000][number]
      return Self.stump(0, .nan, goesLeft: false, leaves: [leaf, -leaf])
    }
    let model = try LightGBMBuilder(path: "f", document: document).model()
    #expect(model.ensemble.outputs == [0, 1, 2, 0, 1, 2])
    #expect(model.ensemble.sums(of: [-1]) == [4001, 50_020, 600_300])
    #expect(model.ensemble.sums(of: [1]) == [-4001, -50_020, -600_300])
  }
}
