/// Which leaves of one ensemble are which of another, found by what rows reach: layouts may differ, as libraries
/// turn comparisons round, order branches in their own way, and write sets of categories as chains.
///
/// Both go through the same regions of all possible rows. Where rows that reach one leaf of the first reach leaves
/// of several numbers in the second, it decides otherwise.
package struct FunctionPairing: Sendable {
  /// The second's numbers in the places of the first's leaves, in its units: [leafWidth, leaves]. Where several
  /// leaves of the second are one of the first, those of the farthest.
  package let leaves: [Double]

  /// - Parameters:
  ///   - takesMissing: of each feature whether a missing value may come to the trees.
  ///   - isWhole: of each feature whether its values are whole numbers from 0 on.
  /// - Throws: the first difference.
  package init(
    _ own: TreeEnsemble, _ other: TreeEnsemble, takesMissing: [Bool], isWhole: [Bool]
  ) throws(TreeDifference) {
    guard own.featureCount == other.featureCount else {
      throw .features(own.featureCount, other: other.featureCount)
    }
    guard own.outputCount == other.outputCount else {
      throw .outputCount(own.outputCount, other: other.outputCount)
    }
    for count in [takesMissing.count, isWhole.count] where count != own.featureCount {
      throw .features(own.featureCount, other: count)
    }
    guard own.treeCount == other.treeCount else {
      throw .treeCount(own.treeCount, other: other.treeCount)
    }
    guard own.precision.roundsFeatures || !other.precision.roundsFeatures else { throw .precision }
    var walk = PairingWalk(own, other, takesMissing: takesMissing, isWhole: isWhole)
    try walk.refuseOtherCategories()
    for tree in 0..<own.treeCount { try walk.pair(tree) }
    let (width, count) = (own.leafWidth, own.leafCount)
    let (found, rows) = (walk.found, own.leaves)
    // A leaf that no row reaches stays as it is.
    leaves = (0..<width * count).map { place in
      let number = place % count * width + place / count
      return found[number].isNaN ? rows[number] : found[number]
    }
  }
}

/// Goes through two ensembles at once, tree by tree.
private struct PairingWalk {
  /// What is still to be done: with the values of a feature, or from a pair of nodes on.
  private enum Step {
    case values(feature: Int, ValueSet)
    /// - Parameters:
    ///   - isNew: whether the first's node was just come to.
    ///   - divider: what parted the rows that reached it.
    case nodes(Int32, Int32, isNew: Bool, divider: TreeDifference.Parted?, feature: Int)
  }

  private let own: TreeEnsemble
  private let other: TreeEnsemble
  private let domains: [FeatureDomain]
  /// What the other's numbers are multiplied with.
  private let scale: Double
  /// Of each feature the values of the rows that came to where the walk is.
  private var region: [ValueSet]
  private var steps: [Step] = []
  /// Pairs of nodes that may still be looked at.
  private var rest: Int
  /// Of each leaf of the first its numbers in the other, in a row; NaN of a leaf that was not reached.
  private(set) var found: [Double]

  init(_ own: TreeEnsemble, _ other: TreeEnsemble, takesMissing: [Bool], isWhole: [Bool]) {
    (self.own, self.other) = (own, other)
    var isWhole = isWhole
    for branch in 0..<own.branchCount where own.rules[branch].contains(.isCategory) {
      isWhole[Int(own.features[branch])] = true
    }
    domains = isWhole.map {
      $0 ? .wholeNumbers : own.precision.roundsFeatures ? .floats : .doubles
    }
    region = zip(domains, takesMissing).map { ValueSet([$0.all], hasMissing: $1) }
    let isShare = own.transform == .share && other.transform == .identity
    scale = (isShare ? own.votes : own.divisor) / other.divisor
    rest = 1 << 22 + 32 * (own.branchCount + other.branchCount)
    found = [Double](repeating: .nan, count: own.leaves.count)
  }

  /// Where only the other asks for categories, the first tells numbers apart that no category does.
  func refuseOtherCategories() throws(TreeDifference) {
    let branch = (0..<other.branchCount).first {
      guard other.rules[$0].contains(.isCategory) else { return false }
      if case .wholeNumbers = domains[Int(other.features[$0])] { return false }
      return true
    }
    guard let branch else { return }
    throw .decision(
      tree: other.place(ofBranch: branch)?.tree ?? 0, feature: Int(other.features[branch]),
      .categories([]))
  }

  mutating func pair(_ tree: Int) throws(TreeDifference) {
    steps = [
      .nodes(own.roots[tree], other.roots[tree], isNew: true, divider: nil, feature: 0)
    ]
    // What the leaf of the first is that the walk is at, in the other.
    var current: (leaf: Int32, numbers: [Double])?
    while let step = steps.popLast() {
      guard case .nodes(var node, var theirs, var isNew, let divider, let feature) = step else {
        if case .values(let feature, let values) = step { region[feature] = values }
        continue
      }
      try move(&node, &theirs, &isNew, tree)
      if node >= 0 {
        divide(own, node) { .nodes($0, theirs, isNew: true, divider: nil, feature: 0) }
        continue
      }
      if isNew { current = nil }
      if theirs >= 0 {
        let branch = Int(theirs)
        // What parts the rows of a leaf first is what decides otherwise, if anything does.
        let isFirst = isNew || divider == nil
        let parted = isFirst ? parted(branch) : divider
        let first = isFirst ? Int(other.features[branch]) : feature
        divide(other, theirs) {
          .nodes(node, $0, isNew: false, divider: parted, feature: first)
        }
        continue
      }
      if let current, current.leaf == theirs { continue }
      let numbers = try numbers(of: -1 - Int(theirs), tree)
      if let current, current.numbers != numbers {
        throw .decision(tree: tree, feature: feature, divider ?? .categories([]))
      }
      current = (theirs, numbers)
      take(numbers, for: -1 - Int(node))
    }
  }

  /// Follows both as far as all rows of the region go one way.
  private mutating func move(
    _ node: inout Int32, _ theirs: inout Int32, _ isNew: inout Bool, _ tree: Int
  ) throws(TreeDifference) {
    while true {
      rest -= 1
      guard rest > 0 else { throw .layout(tree: tree) }
      if theirs >= 0, let next = next(other, theirs, mayBeNear: true) {
        theirs = next
      } else if node >= 0, let next = next(own, node, mayBeNear: false) {
        (node, isNew) = (next, true)
      } else {
        return
      }
    }
  }

  /// Where all rows of the region go; nil if they go both ways.
  ///
  /// - Parameter mayBeNear: whether a threshold that was rounded to 32 bits counts as the one it was.
  private func next(_ ensemble: TreeEnsemble, _ node: Int32, mayBeNear: Bool) -> Int32? {
    let branch = Int(node)
    let (left, right) = sides(ensemble, branch)
    let isNear = mayBeNear && isRounded(ensemble, branch)
    if left.isEmpty || isNear && Self.isRounding(left) { return ensemble.right[branch] }
    if right.isEmpty || isNear && Self.isRounding(right) { return ensemble.left[branch] }
    return nil
  }

  private func sides(_ ensemble: TreeEnsemble, _ branch: Int) -> (left: ValueSet, right: ValueSet) {
    let feature = Int(ensemble.features[branch])
    let values = ensemble.valuesGoingLeft(at: branch, domains[feature])
    return (region[feature].intersection(values), region[feature].subtracting(values))
  }

  /// Whether a threshold of 64 bits may have been rounded to this one.
  private func isRounded(_ ensemble: TreeEnsemble, _ branch: Int) -> Bool {
    guard case .doubles = domains[Int(ensemble.features[branch])] else { return false }
    let threshold = ensemble.thresholds[branch]
    return !ensemble.rules[branch].contains(.isEqual) && Double(Float(threshold)) == threshold
  }

  /// Whether values lie between a number that 32 bits do not hold and one of the two around it.
  private static func isRounding(_ values: ValueSet) -> Bool {
    guard !values.hasMissing, values.spans.count == 1, let span = values.spans.first,
      span.lowerBound < span.upperBound
    else { return false }
    return FeatureDomain.isWithinAStep(span)
  }

  /// Goes on on both sides of a branch.
  private mutating func divide(
    _ ensemble: TreeEnsemble, _ node: Int32, _ step: (Int32) -> Step
  ) {
    let branch = Int(node)
    let feature = Int(ensemble.features[branch])
    let (left, right) = sides(ensemble, branch)
    steps += [
      .values(feature: feature, region[feature]), step(ensemble.right[branch]),
      .values(feature: feature, right), step(ensemble.left[branch]),
      .values(feature: feature, left),
    ]
  }

  /// What a branch of the other parts in the region.
  private func parted(_ branch: Int) -> TreeDifference.Parted {
    let (left, right) = sides(other, branch)
    if left.isMissingAlone || right.isMissingAlone { return .missing }
    if case .wholeNumbers = domains[Int(other.features[branch])] {
      let sides = [left.codes, right.codes].compactMap(\.self)
      return .categories(sides.min { $0.count < $1.count } ?? [])
    }
    let threshold = other.thresholds[branch]
    return other.rules[branch].contains(.isEqual) ? .equal(threshold) : .threshold(threshold)
  }

  /// Numbers of a leaf of the other for the outputs of a tree of the first.
  private func numbers(of leaf: Int, _ tree: Int) throws(TreeDifference) -> [Double] {
    var numbers = [Double](repeating: 0, count: own.leafWidth)
    for place in 0..<other.leafWidth {
      let number = other.leaves[leaf * other.leafWidth + place]
      let output = Int(other.outputs[tree]) + place - Int(own.outputs[tree])
      if numbers.indices.contains(output) {
        numbers[output] = number * scale
      } else if number != 0 {
        let first = Int(own.outputs[tree])
        throw .outputs(
          tree: tree, first..<first + own.leafWidth, other: Int(other.outputs[tree]) + place)
      }
    }
    return numbers
  }

  private mutating func take(_ numbers: [Double], for leaf: Int) {
    let places = leaf * own.leafWidth..<(leaf + 1) * own.leafWidth
    func distance(_ numbers: some Sequence<Double>) -> Double {
      zip(numbers, own.leaves[places]).reduce(0) { $0 + ($1.0 - $1.1).magnitude }
    }
    // NaN is not a distance.
    guard !(distance(found[places]) >= distance(numbers)) else { return }
    found.replaceSubrange(places, with: numbers)
  }
}

extension TreeEnsemble {
  /// What all trees together give to the outputs of a row, where that is the same for all rows.
  fileprivate var votes: Double {
    roots.reduce(0) { sum, root in
      var node = root
      while node >= 0 { node = left[Int(node)] }
      let first = (-1 - Int(node)) * leafWidth
      return sum + leaves[first..<first + leafWidth].reduce(0, +)
    }
  }
}
