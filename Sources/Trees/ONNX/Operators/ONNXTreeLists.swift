import StrictJSON

/// The lists of nodes of the tree operators of version 1 and 3, of equal lengths.
struct ONNXTreeLists {
  private static let lists = [
    "nodes_treeids", "nodes_nodeids", "nodes_featureids", "nodes_truenodeids", "nodes_falsenodeids",
  ]
  static let attributes = Set(lists).union([
    "nodes_modes", "nodes_values", "nodes_values_as_tensor", "nodes_hitrates",
    "nodes_hitrates_as_tensor", "nodes_missing_value_tracks_true", "base_values",
    "base_values_as_tensor", "post_transform",
  ])

  static func leafAttributes(_ kind: String) -> Set<String> {
    ["ids", "nodeids", "treeids", "weights", "weights_as_tensor"].reduce(into: []) {
      $0.insert("\(kind)_\($1)")
    }
  }

  /// Of each node, a tree after the other.
  let trees: [Int]
  let nodes: [Int]
  let features: [Int]
  let whenTrue: [Int]
  let whenFalse: [Int]
  let modes: [Mode]
  let values: [Double]
  private let missingIsTrue: [Bool]
  /// Nodes of each tree, in the order of the file.
  let runs: [Range<Int>]

  /// Of each number of a leaf: its tree and node, its output and itself.
  let leafTrees: [Int]
  let leafNodes: [Int]
  let leafOutputs: [Int]
  let leafValues: [Double]
  let isDouble: Bool

  enum Mode: String {
    case lessOrEqual = "BRANCH_LEQ"
    case less = "BRANCH_LT"
    case greaterOrEqual = "BRANCH_GTE"
    case greater = "BRANCH_GT"
    case equal = "BRANCH_EQ"
    case notEqual = "BRANCH_NEQ"
    case leaf = "LEAF"
  }

  init(_ node: ONNXNode, kind: String, outputs: Int, isDouble: Bool) throws(TreeError) {
    self.isDouble = isDouble
    var lists: [[Int]] = []
    for name in ONNXTreeLists.lists { lists.append(try node.integers(name) ?? []) }
    (trees, nodes, features) = (lists[0], lists[1], lists[2])
    (whenTrue, whenFalse) = (lists[3], lists[4])
    values = try ONNXTreeLists.numbers(node, "nodes_values", isDouble)
    let names = try node.texts("nodes_modes") ?? []
    let missing = try node.integers("nodes_missing_value_tracks_true") ?? []
    let count = trees.count
    let lengths =
      zip(ONNXTreeLists.lists, lists.map(\.count)) + [
        ("nodes_values", values.count), ("nodes_modes", names.count),
        ("nodes_missing_value_tracks_true", missing.isEmpty ? count : missing.count),
      ]
    for (name, length) in lengths where length != count {
      throw node.fault(
        "'\(name)' has \(Figures.count(length, "element")), 'nodes_treeids' has \(count)")
    }
    missingIsTrue = missing.map { $0 != 0 }
    modes = try ONNXTreeLists.modes(names, node)
    runs = try ONNXTreeLists.runs(trees, node)

    leafTrees = try node.integers("\(kind)_treeids") ?? []
    leafNodes = try node.integers("\(kind)_nodeids") ?? []
    leafOutputs = try node.integers("\(kind)_ids") ?? []
    leafValues = try ONNXTreeLists.numbers(node, "\(kind)_weights", isDouble)
    for (name, length) in [
      ("nodeids", leafNodes.count), ("ids", leafOutputs.count), ("weights", leafValues.count),
    ] where length != leafTrees.count {
      throw node.fault(
        "'\(kind)_\(name)' has \(Figures.count(length, "element")), '\(kind)_treeids' has \(leafTrees.count)"
      )
    }
    guard let other = leafOutputs.first(where: { $0 < 0 || $0 >= outputs }) else { return }
    throw node.fault("a leaf adds to output \(other), there are \(outputs)")
  }

  /// What is added after the sums.
  func base(_ node: ONNXNode) throws(TreeError) -> [Double] {
    let base = try ONNXTreeLists.numbers(node, "base_values", isDouble)
    guard base.allSatisfy(\.isFinite) else { throw node.fault("'base_values' are not finite") }
    return base
  }

  /// Numbers that are floats, or since version 3 a tensor in the precision that the operator computes in.
  private static func numbers(
    _ node: ONNXNode, _ name: String, _ isDouble: Bool
  ) throws(TreeError) -> [Double] {
    let floats = try node.floats(name)
    guard let tensor = try node.tensor("\(name)_as_tensor") else {
      return floats?.map(Double.init) ?? []
    }
    guard floats ?? [] == [], node.version >= 3 else {
      throw node.fault("has '\(name)' twice, or as a tensor before version 3")
    }
    switch tensor.elements {
    case .floats(let values) where !isDouble: return values.map(Double.init)
    case .doubles(let values) where isDouble: return values
    default:
      throw node.fault(
        "'\(name)_as_tensor' is of the type \(tensor.type), the input asks for "
          + (isDouble ? "double" : "float"))
    }
  }

  private static func modes(_ names: [String], _ node: ONNXNode) throws(TreeError) -> [Mode] {
    var modes: [Mode] = []
    modes.reserveCapacity(names.count)
    for name in names {
      guard let mode = Mode(rawValue: name) else {
        throw node.fault("a node has the mode '\(name.prefix(60))', which is not known")
      }
      modes.append(mode)
    }
    return modes
  }

  private static func runs(_ trees: [Int], _ node: ONNXNode) throws(TreeError) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var seen: Set<Int> = []
    var start = 0
    while start < trees.count {
      var end = start + 1
      while end < trees.count, trees[end] == trees[start] { end += 1 }
      guard seen.insert(trees[start]).inserted else {
        throw node.fault("nodes of tree \(trees[start]) do not stand together")
      }
      runs.append(start..<end)
      start = end
    }
    return runs
  }

  /// The trees, whose leaves have the numbers of `leaves`.
  func ensemble(
    _ node: ONNXNode, _ leaves: ONNXTreeLeaves, features: Int, outputs: Int
  ) throws(TreeError) -> TreeEnsemble {
    let path = "\(node.path): \(node.place)"
    var builder = try TreeEnsembleBuilder(
      path: path, featureCount: features, base: [Double](repeating: 0, count: outputs),
      leafWidth: leaves.width,
      precision: .init(roundsFeatures: !isDouble, addsFloats: !isDouble), transform: .identity)
    for (tree, run) in runs.enumerated() {
      let nodes = try self.nodes(of: run, leaves, path, &builder)
      do throws(TreeError) { try builder.add(nodes, output: leaves.outputs[tree]) } catch {
        // The builder counts; the file has numbers of its own.
        throw TreeError(
          path: path, tree: trees[run.lowerBound],
          node: error.node.map { self.nodes[run.lowerBound + $0] }, fault: error.fault)
      }
    }
    return try builder.finish()
  }

  private func nodes(
    of run: Range<Int>, _ leaves: ONNXTreeLeaves, _ path: String,
    _ builder: inout TreeEnsembleBuilder
  ) throws(TreeError) -> TreeNodes {
    let start = run.lowerBound
    guard let places = leaves.places[start] else {
      throw TreeError(path: path, fault: "has a tree without nodes")
    }
    let chains = try self.chains(of: run, places, path)
    var nodes: [TreeNodes.Node] = []
    nodes.reserveCapacity(run.count)
    for place in run {
      guard modes[place] != .leaf else {
        nodes.append(.leaf(leaves.values(of: place)))
        continue
      }
      let chain = chains[place]
      let other = chain?.whenFalse ?? whenFalse[place]
      guard let yes = places.place(whenTrue[place]), let no = places.place(other) else {
        throw TreeError(
          path: path, tree: trees[place], node: self.nodes[place],
          fault: "has the children \(whenTrue[place]) and \(other), one of which is not a node")
      }
      guard let chain else {
        nodes.append(
          modes[place].branch(
            feature: features[place], threshold: values[place], yes: yes - start, no: no - start,
            missingIsTrue: isMissingTrue(place)))
        continue
      }
      nodes.append(
        .branch(
          feature: features[place], threshold: builder.add(chain.set),
          rule: chain.missingIsTrue
            ? [.isCategory, .isWhole, .missingGoesLeft] : [.isCategory, .isWhole],
          left: yes - start, right: no - start))
    }
    return TreeNodes(nodes)
  }

  func isMissingTrue(_ place: Int) -> Bool { !missingIsTrue.isEmpty && missingIsTrue[place] }
}

extension ONNXTreeLists.Mode {
  /// A branch that asks what the mode asks. NaN compares as false, but as true where something is not equal.
  ///
  /// - Parameters:
  ///   - yes: where a row goes for which it holds.
  ///   - missingIsTrue: whether a missing value goes there.
  func branch(
    feature: Int, threshold: Double, yes: Int, no: Int, missingIsTrue: Bool
  ) -> TreeNodes.Node {
    var rule: TreeEnsemble.Rule =
      switch self {
      case .lessOrEqual, .greater, .leaf: []
      case .less, .greaterOrEqual: .isStrict
      case .equal, .notEqual: .isEqual
      }
    let isTurned = self == .greater || self == .greaterOrEqual || self == .notEqual
    let missingGoesYes = missingIsTrue || self == .notEqual
    if missingGoesYes != isTurned { rule.insert(.missingGoesLeft) }
    return .branch(
      feature: feature, threshold: threshold, rule: rule, left: isTurned ? no : yes,
      right: isTurned ? yes : no)
  }
}
