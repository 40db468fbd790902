import StrictJSON

/// One tree as a file of XGBoost has it: arrays with a value for each node.
struct XGBoostTree: Sendable {
  /// The child of a node that is a leaf.
  private static let none: Int32 = -1

  var parameters: [String: String] = [:]
  /// Of each branch its left child; −1 of a leaf.
  var left: [Int32] = []
  /// Of each branch its right child, the next of the left one; of a leaf with a vector its number in
  /// `leafWeights`.
  var right: [Int32] = []
  /// Of each branch: the feature that it looks at.
  var features: [Int32] = []
  /// Of each branch what it compares with; of a leaf its value.
  var conditions: [Float] = []
  /// Of each branch: whether a missing value goes left.
  var defaultLeft: [Bool] = []
  /// Of each branch: whether it asks for a category; empty where none does.
  var isCategory: [Bool] = []
  /// The categories of all branches, one after another.
  var categories: [Int32] = []
  /// The branches that ask for categories.
  var categoryNodes: [Int32] = []
  /// Of each of these: where its categories begin.
  var categoryStarts: [Int32] = []
  /// Of each of these: how many they are.
  var categoryCounts: [Int32] = []
  /// Vectors of nodes, [nodes, size of a vector], if they were read.
  var baseWeights: [Float]?
  /// Vectors of leaves, [leaves, size of a vector]; nil before version 3.2.
  var leafWeights: [Float]?

  /// Numbers of a leaf.
  private(set) var leafWidth = 1

  var nodeCount: Int { left.count }
  var isVector: Bool { leafWidth > 1 }

  /// Checks the arrays against each other once all are read, and drops what no one asks for.
  mutating func close(_ tree: Int, path: String) throws(TreeError) {
    func fault(_ node: Int? = nil, _ text: String) -> TreeError {
      TreeError(path: path, tree: tree, node: node, fault: text)
    }
    let texts = (parameters["num_nodes"] ?? "", parameters["size_leaf_vector"] ?? "0")
    guard let count = Int(texts.0), count >= 0, let width = Int(texts.1), width >= 0 else {
      throw fault(nil, "'num_nodes' is '\(texts.0)' and 'size_leaf_vector' '\(texts.1)'")
    }
    parameters = [:]
    leafWidth = max(width, 1)
    var sizes = [
      ("left_children", left.count), ("right_children", right.count),
      ("split_indices", features.count), ("split_conditions", conditions.count),
      ("default_left", defaultLeft.count),
    ]
    if !isCategory.isEmpty { sizes.append(("split_type", isCategory.count)) }
    for (name, size) in sizes where size != count {
      throw fault(nil, "'\(name)' has \(size) values, 'num_nodes' is \(count)")
    }
    if !isCategory.contains(true) { isCategory = [] }
    try checkVectors(fault)
    for node in 0..<count where left[node] != Self.none {
      // XGBoost takes the next of the left child for the right one, and so do all files it writes.
      guard Int(right[node]) == Int(left[node]) + 1 else {
        throw fault(
          node, "has the children \(left[node]) and \(right[node]), which do not follow each other")
      }
    }
  }

  private mutating func checkVectors(_ fault: (Int?, String) -> TreeError) throws(TreeError) {
    guard isVector else {
      guard leafWeights == nil else {
        throw fault(nil, "has 'leaf_weights', and 'size_leaf_vector' is \(leafWidth)")
      }
      baseWeights = nil
      return
    }
    guard let leafWeights else {
      guard let baseWeights else {
        throw fault(
          nil, "has leaves of \(Figures.count(leafWidth, "number")), the trees before have one")
      }
      let (size, overflows) = nodeCount.multipliedReportingOverflow(by: leafWidth)
      guard !overflows, baseWeights.count == size else {
        throw fault(
          nil,
          "'base_weights' has \(Figures.count(baseWeights.count, "value")) for \(nodeCount) nodes of \(leafWidth)"
        )
      }
      return
    }
    baseWeights = nil
    for node in 0..<nodeCount where left[node] == Self.none {
      guard right[node] >= 0, Int(right[node]) < leafWeights.count / leafWidth else {
        throw fault(
          node, "is leaf \(right[node]), 'leaf_weights' has \(leafWeights.count / leafWidth)")
      }
    }
  }

  /// The nodes.
  ///
  /// - Parameters:
  ///   - sets: of each branch that asks for a category, the threshold that stands for its set.
  ///   - weight: what leaves are multiplied by, in 32 bits.
  func nodes(sets: [Int: Double], weight: Float) -> TreeNodes {
    TreeNodes(count: nodeCount) { node in
      if left[node] == Self.none { return .leaf(leaf(node).map { Double($0 * weight) }) }
      let (left, right) = (Int(left[node]), Int(right[node]))
      if let set = sets[node] {
        // Those of the set go right; our rule sends them left, so that the children change places.
        var rule: TreeEnsemble.Rule = [.isCategory, .negativeIsNoCategory]
        if !defaultLeft[node] { rule.insert(.missingGoesLeft) }
        return .branch(
          feature: Int(features[node]), threshold: set, rule: rule, left: right, right: left)
      }
      var rule: TreeEnsemble.Rule = .isStrict
      if defaultLeft[node] { rule.insert(.missingGoesLeft) }
      return .branch(
        feature: Int(features[node]), threshold: Double(conditions[node]), rule: rule, left: left,
        right: right)
    }
  }

  private func leaf(_ node: Int) -> ArraySlice<Float> {
    guard isVector else { return conditions[node...node] }
    if let leafWeights {
      let start = Int(right[node]) * leafWidth
      return leafWeights[start..<start + leafWidth]
    }
    return (baseWeights ?? [])[node * leafWidth..<(node + 1) * leafWidth]
  }
}
