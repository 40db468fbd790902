import StrictJSON

/// Makes a sound `TreeEnsemble` of the trees of a file, or says which node is not.
package struct TreeEnsembleBuilder {
  /// Most nodes of all trees; numbers of branches and leaves fit 32 bits.
  package static let nodeLimit = 1 << 30
  /// Most branches from a root to a leaf. No library grows trees near it.
  package static let depthLimit = 4096
  /// Most outputs: classes, or numbers of a regression.
  package static let outputLimit = 100_000

  private let path: String
  private var ensemble: TreeEnsemble
  private var nodeCount = 0

  /// - Parameters:
  ///   - path: the file, for messages.
  ///   - base: of each output the number that its sum begins with.
  ///   - leafWidth: numbers of each leaf.
  /// - Throws: if there are no outputs or no features, or too many, or a base is not finite.
  package init(
    path: String, featureCount: Int, base: [Double], leafWidth: Int = 1, divisor: Double = 1,
    precision: TreeEnsemble.Precision, transform: TreeEnsemble.Transform
  ) throws(TreeError) {
    func fault(_ text: String) -> TreeError { TreeError(path: path, fault: text) }
    guard featureCount > 0, featureCount <= Int(Int32.max) else {
      throw fault("there are \(featureCount) features, expected 1 to \(Int32.max)")
    }
    guard !base.isEmpty, base.count <= TreeEnsembleBuilder.outputLimit else {
      throw fault(
        "there \(Figures.are(base.count, "output")), expected 1 to \(TreeEnsembleBuilder.outputLimit)"
      )
    }
    guard base.allSatisfy(\.isFinite), divisor.isFinite, divisor > 0 else {
      throw fault("the sums begin with \(base) and are divided by \(divisor), which is not finite")
    }
    guard leafWidth > 0, leafWidth <= base.count else {
      throw fault(
        "a leaf has \(Figures.count(leafWidth, "number")), there \(Figures.are(base.count, "output"))"
      )
    }
    self.path = path
    ensemble = TreeEnsemble(
      leafWidth: leafWidth, featureCount: featureCount, base: base, divisor: divisor,
      precision: precision, transform: transform)
  }

  /// Notes a set of categories.
  ///
  /// - Returns: the threshold of branches that ask for it.
  package mutating func add(_ set: TreeEnsemble.CategorySet) -> Double {
    ensemble.categories.append(set)
    return Double(ensemble.categories.count - 1)
  }

  /// Adds a tree. Nodes that no path from its root reaches are left out.
  ///
  /// - Parameter output: the first output that its leaves add to.
  /// - Throws: `TreeError`, with the tree and the node.
  package mutating func add(_ nodes: TreeNodes, output: Int = 0) throws(TreeError) {
    let tree = ensemble.roots.count
    guard output >= 0, output <= ensemble.outputCount - ensemble.leafWidth else {
      throw fault(nil, "adds to output \(output), there are \(ensemble.outputCount)")
    }
    guard nodes.count > 0 else { throw fault(nil, "has no nodes") }
    nodeCount += nodes.count
    guard nodeCount <= TreeEnsembleBuilder.nodeLimit, tree < Int32.max else {
      throw fault(nil, "there are more than \(TreeEnsembleBuilder.nodeLimit) nodes")
    }
    ensemble.outputs.append(Int32(output))
    ensemble.roots.append(0)
    ensemble.roots[tree] = try walk(nodes)
  }

  /// The ensemble.
  ///
  /// - Throws: if it has no tree.
  package consuming func finish() throws(TreeError) -> TreeEnsemble {
    guard !ensemble.roots.isEmpty else { throw TreeError(path: path, fault: "has no trees") }
    return ensemble
  }

  private func fault(_ node: Int?, _ text: String) -> TreeError {
    TreeError(
      path: path, tree: ensemble.roots.count - (node == nil ? 0 : 1), node: node, fault: text)
  }

  /// A node that is still to be taken: its number, the branch above it, and how deep it lies.
  private struct Open {
    let node: Int
    let parent: Int
    let isLeft: Bool
    let depth: Int
  }

  /// Takes the nodes in the order in which a row meets them, left before right.
  ///
  /// - Returns: the root.
  private mutating func walk(_ nodes: TreeNodes) throws(TreeError) -> Int32 {
    var isSeen = [Bool](repeating: false, count: nodes.count)
    var open = [Open(node: 0, parent: -1, isLeft: false, depth: 0)]
    var root: Int32 = 0
    while let next = open.popLast() {
      guard !isSeen[next.node] else {
        throw fault(next.node, "is the child of two nodes, or of one below it")
      }
      isSeen[next.node] = true
      let place: Int32
      switch nodes.node(next.node) {
      case .leaf(let values):
        place = try append(leaf: values, next.node)
      case .branch(let feature, let threshold, let rule, let left, let right):
        guard next.depth < TreeEnsembleBuilder.depthLimit else {
          throw fault(
            next.node, "lies deeper than \(TreeEnsembleBuilder.depthLimit) branches")
        }
        for child in [left, right] where child < 0 || child >= nodes.count {
          throw fault(
            next.node, "has the child \(child), the tree has \(Figures.count(nodes.count, "node"))")
        }
        place = try append(feature, threshold, rule, next.node)
        let depth = next.depth + 1
        open.append(Open(node: right, parent: Int(place), isLeft: false, depth: depth))
        open.append(Open(node: left, parent: Int(place), isLeft: true, depth: depth))
      }
      if next.parent < 0 {
        root = place
      } else if next.isLeft {
        ensemble.left[next.parent] = place
      } else {
        ensemble.right[next.parent] = place
      }
    }
    return root
  }

  private mutating func append(leaf values: [Double], _ node: Int) throws(TreeError) -> Int32 {
    guard values.count == ensemble.leafWidth else {
      throw fault(
        node,
        "is a leaf of \(Figures.count(values.count, "number")), expected \(ensemble.leafWidth)")
    }
    guard values.allSatisfy(\.isFinite) else {
      throw fault(node, "is a leaf of \(values), which is not finite")
    }
    ensemble.leaves += values
    return Int32(-ensemble.leafCount)
  }

  private mutating func append(
    _ feature: Int, _ threshold: Double, _ rule: TreeEnsemble.Rule, _ node: Int
  ) throws(TreeError) -> Int32 {
    guard feature >= 0, feature < ensemble.featureCount else {
      throw fault(node, "looks at feature \(feature), there are \(ensemble.featureCount)")
    }
    guard !threshold.isNaN else { throw fault(node, "compares with NaN") }
    if rule.contains(.isCategory) {
      guard threshold >= 0, threshold < Double(ensemble.categories.count) else {
        throw fault(
          node, "asks for set \(threshold) of categories, there are \(ensemble.categories.count)")
      }
    }
    ensemble.features.append(Int32(feature))
    ensemble.thresholds.append(ensemble.precision.threshold(threshold, rule))
    ensemble.rules.append(rule)
    ensemble.left.append(0)
    ensemble.right.append(0)
    return Int32(ensemble.features.count - 1)
  }
}

extension TreeEnsemble.Precision {
  /// A threshold with the same decision for every feature that is kept.
  ///
  /// Where features are rounded to 32 bits, x ≤ t holds for the same x as x ≤ u, u the largest of them that
  /// is not above t; and x < t as x < u, u the smallest not below t.
  fileprivate func threshold(_ threshold: Double, _ rule: TreeEnsemble.Rule) -> Double {
    guard roundsFeatures, rule.isDisjoint(with: [.isCategory, .isEqual]) else { return threshold }
    let nearest = Float(threshold)
    if rule.contains(.isStrict) {
      return Double(Double(nearest) < threshold ? nearest.nextUp : nearest)
    }
    return Double(Double(nearest) > threshold ? nearest.nextDown : nearest)
  }
}
