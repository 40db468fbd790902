import Graph
import Weights

/// The baseline's weights with some of the candidate's in their place.
struct SwappedWeights: WeightSource {
  let baseline: any WeightSource
  let candidate: any WeightSource
  /// Names of the weights that are the candidate's.
  let swapped: Set<TensorName>

  var names: [TensorName] { baseline.names }

  func shape(of name: TensorName) -> [Int]? { source(of: name).shape(of: name) }

  func floats(of name: TensorName) throws -> [Float] { try source(of: name).floats(of: name) }

  private func source(of name: TensorName) -> any WeightSource {
    swapped.contains(name) ? candidate : baseline
  }
}
