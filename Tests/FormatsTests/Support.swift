import Files
import Graph
import ModelFixtures
import Weights
import WeightCompression

/// A small dense model with weights that are not round.
enum SmallModel {
  static func description(bias: String) -> String {
    """
    {"architecture": "dense", "inputs": [{"name": "a"}, {"name": "b"}, {"name": "c"}],
     "layers": [{"weight": "w", "bias": "\(bias)"}], "output": {"kind": "embedding"}}
    """
  }

  static func make(bias: String = "b") throws -> Model {
    let values = (0..<12).map { Float($0 * $0) * 0.0371 - 1.3 }
    let weights = MemoryWeights(tensors: [
      "w": ([4, 3], values), TensorName(bias): ([4], [0.5, -1, 0, 3]), "spare": ([2], [1, 2]),
    ])
    let files = ModelFiles(
      carriedBy: "small", texts: ["model.json": Array(description(bias: bias).utf8)])
    return try Model(
      origin: "small", architecture: try Architectures.recognise(files, weights: weights),
      files: files, weights: weights)
  }

  static func compressed(_ scheme: Scheme) throws -> CompressedWeights {
    let model = try make()
    return try WeightCompressor.compress(
      weights: try model.usedWeights(), from: model.weights,
      options: try CompressionOptions(scheme: scheme), jobs: 1)
  }
}
