import StrictJSON

/// A threshold of a tree that is not the baseline's.
package struct ThresholdChange: Equatable, Sendable {
  /// What a candidate says that it was asked for, and how far that goes for this threshold.
  package struct Allowed: Equatable, Sendable {
    /// As `CoarseThresholds.words`.
    package let coarse: String
    /// How far it may move.
    package let reach: Double
    /// References that the branch sends another way.
    package let turned: Int
  }

  /// The number of the tree, from 0.
  package let tree: Int
  /// The number of the node, counted level by level from the root, which is 0.
  package let node: Int
  package let feature: String
  package let baseline: Double
  package let candidate: Double
  /// Nil where the candidate says nothing: it is held to a step between numbers of 32 bits.
  package let allowed: Allowed?

  /// `feature 'year' in tree 0, node 3: 2011.0 where the baseline has 2008.0, …`
  var words: String {
    let change =
      "feature \(quoted(feature)) in tree \(tree), node \(node): \(TreeFinding.number(candidate)) "
      + "where the baseline has \(TreeFinding.number(baseline))"
    guard let allowed else {
      return
        "\(change); a threshold moves by one step of 32 bits at most, unless a recipe asks for more"
    }
    let reach =
      "\(allowed.coarse) moves it by \(Figures.short(allowed.reach)) at most"
    return allowed.turned == 0
      ? "\(change); \(reach)"
      : "\(change), which sends \(Figures.count(allowed.turned, "reference")) another way; \(reach)"
  }

  /// The threshold, and how far it might have moved.
  var members: FindingMembers {
    var members: FindingMembers = [
      "tree": .integer(tree), "node": .integer(node), "feature": .string(feature),
      "baseline": .double(baseline), "candidate": .double(candidate),
    ]
    if let allowed {
      members["thresholds"] = .string(allowed.coarse)
      members["reach"] = .double(allowed.reach)
      members["turned"] = .integer(allowed.turned)
    }
    return members
  }
}

/// Thresholds of trees that moved as far as a candidate says that it was asked for.
package struct CoarseMoves: Equatable, Sendable {
  /// As `CoarseThresholds.words`.
  package let coarse: String
  /// How many moved, of how many that there are.
  package let count: Int
  package let compared: Int
  /// The farthest of these moves, as a share of its feature's range in the references.
  package let farthest: Double

  /// The fact as a sentence.
  var sentence: String {
    "\(count) of \(Figures.count(compared, "threshold")) of the candidate's trees \(count == 1 ? "is" : "are") "
      + "coarser (\(coarse)), by up to \(Figures.short(farthest * 100)) % of the range of a feature in the "
      + "references: no reference goes another way at any of them, values between references may"
  }
}
