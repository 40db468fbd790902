import Graph
import ModelFixtures
import TestSupport
import Testing
import Weights

@testable import Gate
@testable import Inputs

/// Candidates that say of themselves what the baseline does not.
struct OtherClaimTests {
  private static func model(_ json: String, wide: Bool? = nil) throws -> Model {
    let files = ModelFiles(carriedBy: "model", texts: ["model.json": Array(json.utf8)])
    let count = 3
    let trees: [String: (shape: [Int], values: [Float])] = [
      "trees.features": ([count], [0, 0, 0]), "trees.rules": ([count], [1, 1, 1]),
      "trees.left": ([count], [-1, -2, -3]), "trees.right": ([count], [1, 2, -4]),
      "trees.thresholds": (wide == true ? [1, count] : [count], [1, 2, 3]),
      "trees.roots": ([1], [0]), "trees.outputs": ([1], [0]),
      "trees.leaves": ([1, 4], [0.5, 1, 2, 4]), "trees.categoryStarts": ([1], [0]),
      "trees.categoryWords": ([1], [0]),
    ]
    let tensors = wide == nil ? ["a": (shape: [1, 2], values: [1, 2])] : trees
    let weights = MemoryWeights(
      tensors: Dictionary(uniqueKeysWithValues: tensors.map { (TensorName($0), $1) }))
    return try Model(
      origin: "model", architecture: try Architectures.recognise(files, weights: weights),
      files: files, weights: weights)
  }

  private static func linear(_ name: String) -> String {
    """
    {"architecture": "dense", "inputs": [{"name": "x"}, {"name": "y"}], "layers": [{"weight": "a"}],
     "output": {"kind": "regressor", "name": "\(name)"}}
    """
  }

  private static func forest(_ library: String, _ features: String) -> String {
    """
    {"architecture": "tree-ensemble", "library": "\(library)", "inputs": [{"name": "x"}, {"name": "y"}],
     "base": [0], "features": "\(features)", "sums": "float64", "transform": "identity",
     "output": {"kind": "regressor"}}
    """
  }

  private static func reasons(_ candidate: Model, _ baseline: Model) throws -> [String] {
    let set = try references((0..<12).map { #"{"input": {"values": [\#(Float($0) / 3), 0]}}"# })
    return try Gate(on: set, Limits(), threshold: nil, jobs: 1).judge(
      [candidate], against: [baseline]
    ).refusals.map(\.sentence)
  }

  @Test func anotherNameOfTheOutputIsRefused() throws {
    let baseline = try Self.model(Self.linear("demand"))
    #expect(try Self.reasons(Self.model(Self.linear("demand")), baseline) == [])
    #expect(
      try Self.reasons(Self.model(Self.linear("supply")), baseline) == [
        "the candidate has 'supply' as its name of the output, the baseline has 'demand'"
      ])
  }

  /// Between two numbers of 32 bits are many of 64, and a file that only says it is another library's was not made by it.
  @Test func featuresOf64BitsInTheNameOfAnotherLibraryAreRefused() throws {
    let baseline = try Self.model(Self.forest("own", "float32"), wide: false)
    #expect(
      try Self.reasons(Self.model(Self.forest("other", "float32"), wide: false), baseline) == [])
    #expect(
      try Self.reasons(Self.model(Self.forest("other", "float64"), wide: true), baseline).contains(
        "the candidate has '64 bits' as its width of features, the baseline has '32 bits'"))
  }
}
