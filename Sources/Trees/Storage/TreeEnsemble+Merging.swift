/// An ensemble in which equal nodes are one.
package struct MergedTrees: Sendable {
  /// Sends every row to equal leaves, tree after tree; a branch may have several parents.
  package let ensemble: TreeEnsemble
  /// Of each of its leaves the place of one that equals it in the ensemble it was made of, ascending.
  package let leaves: [Int]
}

extension TreeEnsemble {
  /// What a branch is told by: equal ones decide the same, and lead to the same leaves.
  private struct Test: Hashable {
    let feature: Int32
    let threshold: UInt64
    let rule: UInt8
    let left: Int32
    let right: Int32
  }

  /// The same decisions and sums, bit for bit, without nodes that no row reaches.
  ///
  /// - Parameters:
  ///   - mergesLeaves: whether equal leaves become one; else all of them stay.
  ///   - mergesBranches: whether equal branches with equal children become one. Without it children stay near
  ///     their parents.
  package func merged(mergesLeaves: Bool, mergesBranches: Bool) -> MergedTrees {
    let isReached = reachedBranches
    let (kept, leafPlaces) = mergesLeaves ? mergedLeaves(isReached) : (Array(0..<leafCount), nil)
    // From the last to the first, so that children are there before their parents; and then the other way.
    var order: [Int] = []
    var children: [(left: Int32, right: Int32)] = []
    var numbers = [Int32](repeating: 0, count: branchCount)
    var known: [Test: Int32] = [:]
    func moved(_ node: Int32) -> Int32 {
      guard node < 0 else { return numbers[Int(node)] }
      return leafPlaces.map { -1 - $0[-1 - Int(node)] } ?? node
    }
    let sets = mergedSets
    for branch in (0..<branchCount).reversed() where isReached[branch] {
      let (left, right) = (moved(left[branch]), moved(right[branch]))
      if mergesBranches {
        let test = Test(
          feature: features[branch], threshold: threshold(of: branch, sets).bitPattern,
          rule: rules[branch].rawValue, left: left, right: right)
        if let first = known[test] {
          numbers[branch] = first
          continue
        }
        known[test] = Int32(order.count)
      }
      numbers[branch] = Int32(order.count)
      order.append(branch)
      children.append((left, right))
    }
    let last = Int32(order.count) - 1
    func turned(_ node: Int32) -> Int32 { node < 0 ? node : last - node }
    var result = TreeEnsemble(
      leafWidth: leafWidth, featureCount: featureCount, base: base, divisor: divisor,
      precision: precision, transform: transform)
    order.reverse()
    result.features = order.map { features[$0] }
    result.rules = order.map { rules[$0] }
    result.left = children.reversed().map { turned($0.left) }
    result.right = children.reversed().map { turned($0.right) }
    result.roots = roots.map { turned(moved($0)) }
    result.outputs = outputs
    result.leaves = kept.flatMap { leaves[$0 * leafWidth..<($0 + 1) * leafWidth] }
    result.take(order, of: self, sets)
    return MergedTrees(ensemble: result, leaves: kept)
  }

  /// Whether a row of some numbers could come to each branch.
  private var reachedBranches: [Bool] {
    var isReached = [Bool](repeating: false, count: branchCount)
    for root in roots where root >= 0 { isReached[Int(root)] = true }
    for branch in 0..<branchCount where isReached[branch] {
      for child in [left[branch], right[branch]] where child >= 0 { isReached[Int(child)] = true }
    }
    return isReached
  }

  /// Leaves that some branch leads to, the first of equal ones, and of all leaves their places among these.
  private func mergedLeaves(_ isReached: [Bool]) -> (kept: [Int], places: [Int32]) {
    var isUsed = [Bool](repeating: false, count: leafCount)
    for root in roots where root < 0 { isUsed[-1 - Int(root)] = true }
    for branch in 0..<branchCount where isReached[branch] {
      for child in [left[branch], right[branch]] where child < 0 { isUsed[-1 - Int(child)] = true }
    }
    var kept: [Int] = []
    var places = [Int32](repeating: 0, count: leafCount)
    var known: [[UInt64]: Int32] = [:]
    for leaf in 0..<leafCount where isUsed[leaf] {
      let bits = leaves[leaf * leafWidth..<(leaf + 1) * leafWidth].map(\.bitPattern)
      if let place = known[bits] {
        places[leaf] = place
      } else {
        places[leaf] = Int32(kept.count)
        known[bits] = Int32(kept.count)
        kept.append(leaf)
      }
    }
    return (kept, places)
  }

  /// Of each set of categories the first that equals it.
  private var mergedSets: [Int] {
    var known: [CategorySet: Int] = [:]
    return categories.enumerated().map { place, set in
      let first = known[set] ?? place
      known[set] = first
      return first
    }
  }

  private func threshold(of branch: Int, _ sets: [Int]) -> Double {
    rules[branch].contains(.isCategory)
      ? Double(sets[Int(thresholds[branch])]) : thresholds[branch]
  }

  /// Takes the thresholds of branches of another ensemble, and the sets that these ask for in their order.
  private mutating func take(_ order: [Int], of other: TreeEnsemble, _ sets: [Int]) {
    let isAsked = order.map { other.rules[$0].contains(.isCategory) }
    thresholds = order.map { other.threshold(of: $0, sets) }
    let used = Set(zip(thresholds, isAsked).filter(\.1).map { Int($0.0) }).sorted()
    categories = used.map { other.categories[$0] }
    let places = Dictionary(uniqueKeysWithValues: zip(used, 0...))
    for branch in thresholds.indices where isAsked[branch] {
      thresholds[branch] = Double(places[Int(thresholds[branch]), default: 0])
    }
  }
}
