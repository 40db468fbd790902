import StrictJSON

/// One tree as a file of CatBoost has it.
struct CatBoostTree: Sendable {
  /// What a branch asks of a row.
  enum Split: Equatable, Sendable {
    /// Whether a feature is greater than a border.
    case border(feature: Int32, Float)
    /// Whether a feature is the category with a hash.
    case category(feature: Int32, hash: Int32)
  }

  /// Where a node leads.
  enum Node: Equatable, Sendable {
    /// - Parameters:
    ///   - split: its place in `splits`.
    ///   - left: the node for what does not hold.
    ///   - right: the node for what holds.
    case branch(split: Int32, left: Int32, right: Int32)
    /// Place of its first number in `leaves`.
    case leaf(Int32)
  }

  /// Most levels of a tree whose levels each ask one thing.
  private static let depthLimit = 24

  var splits: [Split] = []
  /// Numbers of all leaves, one leaf after another.
  var leaves: [Double] = []
  /// The nodes; nil where each level asks one thing, the first the lowest bit of the number of a leaf.
  var nodes: [Node]?
  /// Numbers of a leaf.
  var leafWidth = 1

  /// Checks a tree whose levels each ask one thing.
  ///
  /// - Parameter tree: its number, for messages.
  mutating func closeOblivious(_ tree: Int, path: String) throws(TreeError) {
    guard splits.count <= Self.depthLimit else {
      throw TreeError(
        path: path, tree: tree,
        fault:
          "has \(Figures.count(splits.count, "level")), more than \(Self.depthLimit) are not supported"
      )
    }
    let count = 1 << splits.count
    guard !leaves.isEmpty, leaves.count.isMultiple(of: count) else {
      throw TreeError(
        path: path, tree: tree,
        fault: "has \(leaves.count) 'leaf_values' for \(Figures.count(splits.count, "level")), "
          + "which are \(count) leaves")
    }
    leafWidth = leaves.count / count
  }

  /// The nodes.
  ///
  /// - Parameters:
  ///   - scale: what leaves are multiplied by.
  ///   - branches: of each of `splits` a branch whose left node is 0 and right node 1.
  func treeNodes(scale: Double, branches: [TreeNodes.Node]) -> TreeNodes {
    if let nodes {
      return TreeNodes(count: nodes.count) { number in
        switch nodes[number] {
        case .leaf(let start): leaf(at: Int(start), scale)
        case .branch(let split, let left, let right):
          Self.branch(branches[Int(split)], Int(left), Int(right))
        }
      }
    }
    let depth = splits.count
    return TreeNodes(count: 2 << depth - 1) { number in
      let level = (number + 1).bitWidth - 1 - (number + 1).leadingZeroBitCount
      guard level == depth else {
        return Self.branch(branches[level], 2 * number + 1, 2 * number + 2)
      }
      // The way to a leaf has the answer of the first level as its highest bit.
      let way = number + 1 - 1 << depth
      let place = (0..<depth).reduce(0) { $0 | (way >> (depth - 1 - $1) & 1) << $1 }
      return leaf(at: place * leafWidth, scale)
    }
  }

  private func leaf(at start: Int, _ scale: Double) -> TreeNodes.Node {
    .leaf(leaves[start..<start + leafWidth].map { $0 * scale })
  }

  /// A branch with its children in place of 0 and 1.
  private static func branch(
    _ node: TreeNodes.Node, _ zero: Int, _ one: Int
  ) -> TreeNodes.Node {
    guard case .branch(let feature, let threshold, let rule, let left, let right) = node else {
      return node
    }
    return .branch(
      feature: feature, threshold: threshold, rule: rule, left: left == 0 ? zero : one,
      right: right == 0 ? zero : one)
  }
}
