/// One tree as a file of LightGBM has it: a branch b is b, a leaf n is −1 − n.
struct LightGBMTree: Sendable {
  /// Bits of a number of `decisions`.
  private enum Decision {
    static let isCategory: UInt8 = 1
    static let missingGoesLeft: UInt8 = 2
    static let missingShift: UInt8 = 2
  }

  /// What is missing, as training met it.
  enum Missing: UInt8 {
    case none = 0
    case zero = 1
    case nan = 2
  }

  /// What LightGBM takes for 0: a number of 32 bits.
  static let zero = Double(1e-35 as Float)

  /// Of each branch: the feature that it looks at.
  var features: [Int32] = []
  /// Of each branch: what the feature is compared with, or the number of a set of categories.
  var thresholds: [Double] = []
  /// Of each branch: how it compares, as bits.
  var decisions: [UInt8] = []
  /// Of each branch: where a row goes for which the comparison holds.
  var left: [Int32] = []
  /// Of each branch: where any other row goes.
  var right: [Int32] = []
  var leaves: [Double] = []
  /// Of each set: where its words begin in `categoryWords`, and their end.
  var categoryBounds: [Int32] = [0]
  /// Words of all sets: bit c % 32 of word c / 32 of a set says whether it holds category c.
  var categoryWords: [UInt32] = []

  var branchCount: Int { features.count }

  /// - Returns: nil if the number has bits that are not known.
  static func decision(_ number: Int32) -> UInt8? {
    guard number >= 0, number < 12 else { return nil }
    return UInt8(number)
  }

  static func decision(isCategory: Bool, missingGoesLeft: Bool, _ missing: Missing) -> UInt8 {
    (isCategory ? Decision.isCategory : 0) | (missingGoesLeft ? Decision.missingGoesLeft : 0)
      | missing.rawValue << Decision.missingShift
  }

  /// Checks the arrays against each other.
  ///
  /// - Parameter tree: its number, for messages.
  func check(_ tree: Int, path: String) throws(TreeError) {
    func fault(_ node: Int? = nil, _ text: String) -> TreeError {
      TreeError(path: path, tree: tree, node: node, fault: text)
    }
    guard !leaves.isEmpty else { throw fault(nil, "has no leaves") }
    for (name, size) in [
      ("split_feature", features.count), ("threshold", thresholds.count),
      ("decision_type", decisions.count), ("left_child", left.count),
      ("right_child", right.count),
    ] where size != leaves.count - 1 {
      throw fault(nil, "'\(name)' has \(size) values, there are \(leaves.count) leaves")
    }
    for branch in 0..<branchCount {
      for child in [left[branch], right[branch]]
      where child >= 0 ? child >= branchCount : -1 - Int(child) >= leaves.count {
        let words = child >= 0 ? "branch \(child)" : "leaf \(-1 - Int(child))"
        throw fault(
          branch,
          "has the child \(words), the tree has \(branchCount) branches and \(leaves.count) leaves")
      }
    }
    guard categoryBounds.first == 0, Int(categoryBounds.last ?? 0) == categoryWords.count,
      zip(categoryBounds, categoryBounds.dropFirst()).allSatisfy(<=)
    else {
      throw fault(
        nil, "'cat_boundaries' do not rise from 0 to \(categoryWords.count), the 'cat_threshold'")
    }
  }

  /// Of each set of categories that a branch asks for: the threshold that stands for it.
  ///
  /// - Parameter tree: the number of this tree, for messages.
  func sets(
    into builder: inout TreeEnsembleBuilder, _ tree: Int, path: String
  ) throws(TreeError) -> [Int: Double] {
    var sets: [Int: Double] = [:]
    let count = categoryBounds.count - 1
    for branch in 0..<branchCount where decisions[branch] & Decision.isCategory != 0 {
      guard let set = Int(exactly: thresholds[branch]), set >= 0, set < count else {
        throw TreeError(
          path: path, tree: tree, node: branch,
          fault: "asks for set \(thresholds[branch]) of categories, there are \(count)")
      }
      if sets[set] == nil { sets[set] = builder.add(categorySet(set)) }
    }
    return sets
  }

  private func categorySet(_ set: Int) -> TreeEnsemble.CategorySet {
    let range = Int(categoryBounds[set])..<Int(categoryBounds[set + 1])
    var words = [UInt64](repeating: 0, count: (range.count + 1) / 2)
    for (place, word) in categoryWords[range].enumerated() {
      words[place / 2] |= UInt64(word) << UInt64(place % 2 * 32)
    }
    return TreeEnsemble.CategorySet(words: words)
  }

  /// The nodes: branches, and then leaves.
  ///
  /// - Parameters:
  ///   - sets: what `sets(into:_:path:)` returned.
  ///   - scale: what leaves are multiplied by.
  func nodes(sets: [Int: Double], scale: Double) -> TreeNodes {
    let branchCount = branchCount
    @Sendable func node(_ child: Int32) -> Int {
      child >= 0 ? Int(child) : branchCount - 1 - Int(child)
    }
    return TreeNodes(count: branchCount + leaves.count) { number in
      guard number < branchCount else { return .leaf([leaves[number - branchCount] * scale]) }
      let decision = decisions[number]
      let isCategory = decision & Decision.isCategory != 0
      return .branch(
        feature: Int(features[number]),
        threshold: isCategory
          ? sets[Int(thresholds[number])] ?? 0 : Self.threshold(thresholds[number]),
        rule: isCategory ? .isCategory : Self.rule(decision), left: node(left[number]),
        right: node(right[number]))
    }
  }

  private static func rule(_ decision: UInt8) -> TreeEnsemble.Rule {
    var rule: TreeEnsemble.Rule
    switch Missing(rawValue: decision >> Decision.missingShift) {
    case .zero: rule = .zeroIsMissing
    case .nan: rule = []
    case .some(.none), nil: return .readsMissingAsZero
    }
    if decision & Decision.missingGoesLeft != 0 { rule.insert(.missingGoesLeft) }
    return rule
  }

  /// A threshold that decides for x as the one of the file does for what LightGBM makes of x: 0 from −1e-35 to
  /// 1e-35, else the same.
  private static func threshold(_ threshold: Double) -> Double {
    if threshold >= -zero, threshold < 0 { return (-zero).nextDown }
    return threshold >= 0 && threshold < zero ? zero : threshold
  }
}
