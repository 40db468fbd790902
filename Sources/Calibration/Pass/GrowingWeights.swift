import Graph
import StrictJSON
import WeightCompression

/// Weights that are compressed one after the other; those that are not yet are the model's own.
struct GrowingWeights: WeightSource {
  private let source: any WeightSource
  private var tensors: [ExactString: CompressedTensor] = [:]

  init(_ source: any WeightSource) { self.source = source }

  var names: [String] { source.names }

  func shape(of name: String) -> [Int]? { source.shape(of: name) }

  func floats(of name: String) throws -> [Float] {
    try self[name]?.dequantized() ?? source.floats(of: name)
  }

  /// The compressed tensor of a name, compared by bytes.
  subscript(name: String) -> CompressedTensor? { tensors[ExactString(name)] }

  mutating func take(_ tensor: CompressedTensor) { tensors[ExactString(tensor.name)] = tensor }
}
