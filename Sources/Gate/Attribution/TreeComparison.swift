import Trees

/// What differs between a tree of a baseline and one of a candidate, node by node. Pure.
///
/// Nodes are counted level by level from the root, which is 0, from left to right: ensembles do not keep the
/// numbers of their libraries.
struct TreeComparison {
  /// A node of both trees that asks something else.
  struct Split: Equatable {
    /// Its number in the tree.
    let node: Int
    /// Branches of both ensembles.
    let baseline: Int
    let candidate: Int
  }

  /// Nodes that ask something else, in their order.
  private(set) var splits: [Split] = []
  /// Whether branches and leaves are at the same places.
  private(set) var isSameStructure = true
  /// The largest difference of a leaf's numbers; nil where all are the same.
  private(set) var largestLeafChange: Double?

  /// - Parameters:
  ///   - tree: its number in the baseline.
  ///   - other: its number in the candidate.
  init(_ baseline: TreeEnsemble, _ tree: Int, with candidate: TreeEnsemble, _ other: Int) {
    isSameStructure =
      baseline.outputs[tree] == candidate.outputs[other]
      && baseline.leafWidth == candidate.leafWidth
    var open = [(baseline.roots[tree], candidate.roots[other])]
    var number = 0
    while number < open.count, isSameStructure {
      let (old, new) = open[number]
      switch (old < 0, new < 0) {
      case (true, true): compare(leaf: old, new, baseline, candidate)
      case (false, false):
        let (left, right) = (Int(old), Int(new))
        if !TreeComparison.areSame(baseline, left, candidate, right) {
          splits.append(Split(node: number, baseline: left, candidate: right))
        }
        open.append((baseline.left[left], candidate.left[right]))
        open.append((baseline.right[left], candidate.right[right]))
      default: isSameStructure = false
      }
      number += 1
    }
  }

  /// Whether nothing differs.
  var areSame: Bool { isSameStructure && splits.isEmpty && largestLeafChange == nil }

  private mutating func compare(
    leaf old: Int32, _ new: Int32, _ baseline: TreeEnsemble, _ candidate: TreeEnsemble
  ) {
    let width = baseline.leafWidth
    let (first, second) = ((-1 - Int(old)) * width, (-1 - Int(new)) * width)
    for place in 0..<width {
      let change = (candidate.leaves[second + place] - baseline.leaves[first + place]).magnitude
      if change != 0 { largestLeafChange = max(largestLeafChange ?? 0, change) }
    }
  }

  private static func areSame(
    _ baseline: TreeEnsemble, _ old: Int, _ candidate: TreeEnsemble, _ new: Int
  ) -> Bool {
    guard baseline.features[old] == candidate.features[new],
      baseline.rules[old] == candidate.rules[new]
    else { return false }
    let (before, after) = (baseline.thresholds[old], candidate.thresholds[new])
    guard baseline.rules[old].contains(.isCategory) else { return before == after }
    return baseline.categories[Int(before)] == candidate.categories[Int(after)]
  }
}

/// Which trees of two ensembles belong together, in their order.
struct TreeAlignment {
  /// Numbers in both ensembles.
  private(set) var pairs: [(baseline: Int, candidate: Int)] = []
  /// Trees that the candidate lacks.
  private(set) var missing: [Int] = []
  /// Trees that the baseline does not have, by their number in the candidate.
  private(set) var added: [Int] = []

  /// Comparisons of trees that are made where counts differ, at most; beyond them trees are paired from the
  /// first.
  private static let maxComparisons = 250_000

  init(_ baseline: TreeEnsemble, _ candidate: TreeEnsemble) {
    let (old, new) = (baseline.treeCount, candidate.treeCount)
    if old == new {
      pairs = (0..<old).map { ($0, $0) }
      return
    }
    func areSame(_ tree: Int, _ other: Int) -> Bool {
      TreeComparison(baseline, tree, with: candidate, other).areSame
    }
    let shorter = min(old, new)
    let start = (0..<shorter).first { !areSame($0, $0) } ?? shorter
    let end =
      (0..<shorter - start).first { !areSame(old - 1 - $0, new - 1 - $0) } ?? shorter - start
    pairs = (0..<start).map { ($0, $0) }
    pair(Array(start..<old - end), Array(start..<new - end), areSame)
    pairs += (0..<end).reversed().map { (old - 1 - $0, new - 1 - $0) }
  }

  /// Pairs what is the same by the longest common subsequence, and between those pairs what is left from the
  /// first; the rest is missing or added.
  private mutating func pair(
    _ old: [Int], _ new: [Int], _ areSame: (Int, Int) -> Bool
  ) {
    var same: [(Int, Int)] = []
    if old.count * new.count <= TreeAlignment.maxComparisons {
      same = TreeAlignment.longestCommon(old, new, areSame)
    }
    var (place, other) = (0, 0)
    for (stop, otherStop) in same + [(old.count, new.count)] {
      let count = min(stop - place, otherStop - other)
      pairs += (0..<count).map { (old[place + $0], new[other + $0]) }
      missing += old[place + count..<stop]
      added += new[other + count..<otherStop]
      if stop < old.count, otherStop < new.count { pairs.append((old[stop], new[otherStop])) }
      (place, other) = (stop + 1, otherStop + 1)
    }
  }

  /// Places in both lists of a longest sequence that both have in order.
  private static func longestCommon(
    _ old: [Int], _ new: [Int], _ areSame: (Int, Int) -> Bool
  ) -> [(Int, Int)] {
    let width = new.count + 1
    var lengths = [Int32](repeating: 0, count: (old.count + 1) * width)
    var matches = [Bool](repeating: false, count: (old.count + 1) * width)
    for row in old.indices.reversed() {
      for column in new.indices.reversed() {
        let place = row * width + column
        matches[place] = areSame(old[row], new[column])
        lengths[place] =
          matches[place]
          ? lengths[place + width + 1] + 1 : max(lengths[place + width], lengths[place + 1])
      }
    }
    var found: [(Int, Int)] = []
    var (row, column) = (0, 0)
    while row < old.count, column < new.count {
      let place = row * width + column
      if matches[place] {
        found.append((row, column))
        (row, column) = (row + 1, column + 1)
      } else if lengths[place + width] >= lengths[place + 1] {
        row += 1
      } else {
        column += 1
      }
    }
    return found
  }
}
