import StrictJSON

/// A threshold of a tree that is not the baseline's.
package struct ThresholdChange: Equatable, Sendable {
  /// What may become of a threshold.
  package enum Allowed: Equatable, Sendable {
    /// Nothing: it stays, bit for bit.
    case nothing
    /// It is in 32 bits, which is one of two numbers around it, or itself.
    case rounding(below: Double, above: Double)
    /// A candidate says how coarse it was asked to be (`CoarseThresholds.words`), and how far that goes.
    case coarse(String, reach: Double)
  }

  /// The number of the tree, from 0.
  package let tree: Int
  /// The number of the node, counted level by level from the root, which is 0.
  package let node: Int
  package let feature: String
  package let baseline: Double
  package let candidate: Double
  package let allowed: Allowed
  /// References that the branch sends another way; 0 where none may move.
  package let turned: Int
  /// Of a branch that asks for categories those that it sends left, by their names, or codes where there are none: the
  /// thresholds are numbers of their sets then.
  package var categories: Categories?

  /// The categories of both sides; nil of a candidate's number that no set has.
  package struct Categories: Equatable, Sendable {
    package let baseline: [String]
    package let candidate: [String]?
  }

  /// `feature 'year' in tree 0, node 3: 2011.0 where the baseline has 2008.0, …`
  var words: String {
    let (old, new) = sides
    let change =
      "feature \(quoted(feature)) in tree \(tree), node \(node): \(new) where the baseline has \(old)"
    let turns =
      turned == 0 ? "" : ", which sends \(Figures.count(turned, "reference")) another way"
    return "\(change)\(turns); \(allowed.words(number))"
  }

  private var sides: (baseline: String, candidate: String) {
    guard let categories else { return (number(baseline), number(candidate)) }
    func words(_ names: [String]) -> String {
      names.isEmpty
        ? "no category"
        : "the \(names.count == 1 ? "category" : "categories") \(Figures.list(words: names))"
    }
    return (
      words(categories.baseline),
      categories.candidate.map(words) ?? "set \(number(candidate)), which is not there"
    )
  }

  /// A number of 32 bits in their digits, unless another one is written alike: 0.1 in 64 bits.
  private func number(_ value: Double) -> String {
    TreeFinding.number(candidate) == TreeFinding.number(baseline)
      ? "\(value)" : TreeFinding.number(value)
  }

  /// The threshold, and how far it might have moved.
  var members: FindingMembers {
    var members: FindingMembers = [
      "tree": .integer(tree), "node": .integer(node), "feature": .string(feature),
      "baseline": .double(baseline), "candidate": .double(candidate),
    ]
    if let categories {
      members["baseline"] = .array(categories.baseline.map(JSONValue.string))
      members["candidate"] = categories.candidate.map { .array($0.map(JSONValue.string)) } ?? .null
    }
    switch allowed {
    case .nothing: break
    case .rounding(let below, let above):
      members["below"] = .double(below)
      members["above"] = .double(above)
      members["turned"] = .integer(turned)
    case .coarse(let words, let reach):
      members["thresholds"] = .string(words)
      members["reach"] = .double(reach)
      members["turned"] = .integer(turned)
    }
    return members
  }
}

extension ThresholdChange.Allowed {
  fileprivate func words(_ number: (Double) -> String) -> String {
    switch self {
    case .nothing: "thresholds stay as they are, bit for bit, unless a recipe asks for coarser ones"
    case .rounding(let below, let above) where below == above:
      "32 bits hold the baseline's as it is"
    case .rounding(let below, let above):
      "in 32 bits it is \(number(below)) or \(number(above)), whichever sends "
        + "all references the same way"
    case .coarse(let words, let reach): "\(words) moves it by \(Figures.short(reach)) at most"
    }
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
