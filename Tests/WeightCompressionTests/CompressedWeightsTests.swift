import Graph
import Testing
import Weights

@testable import WeightCompression

struct CompressedWeightsTests {
  private func tensor(_ name: TensorName, _ values: [Float]) throws -> CompressedTensor {
    try CompressedTensor(
      WeightReference(name, [values.count], role: .bias), .uncompressed(values), relativeError: 0)
  }

  @Test func isASourceOfItsTensors() throws {
    let weights = CompressedWeights(
      tensors: [try tensor("b", [1, 2]), try tensor("a", [3])], unused: ["z"])
    #expect(weights.names == ["a", "b"])
    #expect(weights.tensors.map(\.name) == ["b", "a"])
    #expect(weights.shape(of: "b") == [2])
    #expect(weights.shape(of: "z") == nil)
    #expect(try weights.floats(of: "b") == [1, 2])
    let error = #expect(throws: CompressionError.self) { try weights.floats(of: "z") }
    #expect(error?.description == "compressed weights: no tensor 'z'")
  }

  @Test func comparesNamesByTheirBytes() throws {
    let composed: TensorName = "caf\u{e9}"
    let decomposed: TensorName = "cafe\u{301}"
    let weights = CompressedWeights(
      tensors: [try tensor(composed, [1]), try tensor(decomposed, [2])], unused: [])
    #expect(try weights.floats(of: composed) == [1])
    #expect(try weights.floats(of: decomposed) == [2])
  }
}
