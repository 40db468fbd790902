import Files
import Foundation
import Graph
import IngotFeatures
import TestSupport
import Testing
import Trees
import Weights

@testable import Formats

struct MLModelFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The error of a file with this message, without the folder's path.
  private func fault(of file: StumpFile) throws -> String {
    let path = folder.path("a.mlmodel")
    try Data(try file.message.deterministicBytes()).write(to: URL(filePath: path))
    let error = #expect(throws: (any Error).self) { try ModelLoader.open(path) }
    return error.map { "\($0)" }?.replacingOccurrences(of: path, with: "a.mlmodel") ?? ""
  }

  @Test func aStumpOfAnotherToolIsAModel() throws {
    let path = folder.path("a.mlmodel")
    try Data(try StumpFile().message.deterministicBytes()).write(to: URL(filePath: path))
    let model = try ModelLoader.open(path)
    #expect(type(of: model.architecture).name == "tree-ensemble")
    #expect(
      model.architecture.input
        == .features(try FeatureSchema([Feature("battery", missing: .taken)])))
    #expect(model.architecture.output == .numbers(width: 1))
    #expect(model.architecture.outputName == "minutes")
    #expect(model.recipe == nil)
    #expect(model.digest == ContentDigest(of: try MappedFile(path: path)))
  }

  @Test func cyclicFeaturesSayWhatToGiveInstead() {
    #expect(
      TabularChain.Column.fault(Feature("hour", .cyclic(period: 24)))
        == "has the feature 'hour', which is cyclic, and Core ML's models of tables have no sine; give its "
        + "sine and its cosine as two numbers, and compute them before training and in the app")
  }

  @Test func hostileTreesAreNamed() throws {
    var far = StumpFile()
    far.nodes[0].trueChildNodeID = 9
    #expect(
      try fault(of: far) == "a.mlmodel: tree 0, node 0: has the child 9, which is not in the tree")
    var circle = StumpFile()
    circle.nodes[0].trueChildNodeID = 0
    #expect(try fault(of: circle).hasPrefix("a.mlmodel: tree 0"))
    var alone = StumpFile()
    alone.nodes[0].trueChildNodeID = 0
    alone.nodes.removeLast(2)
    alone.nodes[0].falseChildNodeID = 0
    #expect(
      try fault(of: alone)
        == "a.mlmodel: tree 0, node 0: has the child 0, which another node has too")
    #expect(try fault(of: StumpFile(threshold: .nan)).hasPrefix("a.mlmodel: tree 0, node 0: "))
    var feature = StumpFile()
    feature.nodes[0].branchFeatureIndex = 1
    #expect(try fault(of: feature).hasPrefix("a.mlmodel: tree 0, node 0: "))
    var classes = StumpFile()
    classes.classify((0..<1_000_000).map(String.init), 1_000_000)
    #expect(try fault(of: classes).hasPrefix("a.mlmodel: "))
  }

  @Test func aFileThatIsCutIsNoModel() throws {
    let path = folder.path("a.mlmodel")
    let bytes = try StumpFile().message.deterministicBytes()
    try Data(bytes.prefix(bytes.count - 3)).write(to: URL(filePath: path))
    let error = #expect(throws: TabularError.self) { try ModelLoader.open(path) }
    #expect(error?.fault.hasPrefix("is not a Core ML model: ") == true)
  }

  /// What is read but no model of Ingot's has.
  @Test func stepsThatIngotDoesNotRunAreNamed() throws {
    let chain = TabularChain(
      .columns([.init("battery"), .init("hour")]),
      [.normalizer(.largest)],
      predictor: .linearRegressor(LinearRegressor(weights: [1, 2], offset: 3)))
    let path = folder.path("a.mlmodel")
    try Data(try chain.program(path: path).serialized()).write(to: URL(filePath: path))
    let error = #expect(throws: TabularError.self) { try ModelLoader.open(path) }
    #expect(
      error?.description
        == "\(path): step 1 (normalizer): is a step that Ingot does not run; give Ingot the "
        + "estimator alone, and do the steps before it in the app")
  }

  /// A scaler and a softmax over three labels come back as numbers of a dense model.
  @Test func aScalerAndALinearModelAreADenseModel() throws {
    let linear = LinearClassifier(
      softmax: [[1, 2], [0.5, -1], [2, 0.25]], offsets: [0, 1, -1], labels: .texts(["a", "b", "c"]))
    let chain = TabularChain(
      .columns([.init("battery"), .init("hour")]),
      [.scaler(shift: [-0.5, 2], scale: [2, 4])], predictor: .linearClassifier(linear))
    let path = folder.path("a.mlmodel")
    try Data(try chain.program(path: path).serialized()).write(to: URL(filePath: path))
    let model = try ModelLoader.open(path)
    #expect(type(of: model.architecture).name == "dense")
    #expect(model.architecture.input == .features(names: ["battery", "hour"]))
    #expect(
      model.architecture.output == .classes(labels: ["a", "b", "c"], width: 3))
    #expect(try model.weights.floats(of: "standardize.mean") == [0.5, -2])
    #expect(try model.weights.floats(of: "standardize.scale") == [0.5, 0.25])
    #expect(try model.weights.floats(of: "linear.weight") == [0, 0, -0.5, -3, 1, -1.75])
    #expect(try model.weights.floats(of: "linear.bias") == [0, 1, -1])
  }

  /// A program that is not the model's is found by the rows.
  @Test func rowsTellOtherTreesApart() throws {
    let program = try StumpFile().program()
    func probe(_ file: StumpFile) throws -> TabularProbe {
      guard case .treeRegressor(let ensemble) = try file.program().step else {
        throw TabularError(path: "a", fault: "is no regressor")
      }
      return TabularProbe(
        TreeModel(
          ensemble: ensemble, features: [TreeFeature("battery")], task: .regression, library: "a"))
    }
    try probe(StumpFile()).compare(program, path: "a")
    for other in [
      StumpFile(threshold: Double((0.5 as Float).nextUp)), StumpFile(behaviour: 1),
      StumpFile(missingIsTrue: true),
    ] {
      let error = #expect(throws: TabularError.self) {
        try probe(other).compare(program, path: "a")
      }
      #expect(error?.fault.contains("the model itself") == true)
    }
  }

  /// A file of a chain, opened.
  private func open(_ chain: TabularChain) throws -> Model {
    let path = folder.path("a.mlmodel")
    try Data(try chain.program(path: path).serialized()).write(to: URL(filePath: path))
    return try ModelLoader.open(path)
  }

  /// Encoders and imputers before a linear model are features of a dense one.
  @Test func encodersBeforeALinearModelAreItsFeatures() throws {
    let model = try open(
      TabularChain(
        .columns([
          .init("network", .oneHot(.texts(["none", "wifi"]), .isZero)), .init("hour"),
          .init("floor", .oneHot(.integers([1, 7]), .isError)),
        ]),
        [
          .imputer(.array([0, 0, 12, 0, 0], missing: .nan)),
          .scaler(shift: [0, 0, -12, 0, 0], scale: [1, 1, 0.5, 2, 1]),
        ], predictor: .linearRegressor(LinearRegressor(weights: [1, 2, 3, 4, 5], offset: 6))))
    #expect(
      model.architecture.input
        == .features(
          try FeatureSchema([
            Feature(
              "network",
              .category(
                CategoryList(["none", "wifi"], unknown: .code(2), encoding: .oneHot)),
              missing: .replaced(by: 2)),
            Feature("hour", missing: .replaced(by: 12)),
            Feature("floor", .category(CategoryList(["1", "7"], encoding: .oneHot))),
          ])))
    #expect(try model.weights.floats(of: "standardize.mean") == [0, 0, 12, 0, 0])
    #expect(try model.weights.floats(of: "standardize.scale") == [1, 1, 2, 0.5, 1])
  }

  /// A dictionary's keys are features that are 0 where they are left out.
  @Test func keysOfADictionaryAreFeatures() throws {
    let model = try open(
      TabularChain(
        .dictionary("facts", .texts(["b", "a"])),
        predictor: .linearRegressor(LinearRegressor(weights: [1, 2], offset: 6))))
    #expect(
      model.architecture.input
        == .features(
          try FeatureSchema(["b", "a"].map { Feature($0, missing: .replaced(by: 0)) })))
  }

  /// Steps before a stump: every number goes where it went through the steps, the neighbours of the
  /// threshold too.
  @Test(arguments: [
    [(shift: -0.3, scale: 1 / 3.0)], [(0.1, -7)], [(1e9, 1e-9), (0.25, -3)], [(0.5, 0)],
  ])
  func aScalerIsInTheThresholdsOfTrees(_ scalers: [(shift: Double, scale: Double)]) throws {
    let path = folder.path("a.mlmodel")
    for file in [StumpFile(), StumpFile(behaviour: 1), StumpFile(missingIsTrue: true)] {
      guard case .treeRegressor(let ensemble) = try file.program().step else { return }
      let program = try TabularChain(
        .columns([.init("battery")]),
        scalers.map { .scaler(shift: [$0.shift], scale: [$0.scale]) },
        predictor: .treeRegressor(ensemble)
      ).program(path: path)
      let trees = try open(
        TabularChain(
          .columns([.init("battery")]),
          scalers.map { .scaler(shift: [$0.shift], scale: [$0.scale]) },
          predictor: .treeRegressor(ensemble)))
      let forest = try #require(trees.architecture as? ForestModel)
      let again = try forest.ensemble(of: trees.weights)
      // The number that the steps make one half, and those around it.
      var middle = 0.5
      for (shift, scale) in scalers.reversed() where scale != 0 { middle = middle / scale - shift }
      var rows = [Double.nan, -1e30, 1e30, 0, middle]
      var (above, below) = (middle, middle)
      for _ in 0..<200 {
        (above, below) = (above.nextUp, below.nextDown)
        rows += [above, below]
      }
      var results: Set<Double> = []
      for row in rows {
        let expected = try program.run(["battery": .double(row)], path: path)
        let found = again.outputs(of: [row])
        #expect(expected.values.first?.numbers == found, "\(row)")
        results.formUnion(found)
      }
      #expect(results.count == 2 || scalers[0].scale == 0)
    }
  }

  /// A number of an encoder before trees is a set of categories.
  @Test func anEncoderIsInTheSetsOfTrees() throws {
    let path = folder.path("a.mlmodel")
    var builder = try TreeEnsembleBuilder(
      path: path, featureCount: 3, base: [0],
      precision: .init(roundsFeatures: false, addsFloats: false), transform: .identity)
    for feature in 0..<3 {
      try builder.add(
        TreeNodes([
          .branch(feature: feature, threshold: 0.5, rule: [], left: 1, right: 2),
          .leaf([Double(feature)]), .leaf([Double(10 * feature + 5)]),
        ]))
    }
    let chain = TabularChain(
      .columns([.init("network", .oneHot(.texts(["none", "wifi", "lan"]), .isZero))]),
      predictor: .treeRegressor(try builder.finish()))
    let program = try chain.program(path: path)
    let model = try open(chain)
    guard case .features(let schema) = model.architecture.input else {
      Issue.record("\(model.architecture.input)")
      return
    }
    let forest = try #require(model.architecture as? ForestModel).ensemble(of: model.weights)
    for name in ["none", "wifi", "lan", "fax"] {
      let expected = try program.run(["network": .string(name)], path: path)
      let row = try FeaturePreparer(schema).doubles(["network": .text(name)])
      #expect(expected.values.first?.numbers == forest.outputs(of: row), "\(name)")
    }
  }

  /// An imputer before trees is in their rules: what is missing goes where its number goes.
  @Test func anImputerIsInTheRulesOfTrees() throws {
    for (number, goesLeft) in [(0.5, true), (0.75, false)] {
      guard case .treeRegressor(let ensemble) = try StumpFile().program().step else { return }
      let chain = TabularChain(
        .columns([.init("battery")]), [.imputer(.array([number], missing: .nan))],
        predictor: .treeRegressor(ensemble))
      let path = folder.path("a.mlmodel")
      try Data(try chain.program(path: path).serialized()).write(to: URL(filePath: path))
      let rule = try ModelLoader.open(path).weights.floats(of: "trees.rules")[0]
      #expect(UInt8(rule) & 2 == (goesLeft ? 2 : 0))
    }
  }
}
