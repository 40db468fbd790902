import StrictJSON

// The nodes of a tree, which are objects within each other.
extension LightGBMJSONReader {
  /// A node that is entered and not left.
  private struct Node {
    /// Its number, once a child shows that it is a branch.
    var branch: Int?
    var leafValue: Double?
    var feature: Int32?
    var threshold: Double?
    var categories: String?
    var decisionType: String?
    var missingGoesLeft: Bool?
    var missing: LightGBMTree.Missing?
    var left: Int32?
    var right: Int32?
    /// Which child of it is read.
    var isLeft = true
  }

  /// Reads a tree; of a branch its number comes before those of the branches below it.
  mutating func readTree(_ number: Int) throws -> LightGBMTree {
    var tree = LightGBMTree()
    var open = [Node()]
    // Nodes lie within each other as deep as the tree is; nothing in them is skipped that could nest.
    let depthLimit = scanner.depthLimit
    scanner.depthLimit = TreeEnsembleBuilder.depthLimit + depthLimit
    defer { scanner.depthLimit = depthLimit }
    try scanner.beginObject()
    while var node = open.popLast() {
      guard let key = try scanner.nextKey() else {
        let child = try close(node, number, &tree)
        guard !open.isEmpty else { break }
        if open[open.count - 1].isLeft {
          open[open.count - 1].left = child
        } else {
          open[open.count - 1].right = child
        }
        continue
      }
      guard key == "left_child" || key == "right_child" else {
        try readValue(of: key, &node, number)
        open.append(node)
        continue
      }
      node.isLeft = key == "left_child"
      if node.branch == nil { node.branch = tree.addBranch() }
      open.append(node)
      open.append(Node())
      try scanner.beginObject()
    }
    return tree
  }

  private mutating func readValue(of key: String, _ node: inout Node, _ tree: Int) throws {
    switch key {
    case "split_feature":
      guard let feature = Int32(exactly: try scanner.integer()) else {
        throw scanner.error("'split_feature' is not a number of 32 bits")
      }
      node.feature = feature
    case "threshold":
      if case .string = try scanner.kind() {
        node.categories = try scanner.string()
      } else {
        node.threshold = Self.threshold(try scanner.double())
      }
    case "decision_type": node.decisionType = try scanner.string()
    case "default_left": node.missingGoesLeft = try scanner.bool()
    case "missing_type": node.missing = try missing(try scanner.string())
    case "leaf_value": node.leafValue = try scanner.double()
    case "split_index", "leaf_index", "leaf_count", "internal_count": _ = try scanner.integer()
    case "split_gain", "leaf_weight", "internal_value", "internal_weight":
      _ = try scanner.double()
    case "leaf_const", "leaf_features", "leaf_coeff":
      throw LightGBMTree.linear(tree, path: scanner.path)
    default: throw scanner.error("a node has the key \(quoted(key)), which is not known")
    }
  }

  /// The dump has ±1e300 for what lies beyond, infinity as a rule: where all numbers go left, and what is missing
  /// goes right.
  private static func threshold(_ number: Double) -> Double {
    number.magnitude >= 1e300 ? (number < 0 ? -.infinity : .infinity) : number
  }

  private func missing(_ name: String) throws(ScanError) -> LightGBMTree.Missing {
    switch name {
    case "None": return .none
    case "Zero": return .zero
    case "NaN": return .nan
    default: throw scanner.error("'missing_type' is \(quoted(name)), expected None, Zero or NaN")
    }
  }

  /// Notes a node whose end is reached.
  ///
  /// - Returns: its number as a child.
  private mutating func close(
    _ node: Node, _ number: Int, _ tree: inout LightGBMTree
  ) throws -> Int32 {
    guard let branch = node.branch else {
      guard let value = node.leafValue, node.feature == nil else {
        throw scanner.error("a node has neither two children nor a 'leaf_value'")
      }
      tree.leaves.append(value)
      return Int32(-tree.leaves.count)
    }
    guard let left = node.left, let right = node.right, let feature = node.feature,
      let missingGoesLeft = node.missingGoesLeft, let missing = node.missing,
      node.leafValue == nil
    else {
      throw scanner.error(
        "a branch lacks one of 'left_child', 'right_child', 'split_feature', 'default_left' and "
          + "'missing_type', or has a 'leaf_value'")
    }
    let threshold: Double
    switch (node.decisionType, node.threshold, node.categories) {
    case ("<=", let number?, nil): threshold = number
    case ("==", nil, let categories?):
      threshold = Double(tree.categoryBounds.count - 1)
      try addSet(categories, number, branch, &tree)
    default:
      throw scanner.error(
        "a branch has the 'decision_type' \(quoted(node.decisionType ?? "")), or a 'threshold' that "
          + "is not of its kind")
    }
    tree.features[branch] = feature
    tree.thresholds[branch] = threshold
    tree.decisions[branch] = LightGBMTree.decision(
      isCategory: node.categories != nil, missingGoesLeft: missingGoesLeft, missing)
    tree.left[branch] = left
    tree.right[branch] = right
    return Int32(branch)
  }

  /// Adds a set of categories, `0||3||70`.
  private mutating func addSet(
    _ text: String, _ number: Int, _ branch: Int, _ tree: inout LightGBMTree
  ) throws(TreeError) {
    let parts = text.split(separator: "|").map { Int32($0) }
    let categories = parts.compactMap(\.self)
    guard categories.count == parts.count, categories.allSatisfy({ $0 >= 0 }) else {
      throw TreeError(
        path: scanner.path, tree: number, node: branch,
        fault: "asks for the categories \(quoted(text)), expected '0||3'")
    }
    let count = categories.max().map { Int($0) / 32 + 1 } ?? 0
    wordsLeft -= count
    guard wordsLeft >= 0 else {
      throw TreeError(
        path: scanner.path, tree: number, node: branch,
        fault: "asks for category \(categories.max() ?? 0); the sets take more memory than fits")
    }
    let start = tree.categoryWords.count
    tree.categoryWords += [UInt32](repeating: 0, count: count)
    for category in categories {
      tree.categoryWords[start + Int(category) / 32] |= 1 << UInt32(category % 32)
    }
    tree.categoryBounds.append(Int32(tree.categoryWords.count))
  }
}

extension LightGBMTree {
  /// Adds a branch that is still to be filled.
  ///
  /// - Returns: its number.
  mutating func addBranch() -> Int {
    features.append(0)
    thresholds.append(0)
    decisions.append(0)
    left.append(0)
    right.append(0)
    return branchCount - 1
  }
}
