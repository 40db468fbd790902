/// Trees over columns that are made of features one by one, as trees over the features.
///
/// What is done before the trees is in their branches: a threshold is the last number that goes the same way, so
/// that every number goes where it went, and a number of an encoder is a set of categories.
package struct FoldedTrees<Number: PlacedNumber> {
  private let own: TreeEnsemble
  private let columns: [FoldedColumn<Number>]
  /// Most words of 64 categories of all sets of one.
  private let wordLimit: Int
  private var wordCount = 0
  /// Places of sets in the new ensemble: of one category or none, and of those that there were.
  private var setsOfOne: [Int?: Double] = [:]
  private var sets: [Int: Double] = [:]

  /// - Parameter columns: at least as many as the trees look at.
  package init(_ own: TreeEnsemble, over columns: [FoldedColumn<Number>]) {
    (self.own, self.columns) = (own, columns)
    wordLimit = max(1 << 16, 64 * own.branchCount)
  }

  /// The nodes of a tree over the features.
  ///
  /// - Parameter leaf: makes the numbers of a leaf of those that it has.
  package mutating func nodes(
    of tree: Int, _ builder: inout TreeEnsembleBuilder, leaf: ([Double]) -> [Double] = { $0 }
  ) throws(FoldingFault) -> [TreeNodes.Node] {
    // Nodes in the order in which they are met, and their numbers.
    var met = [own.roots[tree]]
    var nodes: [TreeNodes.Node] = []
    while nodes.count < met.count {
      let node = met[nodes.count]
      guard node >= 0 else {
        let first = Int(-1 - node) * own.leafWidth
        nodes.append(.leaf(leaf(Array(own.leaves[first..<first + own.leafWidth]))))
        continue
      }
      let made = try branch(Int(node), &builder)
      let children = [own.left[Int(node)], own.right[Int(node)]]
      met += made.isTurned ? children.reversed() : children
      nodes.append(
        .branch(
          feature: columns[Int(own.features[Int(node)])].feature, threshold: made.threshold,
          rule: made.rule, left: met.count - 2, right: met.count - 1))
    }
    return nodes
  }

  /// A comparison with a feature. Where it is turned, what went left goes right.
  private struct Branch {
    let threshold: Double
    var rule: TreeEnsemble.Rule
    var isTurned = false
  }

  private mutating func branch(
    _ node: Int, _ builder: inout TreeEnsembleBuilder
  ) throws(FoldingFault) -> Branch {
    let place = Int(own.features[node])
    let (column, rule, threshold) = (columns[place], own.rules[node], own.thresholds[node])
    if rule.contains(.isCategory) {
      guard column.isPlain else { throw .set(column: place) }
      return Branch(threshold: set(Int(threshold), &builder), rule: rule)
    }
    if column.isPlain { return Branch(threshold: threshold, rule: rule) }
    func goesLeft(_ number: Number) -> Bool {
      let value = Double(column.value(number))
      if value.isNaN { return rule.contains(.missingGoesLeft) }
      if rule.contains(.isEqual) { return value == threshold }
      return rule.contains(.isStrict) ? value < threshold : value <= threshold
    }
    if let code = column.category {
      // All others, unknown ones too, go together: the set is the one category, and is turned where they go left.
      let (on, off) = (goesLeft(1), goesLeft(0))
      return Branch(
        threshold: try set(of: on == off ? nil : code, at: place, &builder), rule: .isCategory,
        isTurned: off)
    }
    let missing = goesLeft(column.missing)
    guard case .scaled(let isTurned) = column.change else {
      let kept = rule.subtracting(.missingGoesLeft)
      return Branch(threshold: threshold, rule: missing ? kept.union(.missingGoesLeft) : kept)
    }
    guard !rule.contains(.isEqual) else { throw .equality(column: place) }
    // Up to here numbers go to one side, and from the next one on to the other.
    let last = Number.last { goesLeft($0) != isTurned }
    var branch =
      last.map { Branch(threshold: Double($0), rule: []) }
      ?? Branch(threshold: -Double(Float.greatestFiniteMagnitude), rule: .isStrict)
    branch.isTurned = isTurned
    if missing != isTurned { branch.rule.insert(.missingGoesLeft) }
    return branch
  }

  /// The place of a set that there was.
  private mutating func set(_ number: Int, _ builder: inout TreeEnsembleBuilder) -> Double {
    if let known = sets[number] { return known }
    let place = builder.add(own.categories[number])
    sets[number] = place
    return place
  }

  /// The place of a set of one category, or of none.
  private mutating func set(
    of code: Int?, at column: Int, _ builder: inout TreeEnsembleBuilder
  ) throws(FoldingFault) -> Double {
    if let known = setsOfOne[code] { return known }
    // As many words as a set has up to its largest category.
    wordCount += code.map { $0 / 64 + 1 } ?? 0
    guard wordCount <= wordLimit else { throw .sets(column: column, byteLimit: 8 * wordLimit) }
    let place = builder.add(TreeEnsemble.CategorySet(code.map { [$0] } ?? []))
    setsOfOne[code] = place
    return place
  }
}

/// Why trees over columns are no trees over features.
package enum FoldingFault: Error {
  /// A branch asks for a set of what is scaled.
  case set(column: Int)
  /// A branch asks whether what is scaled equals a number.
  case equality(column: Int)
  /// Sets of one category each would be too large.
  case sets(column: Int, byteLimit: Int)
}
