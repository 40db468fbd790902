/// Decision trees whose leaves are added up, whichever library grew them.
///
/// A row of features goes through every tree from its root to one leaf. The values of the leaves it
/// reaches are added to `base`, divided by `divisor`, and given to `transform`.
///
/// A value of this type comes of a `TreeEnsembleBuilder`, and so is sound: every child is there, every
/// feature is one of `featureCount`, and every number is finite. A branch has one parent, unless equal ones
/// were merged.
package struct TreeEnsemble: Equatable, Sendable {
  /// Of each branch, parents before their children: the feature that it looks at.
  package internal(set) var features: [Int32] = []
  /// Of each branch: the number that the feature is compared with, or the index of a set of categories.
  package internal(set) var thresholds: [Double] = []
  /// Of each branch: how it compares, and where a missing value goes.
  package internal(set) var rules: [Rule] = []
  /// Of each branch: where a row goes for which the rule holds. A branch b is b, a leaf n is −1 − n.
  package internal(set) var left: [Int32] = []
  /// Of each branch: where any other row goes, as `left`.
  package internal(set) var right: [Int32] = []
  /// Of each tree: its root, as `left`.
  package internal(set) var roots: [Int32] = []
  /// Of each tree: the first output that its leaves add to.
  package internal(set) var outputs: [Int32] = []
  /// Numbers of a leaf; it adds them to as many outputs, from that of its tree on.
  package let leafWidth: Int
  /// Of each leaf its numbers, in a row: [leaves, leafWidth].
  package internal(set) var leaves: [Double] = []
  /// Sets of categories: bit c of a set says whether it holds category c.
  package internal(set) var categories: [CategorySet] = []

  /// Numbers of a row.
  package let featureCount: Int
  /// Of each output: the number that the sum begins with.
  package let base: [Double]
  /// What sums are divided by: the number of trees where these vote, else 1.
  package let divisor: Double
  /// The precision in which rows are compared and leaves are added.
  package let precision: Precision
  /// What is done with the sums.
  package let transform: Transform

  package var outputCount: Int { base.count }
  package var treeCount: Int { roots.count }
  package var branchCount: Int { features.count }
  package var leafCount: Int { leaves.count / leafWidth }

  /// How numbers are kept by the library that grew the trees.
  package struct Precision: Hashable, Sendable {
    /// Whether a feature is rounded to 32 bits before it is compared.
    package let roundsFeatures: Bool
    /// Whether leaves are added in 32 bits, tree after tree.
    package let addsFloats: Bool

    package init(roundsFeatures: Bool, addsFloats: Bool) {
      self.roundsFeatures = roundsFeatures
      self.addsFloats = addsFloats
    }
  }

  /// What is done with the sums of a row.
  package enum Transform: String, CaseIterable, Sendable {
    /// Nothing.
    case identity
    /// 1 / (1 + exp(−x)) of each.
    case sigmoid
    /// exp(x − m) over the sum of these, m the largest.
    case softmax
    /// exp(x) of each.
    case exponential
    /// Each sigmoid over the sum of all.
    case oneVersusRest = "one-vs-rest"
    /// Each over the sum of all, as votes.
    case share
    /// −2^(−x) of each, as isolation forests score.
    case isolation
  }

  /// How a branch compares a feature x with its threshold t.
  package struct Rule: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// x < t goes left; without it x ≤ t does.
    package static let isStrict = Rule(rawValue: 1)
    /// A missing value goes left; without it right.
    package static let missingGoesLeft = Rule(rawValue: 2)
    /// No value is missing: NaN counts as 0.
    package static let readsMissingAsZero = Rule(rawValue: 4)
    /// Zero is missing, as NaN is: |x| ≤ 1e-35, rounded to 32 bits.
    package static let zeroIsMissing = Rule(rawValue: 8)
    /// x is a category, and goes left if the set of number t holds it; the fraction of x is dropped. What is
    /// negative, or beyond the set, goes right.
    package static let isCategory = Rule(rawValue: 16)
    /// x = t goes left.
    package static let isEqual = Rule(rawValue: 32)
    /// With `isCategory`: what lies between −1 and 0 is negative, too, and goes right. Without it the fraction
    /// is dropped, and it is category 0.
    package static let negativeIsNoCategory = Rule(rawValue: 64)
    /// With `isCategory`: x with a fraction is no category, and goes right.
    package static let isWhole = Rule(rawValue: 128)
  }

  /// A set of small whole numbers.
  package struct CategorySet: Hashable, Sendable {
    /// Bit c % 64 of word c / 64.
    package let words: [UInt64]

    package init(words: [UInt64]) { self.words = words }

    /// - Parameter categories: none is negative.
    package init(_ categories: some Sequence<Int>) {
      var words: [UInt64] = []
      for category in categories {
        while words.count <= category / 64 { words.append(0) }
        words[category / 64] |= 1 << UInt64(category % 64)
      }
      self.words = words
    }

    package func contains(_ category: Int) -> Bool {
      category >= 0 && category / 64 < words.count
        && words[category / 64] >> UInt64(category % 64) & 1 == 1
    }
  }
}
