import Graph
import ModelFixtures
import TestSupport
import Testing
import Weights

struct ModelTests {
  private func open(_ text: String, _ shapes: [TensorName: [Int]]) throws -> Model {
    let files = files(["model.json": text])
    let weights = ShapesOnly(shapes: shapes)
    return try Model(
      origin: "model", architecture: try Architectures.recognise(files, weights: weights),
      files: files, weights: weights)
  }

  /// An architecture whose program does not fit together.
  private struct Broken: Architecture {
    static let name = "broken"

    let describingFiles: [String] = []
    let input = ModelInput.features(names: ["a"])
    let output = ModelOutput.embedding(width: 1)
    let outputName = "embedding"

    func graph(batch: Int, length: Int) throws(GraphError) -> ModelGraph {
      try GraphBuilder().finish(output: .value("vector"))
    }
  }

  @Test func aFaultOfTheGraphNamesTheModel() {
    let fault = message {
      _ = try Model(
        origin: "models/broken", architecture: Broken(), files: files([:]), weights: ShapesOnly())
    }
    #expect(fault == "models/broken: graph 'output': the output is not a value")
  }

  /// Every use of a weight is checked, not only the first.
  @Test func oneWeightCannotHaveTwoShapes() {
    let text = """
      {"architecture": "dense", "inputs": [{"name": "a"}, {"name": "b"}],
       "standardize": {"mean": "s", "scale": "s"}, "layers": [{"weight": "w", "bias": "s"}],
       "output": {"kind": "embedding"}}
      """
    #expect(
      message { _ = try open(text, ["s": [2], "w": [3, 2]]) }
        == "model: weight 's' has shape [2], the model needs [3]")
    #expect(message { _ = try open(text, ["s": [2], "w": [2, 2]]) } == nil)
  }

  /// A model of one feature and one output may leave out every axis of length 1 but one.
  @Test(arguments: [[1], [1, 1]]) func leadingAxesOfLengthOneMayBeMissing(_ shape: [Int]) {
    let text = """
      {"architecture": "dense", "inputs": [{"name": "a"}], "layers": [{"weight": "w"}],
       "output": {"kind": "regressor"}}
      """
    #expect(message { _ = try open(text, ["w": shape]) } == nil)
    #expect(Model.matches(stored: [3], needed: [1, 3]))
    #expect(!Model.matches(stored: [3], needed: [2, 3]))
    #expect(!Model.matches(stored: [1, 3], needed: [3]))
  }

  /// Two names of one Unicode form would be one key in everything that is keyed by text.
  @Test func namesOfOneUnicodeFormAreRefused() {
    let text = """
      {"architecture": "dense", "inputs": [{"name": "a"}],
       "layers": [{"weight": "\u{E9}"}, {"weight": "e\u{301}"}], "output": {"kind": "embedding"}}
      """
    #expect(
      message { _ = try open(text, ["\u{E9}": [1, 1], "e\u{301}": [1, 1]]) }
        == "model: two weights are called 'e\u{301}', in two Unicode spellings; rename one")
  }

  /// Names are told apart by their bytes.
  @Test func namesOfOneUnicodeFormAreTwoWeights() throws {
    let text = """
      {"architecture": "dense", "inputs": [{"name": "a"}],
       "layers": [{"weight": "\u{E9}"}, {"weight": "e\u{301}"}], "output": {"kind": "embedding"}}
      """
    let files = files(["model.json": text])
    let dense = try #require(
      try Dense.recognise(
        files, weights: ShapesOnly(shapes: ["\u{E9}": [1, 1], "e\u{301}": [1, 1]])))
    #expect(try dense.graph(batch: 1, length: 1).weights.count == 2)
  }
}
