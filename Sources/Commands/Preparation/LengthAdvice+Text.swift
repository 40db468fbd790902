import Formats
import Graph
import Inputs
import StrictJSON

extension LengthAdvice {
  /// The cost of a Core ML package's length on the references, and lengths that suit them.
  ///
  /// - Parameter requested: the oldest system that the package is to be made for; nil without a
  ///   choice.
  func text(for requested: DeploymentTarget?) -> String {
    let factor = Figures.fixed(cost, cost >= 10 ? 0 : 1)
    var text = "lengths: texts of the references have at most \(counts[counts.count - 1]) tokens, "
    text += "95 % of them at most \(percentile95); filled up to \(length), the package computes "
    text += "\(factor) times what they need"
    return cost >= 1.5 ? text + suggestion(for: requested) : text
  }

  private func suggestion(for requested: DeploymentTarget?) -> String {
    let needed = DeploymentTarget.lowest(forChoiceOf: suggested)
    let words = ": --lengths " + suggested.map(String.init).joined(separator: ",")
    guard suggested.count > 1 else { return words }
    if let requested, requested < needed {
      return ": --lengths 1...\(suggested[suggested.count - 1]), as a choice of several needs "
        + "\(needed.rawValue) and the package is for \(requested.rawValue)"
    }
    return words + ", which needs \(needed.rawValue)"
  }

  /// The same as numbers.
  var json: JSONValue {
    [
      "longest": .integer(counts[counts.count - 1]), "most": .integer(percentile95),
      "cost": .double(cost), "suggested": .array(suggested.map(JSONValue.integer)),
    ]
  }
}

extension FormatFlags {
  /// The cost of a model's lengths on the texts of references; nil if it has none, or there is
  /// nothing to choose.
  func advice(on model: Model, _ references: ReferenceSet) throws -> LengthAdvice? {
    guard let lengths = try plain.fixedLengths(of: model),
      let statement = try TextStatement(of: model)
    else { return nil }
    return try LengthAdvice(
      lengths: lengths,
      counts: try statement.tokenCounts(of: references.inputs), of: model.architecture)
  }
}
