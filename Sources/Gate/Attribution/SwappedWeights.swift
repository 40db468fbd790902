import Graph
import StrictJSON

/// The baseline's weights with some of the candidate's in their place.
struct SwappedWeights: WeightSource {
  let baseline: any WeightSource
  let candidate: any WeightSource
  /// Names of the weights that are the candidate's.
  let swapped: Set<ExactString>

  var names: [String] { baseline.names }

  func shape(of name: String) -> [Int]? { source(of: name).shape(of: name) }

  func floats(of name: String) throws -> [Float] { try source(of: name).floats(of: name) }

  private func source(of name: String) -> any WeightSource {
    swapped.contains(ExactString(name)) ? candidate : baseline
  }
}
