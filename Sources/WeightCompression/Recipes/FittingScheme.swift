import Graph

/// The choice of a rule that a weight takes.
struct FittingScheme {
  /// Its place among the choices; nil if none fits.
  private(set) var place: Int?
  /// Nil if the weight is kept.
  private(set) var scheme: Scheme?
  /// Choices before it, each with why it does not fit.
  private(set) var passed: [Assignment.Passed] = []

  /// - Parameter distinct: a weight's number of distinct values; nil if unknown. Asked
  ///   only where it matters.
  init(
    of rule: RecipeRule, for reference: WeightReference,
    distinct: (WeightReference) throws -> Int?
  ) rethrows {
    for (index, choice) in rule.choices.enumerated() {
      if let choice, let fault = try Self.fault(of: choice, reference, distinct) {
        passed.append(Assignment.Passed(scheme: choice, fault: fault))
      } else {
        (place, scheme) = (index, choice)
        return
      }
    }
  }

  private static func fault(
    of scheme: Scheme, _ reference: WeightReference, _ distinct: (WeightReference) throws -> Int?
  ) rethrows -> TensorRefusal.Fault? {
    let scheme = scheme.own
    if let fault = scheme.fault(of: reference) { return fault }
    guard scheme.isLossless, let count = try distinct(reference), count > 256 else { return nil }
    return .distinctValues
  }
}
