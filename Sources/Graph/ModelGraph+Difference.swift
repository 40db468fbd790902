extension ModelGraph {
  /// The first operation that another graph does not have at its place, and the other's; nil if all are
  /// the same.
  ///
  /// Either is nil where its graph has ended.
  package func firstDifference(from other: ModelGraph) -> (own: Node?, other: Node?)? {
    for place in 0..<max(nodes.count, other.nodes.count) {
      let own = place < nodes.count ? nodes[place] : nil
      let theirs = place < other.nodes.count ? other.nodes[place] : nil
      guard let own, let theirs, own.name == theirs.name, own.operation.isSame(as: theirs.operation)
      else { return (own, theirs) }
    }
    return nil
  }
}

extension Operation {
  /// Whether another operation is of the same kind, with the same parameters and operands.
  fileprivate func isSame(as other: any Operation) -> Bool { self == other as? Self }

  /// Its parameters that are numbers, or lists of them, by the names that it gives them.
  package var numbers: [(name: String, text: String)] {
    Mirror(reflecting: self).children.compactMap { child in
      guard let name = child.label else { return nil }
      switch child.value {
      case is Int, is Float, is Double, is Bool, is [Int]: return (name, "\(child.value)")
      default: return nil
      }
    }
  }
}

extension Architecture {
  /// The graphs of two models for one input of the same length, as long as shows what depends on places;
  /// nil if they take different lengths.
  package func graphs(
    beside other: any Architecture
  ) throws(GraphError) -> (own: ModelGraph, other: ModelGraph)? {
    guard let length = length(beside: other) else { return nil }
    return (try graph(batch: 1, length: length), try other.graph(batch: 1, length: length))
  }

  private func length(beside other: any Architecture) -> Int? {
    switch (shapes, other.shapes, input, other.input) {
    case (.single(let ours), .single(let theirs), _, _): ours.first(where: theirs.contains)
    case (.any, .any, .tokens(let ours, _), .tokens(let theirs, _)): min(ours, theirs, 512)
    case (.any, .any, _, _): 1
    default: nil
    }
  }
}
