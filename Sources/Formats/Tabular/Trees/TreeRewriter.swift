import Trees

/// Rewrites one tree with the comparisons that Core ML has.
struct TreeRewriter {
  /// The largest number that libraries take for zero, which they keep in 32 bits.
  private static let zero = Double(1e-35 as Float)

  private let ensemble: TreeEnsemble
  private let names: [String]
  private let scale: TreeConversion.Scale
  private let tree: Int
  private let place: TabularPlace
  private var nodes: [TreeNodes.Node] = []
  private var open: [Open] = []

  /// A node of the tree that is still to be written, and the place that points to it.
  private struct Open {
    let node: Int32
    let parent: Int
    let isLeft: Bool
  }

  init(_ conversion: TreeConversion, _ scale: TreeConversion.Scale, tree: Int) {
    ensemble = conversion.ensemble
    names = conversion.names
    self.scale = scale
    self.tree = tree
    place = conversion.place.within("tree \(tree)")
  }

  /// The nodes, root first.
  ///
  /// - Parameter limit: most nodes.
  consuming func nodes(limit: Int) throws(TabularError) -> [TreeNodes.Node] {
    open = [Open(node: ensemble.roots[tree], parent: -1, isLeft: false)]
    while let next = open.popLast() {
      point(next, to: nodes.count)
      if next.node < 0 {
        nodes.append(.leaf(leaf(Int(-1 - next.node))))
      } else if ensemble.rules[Int(next.node)].contains(.isCategory) {
        try appendChain(Int(next.node), limit)
      } else {
        try appendBranch(Int(next.node))
      }
    }
    return nodes
  }

  private mutating func point(_ next: Open, to place: Int) {
    guard next.parent >= 0,
      case .branch(let feature, let threshold, let rule, let left, let right) = nodes[next.parent]
    else { return }
    nodes[next.parent] = .branch(
      feature: feature, threshold: threshold, rule: rule, left: next.isLeft ? place : left,
      right: next.isLeft ? right : place)
  }

  private func leaf(_ leaf: Int) -> [Double] {
    let first = Int(ensemble.outputs[tree])
    let kept = scale.outputs.clamped(to: first..<first + ensemble.leafWidth)
    return scale.numbers(
      kept.map { ensemble.leaves[leaf * ensemble.leafWidth + $0 - first] })
  }

  private func fault(_ branch: Int, _ text: String) -> TabularError {
    place.fault("feature '\(names[Int(ensemble.features[branch])])' \(text)")
  }

  private mutating func appendBranch(_ branch: Int) throws(TabularError) {
    let rule = ensemble.rules[branch]
    var kept = rule.intersection([.isStrict, .isEqual])
    if try missingGoesLeft(branch) { kept.insert(.missingGoesLeft) }
    append(branch, kept, try threshold(branch))
    open.append(Open(node: ensemble.right[branch], parent: nodes.count - 1, isLeft: false))
    open.append(Open(node: ensemble.left[branch], parent: nodes.count - 1, isLeft: true))
  }

  private mutating func append(_ branch: Int, _ rule: TreeEnsemble.Rule, _ threshold: Double) {
    nodes.append(
      .branch(
        feature: Int(ensemble.features[branch]), threshold: threshold, rule: rule, left: 0,
        right: 0))
  }

  /// Where NaN goes. Zeros that are missing must go there by comparing.
  private func missingGoesLeft(_ branch: Int) throws(TabularError) -> Bool {
    let (rule, threshold) = (ensemble.rules[branch], ensemble.thresholds[branch])
    if rule.contains(.readsMissingAsZero) {
      return rule.contains(.isEqual)
        ? threshold == 0 : rule.contains(.isStrict) ? 0 < threshold : 0 <= threshold
    }
    let goesLeft = rule.contains(.missingGoesLeft)
    if rule.contains(.zeroIsMissing) {
      let (zerosGoLeft, zerosGoRight) =
        rule.contains(.isEqual)
        ? (false, abs(threshold) > TreeRewriter.zero)
        : rule.contains(.isStrict)
          ? (TreeRewriter.zero < threshold, threshold <= -TreeRewriter.zero)
          : (TreeRewriter.zero <= threshold, threshold < -TreeRewriter.zero)
      guard goesLeft ? zerosGoLeft : zerosGoRight else {
        throw fault(
          branch,
          "counts 0 as missing, and missing values go \(goesLeft ? "left" : "right") of the "
            + "threshold \(threshold): Core ML's trees cannot say it; train with zeros as numbers")
      }
    }
    return goesLeft
  }

  /// The threshold that decides in doubles what the library decides once it has rounded the feature.
  private func threshold(_ branch: Int) throws(TabularError) -> Double {
    let (rule, threshold) = (ensemble.rules[branch], ensemble.thresholds[branch])
    guard ensemble.precision.roundsFeatures, !rule.contains(.isEqual) else { return threshold }
    return RoundedComparison.threshold(threshold, isStrict: rule.contains(.isStrict))
  }

  /// A set of categories: a node for each, whose true children are copies.
  private mutating func appendChain(_ branch: Int, _ limit: Int) throws(TabularError) {
    let rule = ensemble.rules[branch]
    var set = ensemble.categories[Int(ensemble.thresholds[branch])].members
    var goesLeft = rule.contains(.missingGoesLeft)
    if rule.contains(.readsMissingAsZero) {
      goesLeft = set.contains(0)
    } else if rule.contains(.zeroIsMissing) {
      set.removeAll { $0 == 0 }
      if goesLeft { set.append(0) }
    }
    guard nodes.count + open.count + 2 * set.count < limit else {
      throw fault(
        branch,
        "is compared with sets of categories, \(set.count) in one: Core ML's trees compare with one "
          + "category at a time, and would have more than 16 times the nodes; group the categories, "
          + "or train with one-hot columns")
    }
    let missing: TreeEnsemble.Rule = goesLeft ? .missingGoesLeft : []
    let left = ensemble.left[branch]
    if set.isEmpty {
      append(branch, missing.union(.isStrict), -.greatestFiniteMagnitude)
      open.append(Open(node: left, parent: nodes.count - 1, isLeft: true))
    }
    for (number, category) in set.enumerated() {
      if number > 0 {
        point(Open(node: 0, parent: nodes.count - 1, isLeft: false), to: nodes.count)
      }
      append(branch, number == 0 ? missing.union(.isEqual) : .isEqual, Double(category))
      open.append(Open(node: left, parent: nodes.count - 1, isLeft: true))
    }
    open.append(Open(node: ensemble.right[branch], parent: nodes.count - 1, isLeft: false))
  }
}

extension TreeEnsemble.CategorySet {
  /// Categories in order.
  fileprivate var members: [Int] {
    words.indices.flatMap { word in
      words[word] == 0 ? [] : (64 * word..<64 * word + 64).filter(contains)
    }
  }
}
