/// Where the elements of arrays lie in trees, as far as arrays that need not be sound say it.
struct ArrayPlaces {
  private let header: TreeHeader
  private let left: [Double]
  private let right: [Double]
  private let roots: [Double]

  /// Nodes that are looked at, at most: shared branches count in each tree.
  private static let limit = 1 << 20

  /// Nil where an array cannot be read.
  init?(_ header: TreeHeader, _ values: (TreeArrays) throws -> [Double]) {
    guard let left = try? values(.left), let right = try? values(.right),
      let roots = try? values(.roots), left.count == right.count
    else { return nil }
    self.header = header
    (self.left, self.right, self.roots) = (left, right, roots)
  }

  /// The tree and node of an element, the first of those that share it; the node counted level by level from
  /// the root, which is 0.
  func place(of element: Int, in array: TreeArrays) -> (tree: Int?, node: Int?) {
    switch array {
    case .roots, .outputs: return (element, nil)
    case .categoryStarts, .categoryWords: return (nil, nil)
    case .features, .rules, .left, .right: return place(ofNode: element)
    case .thresholds: return place(ofNode: element % max(1, header.branchCount))
    case .leaves: return place(ofNode: -1 - element % max(1, header.leafCount))
    }
  }

  private func place(ofNode wanted: Int) -> (tree: Int?, node: Int?) {
    var seen = 0
    for (tree, root) in roots.enumerated() {
      var open = [root]
      var number = 0
      while number < open.count {
        guard seen < Self.limit else { return (nil, nil) }
        seen += 1
        if open[number] == Double(wanted) { return (tree, number) }
        if let branch = Int(exactly: open[number]), left.indices.contains(branch) {
          open += [left[branch], right[branch]]
        }
        number += 1
      }
    }
    return (nil, nil)
  }
}
