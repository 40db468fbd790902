/// What there is of an ensemble, in numbers.
package struct TreeShape: Equatable, Sendable {
  package let trees: Int
  /// Branches on the longest way from a root to a leaf.
  package let depth: Int
  package let branches: Int
  package let leaves: Int
  /// Branches if none had several parents.
  package let unmergedBranches: Int
  /// Different numbers that features are compared with, each counted for its feature.
  package let thresholds: Int
  /// Features that a branch looks at.
  package let features: Int

  package init(_ ensemble: TreeEnsemble) {
    (trees, branches) = (ensemble.treeCount, ensemble.branchCount)
    leaves = ensemble.leafCount
    var depths = [Int](repeating: 0, count: ensemble.branchCount)
    func depth(_ node: Int32) -> Int { node < 0 ? 0 : depths[Int(node)] }
    // Children come behind their parents.
    for branch in (0..<ensemble.branchCount).reversed() {
      depths[branch] = 1 + max(depth(ensemble.left[branch]), depth(ensemble.right[branch]))
    }
    self.depth = ensemble.roots.map(depth).max() ?? 0
    unmergedBranches = ensemble.unmergedBranchCount ?? .max
    var numbers = [Set<Double>](repeating: [], count: ensemble.featureCount)
    for branch in 0..<ensemble.branchCount where !ensemble.rules[branch].contains(.isCategory) {
      numbers[Int(ensemble.features[branch])].insert(ensemble.thresholds[branch])
    }
    thresholds = numbers.reduce(0) { $0 + $1.count }
    features = Set(ensemble.features).count
  }
}

extension TreeEnsemble {
  /// Branches of all trees if none had several parents; nil where these are more than an `Int` counts.
  package var unmergedBranchCount: Int? {
    var counts = [Int](repeating: 0, count: branchCount)
    func count(_ node: Int32) -> Int { node < 0 ? 0 : counts[Int(node)] }
    func sum(_ numbers: [Int]) -> Int? {
      numbers.reduce(0) { all, next in
        all.flatMap { all in
          let (sum, overflows) = all.addingReportingOverflow(next)
          return overflows ? nil : sum
        }
      }
    }
    for branch in (0..<branchCount).reversed() {
      guard let all = sum([1, count(left[branch]), count(right[branch])]) else { return nil }
      counts[branch] = all
    }
    return sum(roots.map(count))
  }
}
