import StrictJSON

/// How far an output may be from the one that the judged model gave.
public enum Tolerance: Equatable, Sendable {
  /// The least cosine between the two, for embeddings.
  case cosine(Double)
  /// The greatest difference of a number, as a share of the largest that was given, and of 1 where all are
  /// smaller.
  case difference(Double)

  /// What is wrong with an output; nil where it is near enough.
  ///
  /// Written so that a value that is not a number is never near enough.
  public func fault(_ found: [Float], expected: [Float]) -> String? {
    guard found.count == expected.count else {
      return "has \(Figures.count(found.count, "number")), expected \(expected.count)"
    }
    guard found.allSatisfy(\.isFinite) else { return "has numbers that are not finite" }
    switch self {
    case .cosine(let limit):
      let cosine = Self.cosine(found, expected)
      return cosine >= limit ? nil : "has the cosine \(Self.text(cosine)), the limit is \(limit)"
    case .difference(let limit):
      let scale = expected.reduce(1) { max($0, Double($1.magnitude)) }
      let worst = zip(found, expected).reduce(0) { max($0, abs(Double($1.0) - Double($1.1))) }
      return worst <= limit * scale
        ? nil : "is off by \(Self.text(worst / scale)), the limit is \(limit)"
    }
  }

  /// The cosine of two vectors of equal lengths; 1 for two of zeros.
  private static func cosine(_ left: [Float], _ right: [Float]) -> Double {
    var (product, ownSquares, otherSquares) = (0.0, 0.0, 0.0)
    for (a, b) in zip(left, right) {
      product += Double(a) * Double(b)
      ownSquares += Double(a) * Double(a)
      otherSquares += Double(b) * Double(b)
    }
    if ownSquares == 0, otherSquares == 0 { return 1 }
    return product / (ownSquares * otherSquares).squareRoot()
  }

  private static func text(_ value: Double) -> String {
    value.isFinite ? "\((value * 1e4).rounded() / 1e4)" : "\(value)"
  }
}
