import Weights

extension Recipe {
  /// SHA-256 over the rules, 64 hexadecimal digits: the same for the same rules, independent of the
  /// recipe's name and source.
  package var digest: String { ContentDigest(of: Array(canonicalText.utf8)).hex }

  /// The rules in one text; no two recipes of different rules have the same.
  var canonicalText: String {
    rules.map { "\($0.canonicalText)\n" }.joined() + (keepsOthers ? "keep\n" : "fault\n")
  }
}

extension RecipeRule {
  fileprivate var canonicalText: String {
    let names = match.names.map { "\($0.text.utf8.count):\($0.text)" }
    let shape = match.shape.map { "[\($0.map(\.description).joined(separator: ","))]" } ?? "any"
    return [
      "names \(names.count) \(names.joined())",
      "roles \(match.roles.map(\.word).joined(separator: ","))", "shape \(shape)",
      "elements \(match.elements)",
      "use \(choices.map { SchemeSpelling($0).canonicalText }.joined(separator: "|"))",
      isOptional ? "optional" : "needed",
    ].joined(separator: ";")
  }
}
