import Graph
import Inputs
import StrictJSON
import Trees

/// How near numbers are that add up the leaves of trees in 32 bits, where those of the
/// library were given as it made them: in 32 bits, too.
///
/// Sums are the same, bit for bit, whatever the machine: trees are added in their order. What is made of them by
/// exponentials differs by the library of the machine in the last bits.
enum SumRule: Equatable {
  /// The sums themselves: every bit.
  case exact
  /// Exponentials of sums: the largest difference of a number, relative to the larger of the two.
  case relative(Double)

  /// The largest relative difference of a number that is an exponential of sums. Single-precision functions are
  /// within a few units of 2⁻²⁴; softmax adds up what differs.
  static let exponentialLimit = 1e-6

  /// Nil for a model whose library does not add so, or whose leaves were compressed; and for numbers that were
  /// given in other types.
  init?(_ model: Model, _ type: VectorType) {
    guard type == .float32, let forest = model.architecture as? ForestModel,
      forest.header.precision.addsFloats,
      TreeLibraries.addsFloatsInOrder(forest.description.library),
      model.recipe == nil || model.recipe == Model.plainRecipe
    else { return nil }
    self =
      forest.header.transform == .identity ? .exact : .relative(SumRule.exponentialLimit)
  }

  /// Whether a number of the model is the given one.
  func agrees(_ ours: Float, _ theirs: Float) -> Bool {
    switch self {
    // The sign of a zero depends on how the sum began, and decides nothing.
    case .exact: ours == theirs
    case .relative(let limit):
      (Double(ours) - Double(theirs)).magnitude
        <= limit * Double(max(ours.magnitude, theirs.magnitude))
    }
  }

  /// The number of a row that misses the rule most; nil where all keep it.
  func worst(_ ours: ArraySlice<Float>, _ theirs: ArraySlice<Float>) -> (column: Int, steps: Int)? {
    var worst: (column: Int, steps: Int)?
    for (column, (own, given)) in zip(ours, theirs).enumerated() where !agrees(own, given) {
      let steps = SumRule.steps(own, given)
      if steps > worst?.steps ?? 0 { worst = (column, steps) }
    }
    return worst
  }

  /// What differs and what is asked for, in words.
  func words(_ steps: Int) -> String {
    let places = Figures.count(steps, "step")
    return switch self {
    case .exact:
      "sums differ by up to \(places) of float32, where sums of float32 agree bit for bit"
    case .relative:
      "numbers differ by up to \(places) of float32, at most 0.000001 of a number is tolerated where "
        + "trees are added in float32"
    }
  }

  /// How many numbers of 32 bits two are apart, both finite.
  static func steps(_ left: Float, _ right: Float) -> Int {
    func place(_ value: Float) -> Int {
      let bits = Int(value.bitPattern & 0x7FFF_FFFF)
      return value.sign == .minus ? -bits : bits
    }
    return abs(place(left) - place(right))
  }
}
