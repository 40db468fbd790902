/// Why trees of one ensemble are not those of another, whatever their layout.
package enum TreeDifference: Error, Equatable, Sendable {
  /// What a branch of the second ensemble parts that reaches one leaf in the first.
  package enum Parted: Equatable, Sendable {
    /// A missing value from all others.
    case missing
    /// Values at a threshold.
    case threshold(Double)
    /// A value from all others.
    case equal(Double)
    /// Categories: the codes of a few on the side that has fewer, ascending; none where both have many.
    case categories([Int])
  }

  /// Numbers of trees.
  case treeCount(Int, other: Int)
  /// Numbers of a row.
  case features(Int, other: Int)
  /// Numbers of the output.
  case outputCount(Int, other: Int)
  /// The second rounds numbers of 64 bits before it compares them.
  case precision
  /// A leaf of the second's tree adds to an output that is none of those that the first's adds to.
  case outputs(tree: Int, Range<Int>, other: Int)
  /// A branch of a tree of the second ensemble.
  case decision(tree: Int, feature: Int, Parted)
  /// The layouts are so different that comparing them takes too long.
  case layout(tree: Int)
}
