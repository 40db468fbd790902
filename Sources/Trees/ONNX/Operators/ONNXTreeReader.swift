import StrictJSON

/// Reads trees of the operator of version 5, whose branches and leaves have lists of their own.
struct ONNXTreeReader {
  static let attributes: Set<String> = [
    "aggregate_function", "leaf_targetids", "leaf_weights", "membership_values", "n_targets",
    "nodes_falseleafs", "nodes_falsenodeids", "nodes_featureids", "nodes_hitrates",
    "nodes_missing_value_tracks_true", "nodes_modes", "nodes_splits", "nodes_trueleafs",
    "nodes_truenodeids", "post_transform", "tree_roots",
  ]
  /// Largest member of a set.
  private static let memberLimit = 65_535

  private let node: ONNXNode
  private let featureCount: Int
  private let isDouble: Bool
  private let outputs: Int
  private let roots: [Int]
  private let features: [Int]
  private let modes: [Int]
  private let splits: [Double]
  private let children: [[Int]]
  private let areLeaves: [[Int]]
  private let missing: [Int]
  private let leafOutputs: [Int]
  private let leafValues: [Double]
  private let members: [Double]

  init(_ node: ONNXNode, _ columns: TabularColumn) throws(TreeError) {
    self.node = node
    featureCount = columns.width
    isDouble = columns.type == .double
    outputs = try node.integer("n_targets") ?? 1
    roots = try node.integers("tree_roots") ?? []
    features = try node.integers("nodes_featureids") ?? []
    modes = try node.tensor("nodes_modes")?.elements.wholeNumbers ?? []
    splits = try ONNXTreeReader.numbers(node, "nodes_splits", isDouble)
    children = [
      try node.integers("nodes_truenodeids") ?? [], try node.integers("nodes_falsenodeids") ?? [],
    ]
    areLeaves = [
      try node.integers("nodes_trueleafs") ?? [], try node.integers("nodes_falseleafs") ?? [],
    ]
    missing = try node.integers("nodes_missing_value_tracks_true") ?? []
    leafOutputs = try node.integers("leaf_targetids") ?? []
    leafValues = try ONNXTreeReader.numbers(node, "leaf_weights", isDouble)
    members = try ONNXTreeReader.numbers(node, "membership_values", isDouble)
    try check()
  }

  private func check() throws(TreeError) {
    guard outputs > 0, outputs <= TreeEnsembleBuilder.outputLimit else {
      throw node.fault("has \(outputs) outputs, expected 1 to \(TreeEnsembleBuilder.outputLimit)")
    }
    for (name, count) in [
      ("nodes_modes", modes.count), ("nodes_splits", splits.count),
      ("nodes_truenodeids", children[0].count), ("nodes_falsenodeids", children[1].count),
      ("nodes_trueleafs", areLeaves[0].count), ("nodes_falseleafs", areLeaves[1].count),
      ("nodes_missing_value_tracks_true", missing.isEmpty ? features.count : missing.count),
    ] where count != features.count {
      throw node.fault(
        "'\(name)' has \(Figures.count(count, "element")), 'nodes_featureids' has \(features.count)"
      )
    }
    guard leafValues.count == leafOutputs.count else {
      throw node.fault(
        "'leaf_weights' has \(Figures.count(leafValues.count, "element")), 'leaf_targetids' has \(leafOutputs.count)"
      )
    }
    guard let other = leafOutputs.first(where: { $0 < 0 || $0 >= outputs }) else { return }
    throw node.fault("a leaf adds to output \(other), there are \(outputs)")
  }

  private static func numbers(
    _ node: ONNXNode, _ name: String, _ isDouble: Bool
  ) throws(TreeError) -> [Double] {
    guard let tensor = try node.tensor(name) else { return [] }
    switch tensor.elements {
    case .floats(let values) where !isDouble: return values.map(Double.init)
    case .doubles(let values) where isDouble: return values
    default:
      throw node.fault(
        "'\(name)' is of the type \(tensor.type), the input is \(isDouble ? "double" : "float")")
    }
  }

  /// The trees.
  func read() throws(TreeError) -> TabularTrees {
    // ONNX calls 1 softmax and 2 logistic, ONNX Runtime takes them the other way round.
    let transform = try node.integer("post_transform") ?? 0
    guard transform == 0 else {
      throw node.fault("'post_transform' is \(transform), whose meaning is in dispute; expected 0")
    }
    let aggregate = try node.integer("aggregate_function") ?? 1
    guard TabularTrees.Aggregate.allCases.indices.contains(aggregate) else {
      throw node.fault("'aggregate_function' is \(aggregate), expected 0 to 3")
    }
    let ensemble = try ensemble()
    let kind = TabularTrees.Aggregate.allCases[aggregate]
    guard [.sum, .average].contains(kind) || ensemble.leafWidth == 1 else {
      throw node.fault("takes the \(kind.rawValue) of leaves of which some have no number")
    }
    return TabularTrees(
      ensemble: ensemble, base: [], aggregate: kind,
      transform: .none, classes: nil, isDouble: isDouble,
      outputType: isDouble ? .double : .float)
  }

  private var path: String { "\(node.path): \(node.place)" }

  private func fault(_ tree: Int, _ branch: Int, _ text: String) -> TreeError {
    TreeError(path: path, tree: tree, node: branch, fault: text)
  }

  private func ensemble() throws(TreeError) -> TreeEnsemble {
    var sets = try memberSets()
    var isSeen = [Bool](repeating: false, count: features.count)
    var walks: [Walk] = []
    for tree in roots.indices { walks.append(try walk(tree, &isSeen)) }
    // Leaves of one tree that add to several outputs are as wide as these.
    let isSingle = walks.allSatisfy { $0.outputs.count < 2 }
    let leafCount = walks.reduce(0) { $0 + $1.leafCount }
    let (filled, overflows) = leafCount.multipliedReportingOverflow(by: outputs)
    guard isSingle || !overflows && filled <= max(1 << 20, 16 * leafCount) else {
      throw node.fault(
        "has \(leafCount) leaves with one number of \(Figures.count(outputs, "output")) each")
    }
    var builder = try TreeEnsembleBuilder(
      path: path, featureCount: featureCount, base: [Double](repeating: 0, count: outputs),
      leafWidth: isSingle ? 1 : outputs,
      precision: .init(roundsFeatures: !isDouble, addsFloats: !isDouble), transform: .identity)
    // In the order of the nodes: a dictionary has another in each process.
    var thresholds: [Int: Double] = [:]
    for (node, set) in sets.sorted(by: { $0.key < $1.key }) { thresholds[node] = builder.add(set) }
    sets = [:]
    for (tree, walk) in walks.enumerated() {
      let nodes = TreeNodes(walk.steps.map { self.node($0, isSingle, thresholds) })
      do throws(TreeError) {
        try builder.add(nodes, output: isSingle ? walk.outputs.first ?? 0 : 0)
      } catch {
        throw TreeError(
          path: path, tree: tree, node: error.node.map { walk.steps[$0].number }, fault: error.fault
        )
      }
    }
    return try builder.finish()
  }

  /// A node of a tree: a branch, with the places of its children in the tree, or a leaf.
  private struct Step {
    /// Of a branch or of a leaf, as the file counts them.
    let number: Int
    let isLeaf: Bool
    var children = [0, 0]
  }

  private struct Walk {
    var steps: [Step] = []
    var outputs: Set<Int> = []
    var leafCount = 0
  }

  /// The nodes of a tree from its root on; a leaf that two branches have is there twice.
  private func walk(_ tree: Int, _ isSeen: inout [Bool]) throws(TreeError) -> Walk {
    guard features.indices.contains(roots[tree]) else {
      throw fault(tree, roots[tree], "is the root, there \(Figures.are(features.count, "node"))")
    }
    var walk = Walk()
    walk.steps.append(Step(number: roots[tree], isLeaf: false))
    var next = 0
    while next < walk.steps.count {
      defer { next += 1 }
      let number = walk.steps[next].number
      if walk.steps[next].isLeaf {
        walk.outputs.insert(leafOutputs[number])
        walk.leafCount += 1
        continue
      }
      guard !isSeen[number] else {
        throw fault(tree, number, "is the child of two nodes, or of one below it")
      }
      isSeen[number] = true
      for side in 0...1 {
        let child = children[side][number]
        let isLeaf = areLeaves[side][number] != 0
        let count = isLeaf ? leafValues.count : features.count
        guard child >= 0, child < count else {
          let kind = isLeaf ? "leaf" : "child"
          throw fault(tree, number, "has the \(kind) \(child), there are \(count)")
        }
        walk.steps[next].children[side] = walk.steps.count
        walk.steps.append(Step(number: child, isLeaf: isLeaf))
      }
    }
    return walk
  }

  private func node(_ step: Step, _ isSingle: Bool, _ sets: [Int: Double]) -> TreeNodes.Node {
    let number = step.number
    guard !step.isLeaf else {
      guard !isSingle else { return .leaf([leafValues[number]]) }
      var values = [Double](repeating: 0, count: outputs)
      values[leafOutputs[number]] = leafValues[number]
      return .leaf(values)
    }
    let isTrue = !missing.isEmpty && missing[number] != 0
    if let set = sets[number] {
      return .branch(
        feature: features[number], threshold: set,
        rule: isTrue ? [.isCategory, .isWhole, .missingGoesLeft] : [.isCategory, .isWhole],
        left: step.children[0], right: step.children[1])
    }
    return ONNXTreeReader.modes[modes[number]].branch(
      feature: features[number], threshold: splits[number], yes: step.children[0],
      no: step.children[1], missingIsTrue: isTrue)
  }

  private static let modes: [ONNXTreeLists.Mode] = [
    .lessOrEqual, .less, .greaterOrEqual, .greater, .equal, .notEqual,
  ]

  /// Of each branch that asks for members of a set: the set. They stand in the order of the branches, with a
  /// NaN after each.
  private func memberSets() throws(TreeError) -> [Int: TreeEnsemble.CategorySet] {
    let lists = members.split(omittingEmptySubsequences: false) { $0.isNaN }
    var sets: [Int: TreeEnsemble.CategorySet] = [:]
    var words = 0
    for (number, mode) in modes.enumerated() {
      guard (0...6).contains(mode) else {
        throw node.fault("node \(number) has the mode \(mode), expected 0 to 6")
      }
      guard mode == 6 else { continue }
      guard sets.count < lists.count, !lists[sets.count].isEmpty else {
        throw node.fault("node \(number) asks for a set of members, there are \(lists.count)")
      }
      var categories: [Int] = []
      for member in lists[sets.count] {
        guard let category = Int(exactly: member), category >= 0,
          category <= ONNXTreeReader.memberLimit
        else {
          throw node.fault(
            "node \(number) has the member \(member), expected whole numbers from 0 to "
              + "\(ONNXTreeReader.memberLimit)")
        }
        categories.append(category)
      }
      let set = TreeEnsemble.CategorySet(categories)
      words += set.words.count
      guard words <= max(1 << 20, 64 * members.count) else {
        // Nodes of a tree follow its root.
        let before = roots.indices.filter { roots[$0] <= number }
        throw fault(
          before.max { roots[$0] < roots[$1] } ?? 0, number,
          "asks for the member \(categories.max() ?? 0), and the sets up to it would take \(8 * words) bytes for "
            + "\(members.count { !$0.isNaN }) members; give the categories small numbers, from 0 on"
        )
      }
      sets[number] = set
    }
    let rest = lists.dropFirst(sets.count)
    guard rest.isEmpty || rest.count == 1 && rest.allSatisfy(\.isEmpty) else {
      throw node.fault("has more sets of members than nodes that ask for one")
    }
    return sets
  }
}
