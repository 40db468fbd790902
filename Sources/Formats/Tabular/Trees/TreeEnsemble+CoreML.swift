import Trees

extension TreeEnsemble {
  /// Refuses trees that Core ML cannot hold as they are; `TreeConversion` makes such as it can.
  ///
  /// - Parameters:
  ///   - features: names of the numbers of a row.
  ///   - labels: nil for a regressor.
  func checkForCoreML(
    features: [String], labels: TreeLabels?, at place: TabularPlace
  ) throws(TabularError) {
    let expected = labels.map { $0.count == 2 && outputCount == 1 ? 1 : $0.count } ?? 1
    guard outputCount == expected, labels.map({ $0.count > 1 }) ?? true else {
      throw place.fault(
        labels.map {
          "has \($0.count) labels and trees of \(outputCount) numbers, expected as many, "
            + "or two labels and one number"
        } ?? "is a regressor of \(outputCount) numbers, expected one")
    }
    switch (transform, labels) {
    case (.identity, _): break
    case (.sigmoid, _) where outputCount == 1: break
    case (.softmax, .some) where outputCount > 1: break
    default:
      throw place.fault(
        "has the transform '\(transform.rawValue)' of \(outputCount) numbers, which Core ML's "
          + "\(labels == nil ? "regressor" : "classifier") of trees lacks")
    }
    guard divisor == 1, !precision.roundsFeatures, !precision.addsFloats else {
      throw place.fault("has trees that divide or round, which Core ML's trees do not")
    }
    let plain: Rule = [.isStrict, .isEqual, .missingGoesLeft]
    for branch in 0..<branchCount where !rules[branch].isSubset(of: plain) {
      throw place.fault(
        "compares '\(features[Int(self.features[branch])])' by a rule that Core ML's trees lack")
    }
  }

  /// The format's message, nodes in the order in which a row meets them, true before false.
  func message() -> SpecTreeEnsembleParameters {
    var message = SpecTreeEnsembleParameters()
    message.numPredictionDimensions = UInt64(outputCount)
    message.basePredictionValue = base
    message.nodes.reserveCapacity(branchCount + leafCount)
    for tree in 0..<treeCount { append(tree, to: &message.nodes) }
    return message
  }

  /// A node that is still to be written.
  private struct Open {
    let node: Int32
    /// Its parent's place among all nodes.
    let parent: Int?
    let isLeft: Bool
  }

  private func append(_ tree: Int, to nodes: inout [SpecTreeNode]) {
    let first = nodes.count
    var open = [Open(node: roots[tree], parent: nil, isLeft: false)]
    while let next = open.popLast() {
      let id = UInt64(nodes.count - first)
      if let parent = next.parent {
        if next.isLeft {
          nodes[parent].trueChildNodeID = id
        } else {
          nodes[parent].falseChildNodeID = id
        }
      }
      if next.node >= 0 {
        open.append(Open(node: right[Int(next.node)], parent: nodes.count, isLeft: false))
        open.append(Open(node: left[Int(next.node)], parent: nodes.count, isLeft: true))
      }
      nodes.append(message(of: next.node, tree))
      nodes[nodes.count - 1].treeID = UInt64(tree)
      nodes[nodes.count - 1].nodeID = id
    }
  }

  private func message(of node: Int32, _ tree: Int) -> SpecTreeNode {
    var message = SpecTreeNode()
    guard node >= 0 else {
      message.nodeBehavior = .leaf
      message.evaluationInfo = evaluations(of: Int(-1 - node), tree)
      return message
    }
    let rule = rules[Int(node)]
    message.nodeBehavior =
      rule.contains(.isEqual) ? .equal : rule.contains(.isStrict) ? .less : .lessOrEqual
    message.branchFeatureIndex = UInt64(features[Int(node)])
    message.branchFeatureValue = thresholds[Int(node)]
    message.missingValueTracksTrueChild = rule.contains(.missingGoesLeft)
    return message
  }

  /// Numbers of a leaf by output: those that are not 0, but at least one.
  private func evaluations(of leaf: Int, _ tree: Int) -> [SpecEvaluationInfo] {
    var places = (0..<leafWidth).filter { leaves[leaf * leafWidth + $0] != 0 }
    if places.isEmpty { places = [0] }
    return places.map { place in
      var evaluation = SpecEvaluationInfo()
      evaluation.evaluationIndex = UInt64(Int(outputs[tree]) + place)
      evaluation.evaluationValue = leaves[leaf * leafWidth + place]
      return evaluation
    }
  }
}
