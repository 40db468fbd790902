import Graph
import Testing
import Weights

struct ModelTests {
  private func open(_ text: String, _ shapes: [String: [Int]]) throws -> Model {
    let files = files(["model.json": text])
    let weights = ShapesOnly(shapes: shapes)
    return try Model(
      origin: "model", architecture: try Architectures.recognise(files, weights: weights),
      files: files, weights: weights)
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

  /// Names are told apart by their bytes.
  @Test func namesOfOneUnicodeFormAreTwoWeights() throws {
    let text = """
      {"architecture": "dense", "inputs": [{"name": "a"}],
       "layers": [{"weight": "\u{E9}"}, {"weight": "e\u{301}"}], "output": {"kind": "embedding"}}
      """
    let files = files(["model.json": text])
    let dense = try #require(
      try Dense.recognise(files, weights: ShapesOnly(shapes: ["\u{E9}": [1, 1]])))
    #expect(try dense.graph(batch: 1, length: 1).weights.count == 2)
  }
}
