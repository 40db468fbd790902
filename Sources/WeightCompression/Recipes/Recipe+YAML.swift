import StrictJSON

extension Recipe {
  /// The text of a file that reads as this recipe, whose rules all choose by names.
  ///
  /// The format is in `specs/formats/recipe.md`. Every text is in double quotes, which YAML reads as
  /// JSON does.
  package var yaml: String {
    var lines = ["ingot-recipe: 1", "name: \(JSONValue.string(name).compact)", "rules:"]
    for rule in rules {
      let names = rule.match.names.map { "      - \(JSONValue.string($0.text).compact)" }
      lines += ["  - match:", "      name:"] + names.map { "  " + $0 }
      lines.append("    use: \(Recipe.words(rule.scheme))")
    }
    if keepsOthers { lines.append("otherwise: keep") }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func words(_ scheme: Scheme?) -> String {
    guard let scheme else { return "keep" }
    let choices = SchemeSpelling(scheme).choices
    let order = [
      "scheme", "bits", "mode", "granularity", "groupSize", "range", "width", "entries",
    ]
    let words = order.compactMap { key in choices[key].map { "\(key): \($0)" } }
    return "{\(words.joined(separator: ", "))}"
  }
}
