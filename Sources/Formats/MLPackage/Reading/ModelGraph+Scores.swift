import Graph

extension ModelGraph {
  /// Whether a classifier's program gives probabilities, told from the operation that makes them.
  ///
  /// A softmax and a sigmoid give probabilities, and so do numbers that are divided by their sum;
  /// everything else is a score.
  var scoreScale: ScoreScale {
    guard let last = nodes.last(where: { $0.name == output })?.operation else { return .scores }
    if last is Softmax { return .probabilities }
    if let unary = last as? ElementwiseUnary, unary.kind == .sigmoid { return .probabilities }
    if let division = last as? ElementwiseBinary, division.kind == .realDivision,
      case .value(let divisor) = division.y,
      let sum = nodes.last(where: { $0.name == divisor })?.operation as? Reduce,
      sum.kind == .sum, sum.x == division.x
    {
      return .probabilities
    }
    return .scores
  }
}
