/// Trees as ONNX has them: what their leaves add up to, and how a label comes of it.
package struct TabularTrees: Equatable, Sendable {
  /// The trees; sums begin with 0, and nothing is done with them.
  package let ensemble: TreeEnsemble
  /// Added after the sums: none, one of each output, or of two classes one, to the first sum.
  package let base: [Double]
  package let aggregate: Aggregate
  package let transform: LeafTransform
  /// nil of a regression.
  package let classes: Classes?
  /// Whether all is computed in 64 bits.
  package let isDouble: Bool
  /// What comes out: `float`, or `double` where an operator of version 5 is given doubles.
  package let outputType: TabularType

  package enum Aggregate: String, CaseIterable, Sendable {
    case average = "AVERAGE"
    case sum = "SUM"
    case smallest = "MIN"
    case largest = "MAX"
  }

  package struct Classes: Equatable, Sendable {
    package let labels: TreeLabels
    /// Whether leaves have the score of one class alone, of two.
    package let isBinary: Bool
    /// Whether no leaf has a negative score: then these are probabilities.
    package let arePositive: Bool
    /// Of each class whether rows have a score of it; what has none is never the label.
    package let isScored: [Bool]
  }
}

extension TreeLabels {
  /// One of them, as a value of a graph.
  func column(_ place: Int) -> TabularColumn {
    switch self {
    case .texts(let texts): TabularColumn(.texts([texts[place]]), [1])
    case .integers(let integers): TabularColumn(.integers([Int64(integers[place])]), [1])
    }
  }
}
