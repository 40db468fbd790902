import Graph

extension Model {
  /// Refuses a model with a weight that is not finite, before long work begins.
  ///
  /// - Throws: `SearchError.notFinite` of the first such weight in the order of the graph; as reading.
  func requireFiniteWeights() throws {
    for weight in try architecture.smallestGraph().weights {
      let values = try weights.floats(of: weight.name)
      guard let first = values.firstIndex(where: { !$0.isFinite }) else { continue }
      throw SearchError.notFinite(
        origin: origin, weight: weight.name, count: values[first...].count { !$0.isFinite },
        first: first)
    }
  }
}
