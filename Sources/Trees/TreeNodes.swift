/// The nodes of one tree, numbered as its library does; the root is node 0.
package struct TreeNodes: Sendable {
  package enum Node: Equatable, Sendable {
    /// - Parameters:
    ///   - threshold: of a rule with `isCategory` the index of `TreeEnsembleBuilder.add(_:)` of a set.
    ///   - left: node of the rows for which the rule holds.
    case branch(
      feature: Int, threshold: Double, rule: TreeEnsemble.Rule, left: Int, right: Int)
    /// - Parameter values: as many as the ensemble's `leafWidth`.
    case leaf([Double])
  }

  /// The number of nodes.
  package let count: Int
  /// A node by its number, 0..<count.
  package let node: @Sendable (Int) -> Node

  package init(count: Int, _ node: @escaping @Sendable (Int) -> Node) {
    self.count = count
    self.node = node
  }

  package init(_ nodes: [Node]) {
    count = nodes.count
    node = { nodes[$0] }
  }
}
