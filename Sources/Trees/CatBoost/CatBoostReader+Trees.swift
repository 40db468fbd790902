import StrictJSON

// The trees, of either form.
extension CatBoostReader {
  private static let limit = Int(Int32.max)

  // MARK: Trees whose levels each ask one thing

  mutating func readObliviousTrees() throws {
    guard try !isNull() else { return }
    try scanner.beginArray()
    while try scanner.nextElement() {
      let number = document.trees.count
      var tree = CatBoostTree()
      try scanner.beginObject()
      while let key = try scanner.nextKey() {
        switch key {
        case "leaf_values": tree.leaves = try scanner.doubles()
        case "splits":
          guard try !isNull() else { continue }
          try scanner.beginArray()
          while try scanner.nextElement() { tree.splits.append(try split(number)) }
        case "leaf_weights": try scanner.skip()
        default: throw unknown(key, in: "tree \(number)")
        }
      }
      try tree.closeOblivious(number, path: scanner.path)
      document.trees.append(tree)
    }
  }

  private mutating func split(_ tree: Int) throws -> CatBoostTree.Split {
    var (type, border, hash): (String?, Double?, Int?) = (nil, nil, nil)
    var (number, category): (Int?, Int?) = (nil, nil)
    try scanner.beginObject()
    while let key = try scanner.nextKey() {
      switch key {
      case "split_type": type = try scanner.string()
      case "border": border = try scanner.double()
      case "float_feature_index": number = try scanner.integer()
      case "cat_feature_index": category = try scanner.integer()
      case "value": hash = try scanner.integer()
      case "split_index", "ctr_target_border_idx": _ = try scanner.integer()
      default: throw unknown(key, in: "a split of tree \(tree)")
      }
    }
    switch type {
    case "FloatFeature":
      if let border, let feature = number.flatMap({ Int32(exactly: $0) }) {
        return .border(feature: feature, Float(border))
      }
    case "OneHotFeature":
      if let hash = hash.flatMap({ Int32(exactly: $0) }),
        let feature = category.flatMap({ Int32(exactly: $0) })
      {
        return .category(feature: feature, hash: hash)
      }
    // The features are named once all of the file is read; without these there is nothing to name.
    case "OnlineCtr":
      usesStatistics = true
      return .border(feature: 0, 0)
    default: break
    }
    throw scanner.error(
      "tree \(tree) has a split of type \(quoted(type ?? "")), which is not known or lacks a value")
  }

  // MARK: Other trees, whose nodes are objects within each other

  /// A node that is entered and not left.
  private struct OpenNode {
    let place: Int
    var split: Int32?
    var leaf: Int32?
    var left: Int32?
    var right: Int32?
  }

  mutating func readTrees() throws {
    guard try !isNull() else { return }
    // Nodes lie within each other as deep as the tree is; nothing in them is skipped that could nest.
    let depthLimit = scanner.depthLimit
    scanner.depthLimit = TreeEnsembleBuilder.depthLimit + depthLimit
    defer { scanner.depthLimit = depthLimit }
    try scanner.beginArray()
    while try scanner.nextElement() {
      document.trees.append(try readTree(document.trees.count))
    }
  }

  private mutating func readTree(_ number: Int) throws -> CatBoostTree {
    var tree = CatBoostTree()
    var nodes: [CatBoostTree.Node] = [.leaf(0)]
    var open = [OpenNode(place: 0)]
    try scanner.beginObject()
    while var node = open.popLast() {
      guard let key = try scanner.nextKey() else {
        nodes[node.place] = try close(node, number)
        continue
      }
      switch key {
      case "left", "right":
        guard nodes.count < Self.limit else { throw scanner.error("has too many nodes") }
        if key == "left" { node.left = Int32(nodes.count) } else { node.right = Int32(nodes.count) }
        open.append(node)
        open.append(OpenNode(place: nodes.count))
        nodes.append(.leaf(0))
        try scanner.beginObject()
        continue
      case "split":
        node.split = Int32(tree.splits.count)
        tree.splits.append(try split(number))
      case "value":
        node.leaf = Int32(clamping: tree.leaves.count)
        let values = try values()
        guard tree.leaves.isEmpty || tree.leafWidth == values.count else {
          throw scanner.error(
            "a leaf has \(Figures.count(values.count, "number")), others \(tree.leafWidth)")
        }
        tree.leafWidth = values.count
        tree.leaves += values
      case "weight": _ = try scanner.double()
      default: throw unknown(key, in: "a node of tree \(number)")
      }
      open.append(node)
    }
    tree.nodes = nodes
    return tree
  }

  private mutating func values() throws -> [Double] {
    guard case .number = try scanner.kind() else {
      let values = try scanner.doubles()
      guard !values.isEmpty else { throw scanner.error("a leaf has no numbers") }
      return values
    }
    return [try scanner.double()]
  }

  private func close(_ node: OpenNode, _ tree: Int) throws -> CatBoostTree.Node {
    switch (node.split, node.left, node.right, node.leaf) {
    case (nil, nil, nil, let leaf?) where leaf < Int32.max: return .leaf(leaf)
    case (let split?, let left?, let right?, nil):
      return .branch(split: split, left: left, right: right)
    default:
      throw TreeError(
        path: scanner.path, tree: tree, node: node.place,
        fault: "has neither a 'value' nor a 'split', 'left' and 'right'")
    }
  }
}
