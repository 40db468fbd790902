import Graph
import ModelFixtures
import Testing
import Weights

@testable import Inputs

/// One key for models that compute the same, and another for any other.
struct CacheKeyTests {
  /// A layer of two features and what follows it.
  private struct Layer: Architecture {
    static let name = "layer"
    let describingFiles: [String] = []
    var weight = "w"
    var value = "product"
    var isSigmoid = false
    let input = ModelInput.features(names: ["a", "b"])
    let output = ModelOutput.embedding(width: 2)
    let outputName = "embedding"

    func graph(batch: Int, length: Int) throws(GraphError) -> ModelGraph {
      var builder = GraphBuilder()
      let x = builder.input("values", ValueType(.float32, [batch, 2]))
      let w = Operand.weight(
        WeightReference(TensorName(weight), [2, 2], role: .matrix(outputAxis: 0)))
      let product = try builder.append(value, Matmul(x, w))
      let last = try builder.append(
        "out", ElementwiseUnary(isSigmoid ? .sigmoid : .tanh, product))
      return try builder.finish(output: last)
    }
  }

  private func key(
    _ layer: Layer = Layer(), _ numbers: [Float] = [1, 2, 3, 4], preparation: String = "p"
  ) throws -> String {
    let graph = try layer.graph(batch: 1, length: 1)
    let weights = MemoryWeights(for: graph.weights) { _ in numbers }
    let model = try Model(
      origin: "m", architecture: layer, files: ModelFiles(carriedBy: "m", texts: [:]),
      weights: weights)
    return try model.cacheKey(preparation: Array(preparation.utf8)).hex
  }

  @Test func namesDoNotCount() throws {
    let own = try key()
    #expect(try key(Layer(weight: "other", value: "x")) == own)
    #expect(own.count == 64)
  }

  @Test func whatIsComputedCounts() throws {
    let keys = [
      try key(), try key(Layer(isSigmoid: true)), try key(Layer(), [1, 2, 3, 4.0000005]),
      try key(Layer(), preparation: "q"),
    ]
    #expect(Set(keys).count == keys.count)
  }

  /// Apps keep embeddings by it: another key for what is the same makes them compute all anew.
  @Test func theKeyStaysWhatItIs() throws {
    // By Python's json and hashlib, of the facts in its page.
    #expect(
      try key()
        == "1b56f4c3dd0049643e84cd14f3c3d99ef74173cd4e227f7036035de3185cbb99")
  }
}
