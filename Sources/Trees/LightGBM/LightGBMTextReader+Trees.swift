import StrictJSON

// The trees, a line an array.
extension LightGBMTextReader {
  mutating func readTrees() throws {
    let start = text.offset
    var bytes = 0
    text.skipEmptyLines()
    while text.starts(with: "Tree=") {
      let number = document.trees.count
      if let treeSizes {
        guard number < treeSizes.count else {
          throw fault(
            "'tree_sizes' has \(Figures.count(treeSizes.count, "value")), there is one more tree")
        }
        guard text.offset - start == bytes else {
          throw fault(
            "begins \(text.offset - start) bytes behind the first, \(bytes) by 'tree_sizes'",
            tree: number)
        }
        bytes += Int(treeSizes[number])
      }
      let tree = try readTree(number)
      try tree.check(number, path: text.path)
      document.trees.append(tree)
      text.skipEmptyLines()
    }
    guard treeSizes?.count ?? document.trees.count == document.trees.count else {
      throw fault(
        "has \(Figures.count(document.trees.count, "tree")), 'tree_sizes' has \(Figures.count(treeSizes?.count ?? 0, "value")); "
          + "the file looks truncated")
    }
    // Before version 3 nothing stood there.
    guard text.starts(with: "end of trees\n") || text.starts(with: "feature importances:\n") else {
      throw text.error("'Tree=' or 'end of trees' is expected here")
    }
  }

  private mutating func readTree(_ number: Int) throws -> LightGBMTree {
    var tree = LightGBMTree()
    var keys: Set<String> = []
    var leafCount: Int?
    repeat {
      let (key, hasValue) = try text.key()
      guard hasValue else {
        throw text.error("tree \(number): \(quoted(key)) is not known, or has no '='")
      }
      guard keys.insert(key).inserted else {
        throw text.error("tree \(number): the key \(quoted(key)) appears twice")
      }
      switch key {
      case "Tree":
        let found = try text.integer()
        guard found == number else { throw fault("is number \(found)", tree: number) }
      case "num_leaves": leafCount = try text.integer()
      case "split_feature": tree.features = try text.numbers()
      case "threshold": tree.thresholds = try text.numbers()
      case "decision_type": tree.decisions = try decisions(try text.numbers(), number)
      case "left_child": tree.left = try text.numbers()
      case "right_child": tree.right = try text.numbers()
      case "leaf_value": tree.leaves = try text.numbers()
      case "cat_boundaries": tree.categoryBounds = try text.numbers()
      case "cat_threshold": tree.categoryWords = try text.numbers()
      case "is_linear":
        guard try text.integer() == 0 else { throw LightGBMTree.linear(number, path: text.path) }
      case "num_cat", "split_gain", "leaf_weight", "leaf_count", "internal_value",
        "internal_weight", "internal_count", "leaf_parent", "shrinkage":
        try text.skipLine()
      default: throw text.error("tree \(number) has the key \(quoted(key)), which is not known")
      }
    } while !text.isAtEnd && !text.starts(with: "\n")
    guard leafCount == tree.leaves.count else {
      throw fault(
        "'leaf_value' has \(Figures.count(tree.leaves.count, "value")), 'num_leaves' is "
          + "\(leafCount.map(String.init) ?? "missing")", tree: number)
    }
    return tree
  }

  private func decisions(_ numbers: [Int32], _ tree: Int) throws(TreeError) -> [UInt8] {
    var decisions: [UInt8] = []
    decisions.reserveCapacity(numbers.count)
    for number in numbers {
      guard let decision = LightGBMTree.decision(number) else {
        throw TreeError(
          path: text.path, tree: tree, node: decisions.count,
          fault: "has the 'decision_type' \(number), which is not known")
      }
      decisions.append(decision)
    }
    return decisions
  }
}

extension LightGBMTree {
  /// An error about a tree whose leaves are linear models.
  static func linear(_ tree: Int, path: String) -> TreeError {
    TreeError(
      path: path, tree: tree,
      fault: "has leaves that are linear models, which are not supported; "
        + "train with linear_tree=False")
  }
}
