import Emission
import Evaluation
import Graph
import StrictJSON

extension LengthAdvice {
  /// What a package's length costs on the references, and lengths that suit them.
  var text: String {
    let factor = cost >= 10 ? "\(Int(cost.rounded()))" : "\((cost * 10).rounded() / 10)"
    var text = "lengths: texts of the references have at most \(counts[counts.count - 1]) tokens, "
    text += "95 % of them at most \(most); filled up to \(length), the package computes "
    text += "\(factor) times what they need"
    if cost >= 1.5 {
      text += ": --lengths " + suggested.map(String.init).joined(separator: ",")
    }
    return text
  }

  /// The same as numbers.
  var json: JSONValue {
    [
      "longest": .integer(counts[counts.count - 1]), "most": .integer(most),
      "cost": .double(cost), "suggested": .array(suggested.map(JSONValue.integer)),
    ]
  }
}

extension FormatFlags {
  /// Refuses lengths that no package of a model can have, before any work.
  func checkLengths(of model: Model) throws {
    if isPackage { try options().checkLengths(of: model) }
  }

  /// What a package's lengths cost on the texts of references; nil where it has none, or there is
  /// nothing to choose.
  func advice(on model: Model, _ references: ReferenceSet) throws -> LengthAdvice? {
    let options = try self.options()
    guard isPackage, !options.isRange, try CoreMLOptions.takesSeveralLengths(model),
      let statement = try TextStatement(of: model)
    else { return nil }
    return try LengthAdvice(
      lengths: try options.lengths(of: model),
      counts: try statement.tokenCounts(of: references.inputs), of: model.architecture)
  }
}
