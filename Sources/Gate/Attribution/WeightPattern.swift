/// Typical ways in which a weight is wrong, recognised from its values.
package enum WeightPattern: Equatable, Sendable {
  /// All values times one factor.
  case scaled(Double)
  /// Some lines, each times a factor of its own; the factor is the first one's.
  case scaledLines(DamagedPart, factor: Double)
  case negated(DamagedPart)
  case transposed
  /// Lines along an axis are permuted; `row` of the candidate is `source` of the baseline.
  case permuted(axis: Int, row: Int, source: Int)
  /// Most lines along an axis are in another order; `row` of the candidate is `source` of the
  /// baseline.
  case shuffled(axis: Int, row: Int, source: Int)
  /// Values are clipped: none is larger than `limit`, where the baseline's reach `largest`.
  case saturated(DamagedPart, limit: Double, largest: Double)
  /// Values are zero where the baseline's are not.
  case zeroed(DamagedPart)

  /// Relative error below which nothing is looked for.
  static let minError = 0.02
  /// Part of the error that a pattern may leave unexplained: compression leaves a little of its own.
  static let unexplained = 0.25

  /// The pattern in which `new` differs from `old`, both of a shape and row-major, if there is one.
  static func found(in new: [Float], from old: [Float], shape: [Int]) -> WeightPattern? {
    let error = WeightAudit.relativeError(of: new, from: old)
    guard error > minError, error.isFinite else { return nil }
    let values = ValueDamage(new: new, old: old, shape: shape)
    if let pattern = values.factor ?? turned(new, old, shape) { return pattern }
    if error > 0.2, let pattern = MovedLines.found(in: new, from: old, shape: shape) {
      return pattern
    }
    if let pattern = values.zeroed ?? values.negated ?? values.saturated { return pattern }
    return values.scaledLines
  }

  private static func turned(_ new: [Float], _ old: [Float], _ shape: [Int]) -> WeightPattern? {
    guard shape.count == 2, shape[0] == shape[1], shape[0] > 1 else { return nil }
    let count = shape[0]
    var values = [Float](repeating: 0, count: old.count)
    for row in 0..<count {
      for column in 0..<count { values[column * count + row] = old[row * count + column] }
    }
    let error = WeightAudit.relativeError(of: new, from: old)
    return WeightAudit.relativeError(of: new, from: values) < unexplained * error
      ? .transposed : nil
  }
}

/// Which numbers of a weight are wrong.
package struct DamagedPart: Equatable, Sendable {
  /// What is counted: whole lines where the damage follows them.
  package enum Unit: String, Equatable, Sendable {
    case value, row, column

    /// Lines along an axis.
    init(axis: Int) { self = axis == 0 ? .row : .column }
  }

  package let unit: Unit
  /// How many are wrong, of how many.
  package let count: Int
  package let all: Int
  /// The first of them.
  package let first: Int
}

/// What is wrong with the numbers of a weight that moves outputs.
package enum WeightDamage: Equatable, Sendable {
  case pattern(WeightPattern)
  /// Small errors everywhere, as fewer bits make them.
  case rounding
  /// Other numbers, in no way that is known.
  case other

  /// Cosine from which a weight is still the baseline's.
  private static let alike = 0.7

  /// - Parameter isFitted: whether fitting to inputs may have moved the weight as a whole.
  init(in new: [Float], from old: [Float], shape: [Int], isFitted: Bool = false) {
    if isFitted {
      self = .rounding
    } else if let pattern = WeightPattern.found(in: new, from: old, shape: shape) {
      self = .pattern(pattern)
    } else {
      var product = 0.0, before = 0.0, after = 0.0
      for (one, other) in zip(old, new) {
        product += Double(one) * Double(other)
        before += Double(one) * Double(one)
        after += Double(other) * Double(other)
      }
      let isAlike = before == after || product >= WeightDamage.alike * (before * after).squareRoot()
      self = isAlike ? .rounding : .other
    }
  }

  /// The pattern; nil for anything else.
  package var pattern: WeightPattern? {
    if case .pattern(let pattern) = self { pattern } else { nil }
  }
}
