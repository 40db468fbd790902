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
}

extension Architecture {
  /// The graphs of two models for one input of the same length; nil if they take different lengths.
  package func graphs(
    beside other: any Architecture
  ) throws(GraphError) -> (own: ModelGraph, other: ModelGraph)? {
    let length: Int?
    switch (shapes, other.shapes) {
    case (.any, .any): length = 1
    case (.single(let lengths), .any), (.any, .single(let lengths)): length = lengths.first
    case (.single(let ours), .single(let theirs)): length = ours.first(where: theirs.contains)
    }
    guard let length else { return nil }
    return (try graph(batch: 1, length: length), try other.graph(batch: 1, length: length))
  }
}
