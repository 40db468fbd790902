import CKernels
import Trees

/// Trees laid out for running many rows: each tree's nodes together, its leaves among them.
///
/// Rules that the fast loops do not know (categories, zeros that are missing) run node by node.
final class PackedTrees: Sendable {
  private enum Nodes: Sendable {
    case floats([ingot_float_node])
    case doubles([ingot_double_node])
    case plain(TreeEnsemble)
  }

  /// One tree in the nodes of all.
  private struct Tree: Sendable {
    let start: Int
    let output: Int
  }

  private let header: TreeHeader
  private let nodes: Nodes
  private let trees: [Tree]
  /// Of each node that is a leaf the index of its first number in `leaves`.
  private let leafStarts: [Int32]
  private let leaves: [Double]

  init(_ ensemble: TreeEnsemble) {
    header = ensemble.header
    leaves = ensemble.leaves
    let known: TreeEnsemble.Rule = [.isStrict, .missingGoesLeft]
    guard ensemble.rules.allSatisfy({ $0.isSubset(of: known) }) else {
      nodes = .plain(ensemble)
      trees = []
      leafStarts = []
      return
    }
    var layout = TreeLayout(ensemble)
    trees = (0..<ensemble.treeCount).map { tree in
      Tree(start: layout.append(tree), output: Int(ensemble.outputs[tree]))
    }
    leafStarts = layout.leafStarts
    nodes =
      header.precision.roundsFeatures
      ? .floats(
        layout.nodes.map {
          ingot_float_node(
            threshold: Float($0.threshold), feature: $0.feature, left: $0.left, right: $0.right)
        })
      : .doubles(
        layout.nodes.map {
          ingot_double_node(
            threshold: $0.threshold, feature: $0.feature, left: $0.left, right: $0.right)
        })
  }

  /// Rows that go through one tree before the next tree is loaded: many, since the trees of a large
  /// model come from memory again for each block, but no more than stay in a second-level cache with
  /// their sums.
  private var blockRows: Int {
    let features = header.featureCount * (header.precision.roundsFeatures ? 4 : 8)
    let sums = header.outputCount * 8
    return max(64, (128 << 10) / max(1, features + sums))
  }

  /// Runs rows.
  ///
  /// - Parameters:
  ///   - x: [rows, features], fp32 or fp64 as the trees compare.
  ///   - output: [rows, outputs].
  func run(_ x: Tensor, into output: Tensor) {
    let count = x.shape[0]
    let blockRows = blockRows
    var sums: [Double] = []
    for start in stride(from: 0, to: count, by: blockRows) {
      let rows = start..<min(start + blockRows, count)
      sums.removeAll(keepingCapacity: true)
      for _ in rows { sums += header.base }
      add(x, rows, to: &sums)
      give(sums, of: rows, to: output)
    }
  }

  private func add(_ x: Tensor, _ rows: Range<Int>, to sums: inout [Double]) {
    if case .plain(let ensemble) = nodes {
      addPlainly(ensemble, x, rows, to: &sums)
      return
    }
    let isMissing = hasMissing(x, rows)
    var reached = [Int32](repeating: 0, count: rows.count)
    for tree in trees {
      reach(tree.start, x, rows, isMissing, &reached)
      add(reached, of: tree, to: &sums)
    }
  }

  private func hasMissing(_ x: Tensor, _ rows: Range<Int>) -> Bool {
    let width = header.featureCount
    let range = rows.lowerBound * width..<rows.upperBound * width
    return header.precision.roundsFeatures
      ? range.contains { unsafe x.floats[$0].isNaN } : range.contains { unsafe x.doubles[$0].isNaN }
  }

  private func reach(
    _ start: Int, _ x: Tensor, _ rows: Range<Int>, _ isMissing: Bool, _ reached: inout [Int32]
  ) {
    let width = header.featureCount
    let first = rows.lowerBound * width
    switch nodes {
    case .floats(let nodes):
      unsafe nodes.withUnsafeBufferPointer { nodes in
        guard let base = nodes.baseAddress else { return }
        unsafe ingot_float_leaves(
          base + start, x.floats + first, width, rows.count, isMissing ? 1 : 0, &reached)
      }
    case .doubles(let nodes):
      unsafe nodes.withUnsafeBufferPointer { nodes in
        guard let base = nodes.baseAddress else { return }
        unsafe ingot_double_leaves(
          base + start, x.doubles + first, width, rows.count, isMissing ? 1 : 0, &reached)
      }
    case .plain: break
    }
  }

  private func add(_ reached: [Int32], of tree: Tree, to sums: inout [Double]) {
    let (width, outputs) = (header.leafWidth, header.outputCount)
    for (row, node) in reached.enumerated() {
      let leaf = Int(leafStarts[tree.start + Int(node)])
      for place in 0..<width {
        let output = row * outputs + tree.output + place
        sums[output] =
          header.precision.addsFloats
          ? Double(Float(sums[output]) + Float(leaves[leaf + place]))
          : sums[output] + leaves[leaf + place]
      }
    }
  }

  private func addPlainly(
    _ ensemble: TreeEnsemble, _ x: Tensor, _ rows: Range<Int>, to sums: inout [Double]
  ) {
    let width = header.featureCount
    for (place, row) in rows.enumerated() {
      let features = (row * width..<(row + 1) * width).map { index in
        unsafe header.precision.roundsFeatures ? Double(x.floats[index]) : x.doubles[index]
      }
      let outputs = place * header.outputCount..<(place + 1) * header.outputCount
      sums.replaceSubrange(outputs, with: ensemble.undividedSums(of: features))
    }
  }

  private func give(_ sums: [Double], of rows: Range<Int>, to output: Tensor) {
    let width = header.outputCount
    for (place, row) in rows.enumerated() {
      let own = sums[place * width..<(place + 1) * width].map { $0 / header.divisor }
      for (column, value) in header.transform.apply(to: own).enumerated() {
        unsafe output.floats[row * width + column] = Float(value)
      }
    }
  }
}

/// The nodes of trees, a branch before what is below it.
private struct TreeLayout {
  struct Node {
    var threshold: Double
    var feature: UInt32
    var left: Int32
    var right: Int32
  }

  private let ensemble: TreeEnsemble
  private(set) var nodes: [Node] = []
  /// Of each node the index of its leaf's first number; 0 for a branch.
  private(set) var leafStarts: [Int32] = []

  init(_ ensemble: TreeEnsemble) { self.ensemble = ensemble }

  /// Appends the nodes of a tree.
  ///
  /// - Returns: the place of the first.
  mutating func append(_ tree: Int) -> Int {
    let start = nodes.count
    var open = [(node: ensemble.roots[tree], parent: -1, isLeft: false)]
    while let (node, parent, isLeft) = open.popLast() {
      let place = Int32(nodes.count - start)
      if node < 0 {
        nodes.append(Node(threshold: 0, feature: 0, left: place, right: place))
        leafStarts.append(Int32((-1 - Int(node)) * ensemble.leafWidth))
      } else {
        nodes.append(branch(Int(node)))
        leafStarts.append(0)
        open.append((ensemble.right[Int(node)], start + Int(place), false))
        open.append((ensemble.left[Int(node)], start + Int(place), true))
      }
      guard parent >= 0 else { continue }
      if isLeft { nodes[parent].left = place } else { nodes[parent].right = place }
    }
    return start
  }

  /// A branch that compares by ≤: x < t holds for the numbers up to the one before t.
  private func branch(_ index: Int) -> Node {
    let rule = ensemble.rules[index]
    var threshold = ensemble.thresholds[index]
    if rule.contains(.isStrict) {
      threshold =
        ensemble.precision.roundsFeatures
        ? Double(Float(threshold).nextDown) : threshold.nextDown
    }
    let feature = UInt32(ensemble.features[index]) << 1
    return Node(
      threshold: threshold, feature: feature | (rule.contains(.missingGoesLeft) ? 1 : 0), left: 0,
      right: 0)
  }
}
