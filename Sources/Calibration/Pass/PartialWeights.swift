import Graph
import WeightCompression
import Weights

/// Weights that are compressed one after the other; those that are not yet are the model's own.
struct PartialWeights: WeightSource {
  private let source: any WeightSource
  private var tensors: [TensorName: CompressedTensor] = [:]

  init(_ source: any WeightSource) { self.source = source }

  var names: [TensorName] { source.names }

  func shape(of name: TensorName) -> [Int]? { source.shape(of: name) }

  func floats(of name: TensorName) throws -> [Float] {
    try self[name]?.dequantized() ?? source.floats(of: name)
  }

  /// The compressed tensor of a name.
  subscript(name: TensorName) -> CompressedTensor? { tensors[name] }

  mutating func take(_ tensor: CompressedTensor) { tensors[tensor.name] = tensor }
}
