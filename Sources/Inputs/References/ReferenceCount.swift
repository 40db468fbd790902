import StrictJSON

/// The size of a reference set as the models see it.
package struct ReferenceCount: Equatable, Sendable {
  /// Comparisons that differ.
  package let comparisons: Int
  /// Inputs that differ.
  package let inputs: Int
  /// Lines as they were given.
  package let lines: Int
  /// Whether the lines are pairs.
  package let arePairs: Bool

  /// `3 pairs`, `2 distinct pairs in 8 lines`, `5 distinct inputs`; counts what is distinct.
  package var words: String {
    guard comparisons < ReferenceSet.fewestLines else {
      return Figures.count(inputs, "distinct input")
    }
    let kind = arePairs ? "pair" : "sample"
    return comparisons == lines
      ? Figures.count(lines, kind)
      : "\(Figures.count(comparisons, "distinct \(kind)")) in \(Figures.count(lines, "line"))"
  }
}
