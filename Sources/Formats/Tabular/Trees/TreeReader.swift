import SwiftProtobuf
import Trees

/// Reads the nodes of one tree of Core ML's message.
struct TreeReader {
  private let place: TabularPlace
  private let leafWidth: Int
  private let count: Int

  /// - Parameters:
  ///   - leafWidth: 1, or the numbers of the prediction.
  ///   - count: the numbers of the prediction.
  init(_ place: TabularPlace, _ leafWidth: Int, of count: Int) {
    self.place = place
    self.leafWidth = leafWidth
    self.count = count
  }

  /// The nodes with the root first, which changed places with the first message; the number that leaves of one
  /// value add to; and the place of the root's message.
  func nodes(
    _ messages: [SpecTreeNode]
  ) throws(TabularError) -> (nodes: TreeNodes, output: Int, root: Int) {
    var places: [UInt64: Int] = [:]
    for (number, message) in messages.enumerated() {
      guard places.updateValue(number, forKey: message.nodeID) == nil else {
        throw place.fault("has two nodes \(message.nodeID)")
      }
    }
    let root = try root(messages, places)
    var output = 0
    if leafWidth == 1 {
      let leaf = messages.first { $0.nodeBehavior == .leaf }
      output = Int(clamping: leaf?.evaluationInfo.first?.evaluationIndex ?? 0)
    }
    // The builder begins at node 0: the root changes places with the first.
    func moved(_ number: Int) -> Int { number == root ? 0 : number == 0 ? root : number }
    var nodes: [TreeNodes.Node] = []
    nodes.reserveCapacity(messages.count)
    for number in messages.indices {
      let message = messages[moved(number)]
      let place = place.within("node \(message.nodeID)")
      try place.requireKnown(message)
      if message.nodeBehavior == .leaf {
        nodes.append(.leaf(try values(message, at: place)))
      } else {
        let truth = moved(places[message.trueChildNodeID] ?? 0)
        let other = moved(places[message.falseChildNodeID] ?? 0)
        nodes.append(try branch(message, truth, other, at: place))
      }
    }
    return (TreeNodes(nodes), output, root)
  }

  /// The one node that is no child, from which all others are reached.
  private func root(
    _ messages: [SpecTreeNode], _ places: [UInt64: Int]
  ) throws(TabularError) -> Int {
    var children = [Int](repeating: -1, count: 2 * messages.count)
    var isChild = [Bool](repeating: false, count: messages.count)
    for (number, message) in messages.enumerated() where message.nodeBehavior != .leaf {
      let place = place.within("node \(message.nodeID)")
      for (side, id) in [message.trueChildNodeID, message.falseChildNodeID].enumerated() {
        guard let child = places[id] else {
          throw place.fault("has the child \(id), which is not in the tree")
        }
        guard !isChild[child] else {
          throw place.fault("has the child \(id), which another node has too")
        }
        isChild[child] = true
        children[2 * number + side] = child
      }
    }
    let roots = isChild.indices.filter { !isChild[$0] }
    guard let root = roots.first else { throw place.fault("has no root: its nodes form a cycle") }
    guard roots.count == 1 else {
      throw place.fault(
        "has two roots, the nodes \(messages[roots[0]].nodeID) and \(messages[roots[1]].nodeID)")
    }
    var open = [root]
    var isReached = [Bool](repeating: false, count: messages.count)
    while let next = open.popLast() {
      isReached[next] = true
      open += children[2 * next..<2 * next + 2].filter { $0 >= 0 }
    }
    if let stray = isReached.firstIndex(of: false) {
      throw place.within("node \(messages[stray].nodeID)").fault("is part of a cycle")
    }
    return root
  }

  /// Numbers of a leaf, in order.
  private func values(_ message: SpecTreeNode, at place: TabularPlace) throws(TabularError)
    -> [Double]
  {
    let evaluations = message.evaluationInfo
    guard !evaluations.isEmpty else { throw place.fault("is a leaf without a value") }
    for evaluation in evaluations { try place.requireKnown(evaluation) }
    guard leafWidth > 1 else {
      guard evaluations[0].evaluationIndex < UInt64(count) else {
        throw place.fault(
          "adds to number \(evaluations[0].evaluationIndex), the model gives \(count), from 0")
      }
      return [evaluations[0].evaluationValue]
    }
    var values = [Double](repeating: 0, count: leafWidth)
    var seen: Set<UInt64> = []
    for evaluation in evaluations {
      guard evaluation.evaluationIndex < UInt64(leafWidth) else {
        throw place.fault("adds to number \(evaluation.evaluationIndex), there are \(leafWidth)")
      }
      guard seen.insert(evaluation.evaluationIndex).inserted else {
        throw place.fault("adds to number \(evaluation.evaluationIndex) twice")
      }
      values[Int(evaluation.evaluationIndex)] = evaluation.evaluationValue
    }
    return values
  }

  /// A branch whose true child goes left, or, of the opposite comparisons, right.
  private func branch(
    _ message: SpecTreeNode, _ truth: Int, _ other: Int, at place: TabularPlace
  ) throws(TabularError) -> TreeNodes.Node {
    guard message.evaluationInfo.isEmpty else {
      throw place.fault("is a branch with a value, which only leaves have")
    }
    var rule: TreeEnsemble.Rule
    var isOpposite = false
    switch message.nodeBehavior {
    case .lessOrEqual: rule = []
    case .less: rule = .isStrict
    case .greater: (rule, isOpposite) = ([], true)
    case .greaterOrEqual: (rule, isOpposite) = (.isStrict, true)
    case .equal: rule = .isEqual
    case .notEqual: (rule, isOpposite) = (.isEqual, true)
    case .leaf: throw place.fault("is not a branch")
    case .UNRECOGNIZED(let number):
      throw place.fault("has the behaviour \(number), expected 0 to 6")
    }
    if message.missingValueTracksTrueChild != isOpposite { rule.insert(.missingGoesLeft) }
    return .branch(
      feature: Int(clamping: message.branchFeatureIndex), threshold: message.branchFeatureValue,
      rule: rule, left: isOpposite ? other : truth, right: isOpposite ? truth : other)
  }
}
