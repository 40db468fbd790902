extension ModelGraph {
  /// The part of a graph that must run to make a value, given values that are known.
  package struct Reach: Sendable {
    /// Known values and graph inputs that are read.
    package let sources: Set<String>
    /// Values of the nodes that run.
    package let made: Set<String>
  }

  /// Walks back from wanted values to known ones; a wanted value that is known is read as it is.
  package func reach(of wanted: [String], from known: Set<String>) -> Reach {
    let inputs = Set(self.inputs.map(\.name))
    var needed = Set(wanted)
    var sources: Set<String> = [], made: Set<String> = []
    for node in nodes.reversed() where needed.contains(node.name) {
      if known.contains(node.name) {
        sources.insert(node.name)
        continue
      }
      made.insert(node.name)
      for case .value(let name) in node.operation.operands.map(\.operand) { needed.insert(name) }
    }
    return Reach(sources: sources.union(inputs.intersection(needed)), made: made)
  }

  /// The part that computes one value from known ones, which become its inputs, together with the
  /// graph's own inputs that it needs.
  ///
  /// - Parameter known: names of values, without `wanted`.
  /// - Throws: `GraphError` if no node computes the value.
  package func part(making wanted: String, from known: Set<String>) throws(GraphError) -> ModelGraph
  {
    let reach = reach(of: [wanted], from: known)
    guard let end = nodes.first(where: { $0.name == wanted }), reach.made.contains(wanted) else {
      throw GraphError(
        value: wanted, operation: "graph", reason: "no operation makes a value of this name")
    }
    let given = nodes.filter { reach.sources.contains($0.name) }
    return ModelGraph(
      inputs: inputs.filter { reach.sources.contains($0.name) }
        + given.map { Input(name: $0.name, type: $0.type) },
      nodes: nodes.filter { reach.made.contains($0.name) }, output: wanted, outputType: end.type)
  }
}
