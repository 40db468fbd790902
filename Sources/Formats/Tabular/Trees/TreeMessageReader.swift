import SwiftProtobuf
import Trees

/// Reads Core ML's message of trees, and checks every node.
struct TreeMessageReader {
  private let place: TabularPlace
  private let featureCount: Int

  /// - Parameter featureCount: numbers of all inputs.
  init(_ place: TabularPlace, _ featureCount: Int) {
    self.place = place
    self.featureCount = featureCount
  }

  /// - Parameter labels: nil for a regressor.
  func ensemble(
    _ message: SpecTreeEnsembleParameters, _ transform: SpecTreeTransform, labels: TreeLabels?
  ) throws(TabularError) -> TreeEnsemble {
    try place.requireKnown(message)
    let count = try dimensions(message, labels)
    let base =
      message.basePredictionValue.isEmpty
      ? [Double](repeating: 0, count: count) : message.basePredictionValue
    guard base.count == count else {
      throw place.fault("has \(base.count) base values for \(count) numbers")
    }
    let trees = try grouped(message.nodes)
    let isWide = try hasWideLeaves(trees, message.nodes, count)
    var root = 0
    do {
      var builder = try TreeEnsembleBuilder(
        path: place.path, featureCount: featureCount, base: base, leafWidth: isWide ? count : 1,
        precision: .init(roundsFeatures: false, addsFloats: false),
        transform: try self.transform(transform, count))
      for tree in trees {
        let reader = TreeReader(place.within("tree \(tree.id)"), isWide ? count : 1, of: count)
        let read = try reader.nodes(tree.places.map { message.nodes[$0] })
        root = read.root
        try builder.add(read.nodes, output: read.output)
      }
      return try builder.finish()
    } catch let error as TabularError {
      throw error
    } catch let error as TreeError {
      let tree = error.tree.map { trees[$0] }
      let node = tree.flatMap { tree in
        error.node.map { message.nodes[tree.places[$0 == root ? 0 : $0 == 0 ? root : $0]].nodeID }
      }
      let words = [tree.map { "tree \($0.id)" }, node.map { "node \($0)" }]
      throw TabularError(
        path: place.path, place: place.place + words.compactMap(\.self), fault: error.fault)
    } catch {
      throw place.fault("\(error)")
    }
  }

  /// The numbers of the prediction: with labels as many as these, or one for two.
  private func dimensions(
    _ message: SpecTreeEnsembleParameters, _ labels: TreeLabels?
  ) throws(TabularError) -> Int {
    let count = Int(clamping: message.numPredictionDimensions)
    guard let labels else {
      guard count == 1 else {
        throw place.fault("is a regressor of \(count) numbers, expected one")
      }
      return 1
    }
    guard labels.count >= 2, count == labels.count || (count == 1 && labels.count == 2) else {
      throw place.fault(
        "has \(labels.count) labels and trees of \(count) numbers, expected as many, "
          + "or two labels and one number")
    }
    return count
  }

  private func transform(
    _ transform: SpecTreeTransform, _ count: Int
  ) throws(TabularError) -> TreeEnsemble.Transform {
    switch transform {
    case .noTransform: return .identity
    case .softmax: return .softmax
    case .logistic: return .sigmoid
    case .softmaxWithZeroReference:
      throw place.fault(
        "has the transform 3, softmax with a zero class, whose meaning is not known")
    case .UNRECOGNIZED(let number):
      throw place.fault("has the transform \(number), expected 0 to 2")
    }
  }

  /// A tree: the places of its nodes.
  private struct Tree {
    let id: UInt64
    var places: [Int]
  }

  /// Trees in the order in which they begin.
  private func grouped(_ nodes: [SpecTreeNode]) throws(TabularError) -> [Tree] {
    guard !nodes.isEmpty else { throw place.fault("has no trees") }
    var trees: [Tree] = []
    var known: [UInt64: Int] = [:]
    for (place, node) in nodes.enumerated() {
      if let tree = known[node.treeID] {
        trees[tree].places.append(place)
      } else {
        known[node.treeID] = trees.count
        trees.append(Tree(id: node.treeID, places: [place]))
      }
    }
    return trees
  }

  /// Whether the leaves of a tree add to several numbers.
  private func hasWideLeaves(
    _ trees: [Tree], _ nodes: [SpecTreeNode], _ count: Int
  ) throws(TabularError) -> Bool {
    let isWide = trees.contains { tree in
      var first: UInt64?
      return tree.places.contains { place in
        let evaluations = nodes[place].evaluationInfo
        guard nodes[place].nodeBehavior == .leaf, let index = evaluations.first?.evaluationIndex
        else { return false }
        defer { first = first ?? index }
        return evaluations.count > 1 || index != first ?? index
      }
    }
    guard isWide else { return false }
    // Leaves are kept with all numbers: refuse a file that names few of very many.
    let (named, leaves) = nodes.reduce((0, 0)) { sums, node in
      (sums.0 + node.evaluationInfo.count, sums.1 + (node.nodeBehavior == .leaf ? 1 : 0))
    }
    guard leaves * count <= max(1 << 20, 128 * named) else {
      throw place.fault("has \(leaves) leaves of \(count) numbers that name only \(named) of them")
    }
    return true
  }
}
