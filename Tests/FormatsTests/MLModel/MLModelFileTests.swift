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

  @Test func hostileTreesAreNamed() throws {
    var far = StumpFile()
    far.nodes[0].trueChildNodeID = 9
    #expect(
      try fault(of: far) == "a.mlmodel: tree 0, node 0: has the child 9, which the tree has not")
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
    #expect(error?.fault.hasPrefix("is no Core ML model: ") == true)
  }

  /// What is read but no model of Ingot's has.
  @Test func stepsThatIngotDoesNotRunAreNamed() throws {
    let chain = TabularChain(
      .columns([.init("battery"), .init("hour")]),
      [.normalizer(.sum)],
      predictor: .linearRegressor(LinearRegressor(weights: [1, 2], offset: 3)))
    let path = folder.path("a.mlmodel")
    try Data(try chain.program(path: path).serialized()).write(to: URL(filePath: path))
    let error = #expect(throws: TabularError.self) { try ModelLoader.open(path) }
    #expect(
      error?.description
        == "\(path): step 1 (normalizer): is read, but no model that Ingot runs has it; give Ingot the "
        + "estimator behind it, and do what is before it in the app")
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
