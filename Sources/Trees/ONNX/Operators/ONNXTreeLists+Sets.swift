/// Chains of branches that compare a feature with one category after another, and go to the same node where one
/// is equal: onnxmltools writes a set of LightGBM so. A tree has no node with two parents, so they become one.
extension ONNXTreeLists {
  /// A branch in place of a chain.
  struct Chain {
    let set: TreeEnsemble.CategorySet
    /// The node of the rows that are in no category of the set, as the file numbers it.
    let whenFalse: Int
    let missingIsTrue: Bool
  }

  /// Largest category of a chain.
  private static let categoryLimit = 65_535

  /// The chains of a tree, by the place of their first branch.
  func chains(of run: Range<Int>, _ places: ONNXTreePlaces, _ path: String) throws(TreeError)
    -> [Int: Chain]
  {
    var next: [Int: Int] = [:]
    for place in run {
      if let other = places.place(whenFalse[place]), modes[place] == .equal, isChained(place, other)
      {
        next[place] = other
      }
    }
    let followers = Set(next.values)
    var isTaken: Set<Int> = []
    var chains: [Int: Chain] = [:]
    var words = 0
    for place in next.keys.sorted() where !followers.contains(place) {
      var members = [Int(values[place])]
      var last = place
      var isTrue = isMissingTrue(place)
      while let other = next[last] {
        guard isTaken.insert(other).inserted else {
          throw TreeError(
            path: path, tree: trees[other], node: nodes[other],
            fault: "is the child of two nodes, or of one below it")
        }
        members.append(Int(values[other]))
        isTrue = isTrue || isMissingTrue(other)
        last = other
      }
      let set = TreeEnsemble.CategorySet(members)
      words += set.words.count
      guard words <= max(1 << 16, 64 * run.count) else {
        throw TreeError(
          path: path, tree: trees[place], node: nodes[place],
          fault: "asks for the category \(members.max() ?? 0), and the sets up to it would take "
            + "\(8 * words) bytes for \(run.count) branches; give the categories small numbers, from 0 on"
        )
      }
      chains[place] = Chain(set: set, whenFalse: whenFalse[last], missingIsTrue: isTrue)
    }
    return chains
  }

  /// Whether a branch only goes on with what the one above it asks.
  private func isChained(_ place: Int, _ next: Int) -> Bool {
    func isCategory(_ value: Double) -> Bool {
      value >= 0 && value <= Double(ONNXTreeLists.categoryLimit) && value == value.rounded()
    }
    return modes[next] == .equal && features[next] == features[place] && next != place
      && whenTrue[next] == whenTrue[place] && isCategory(values[place]) && isCategory(values[next])
  }
}
