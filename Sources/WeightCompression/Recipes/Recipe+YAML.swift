import StrictJSON

extension Recipe {
  /// The text of a file that reads as this recipe, whose rules choose by names, or match everything.
  ///
  /// The format is in `specs/formats/recipe.md`. Every text is in double quotes, which YAML reads as
  /// JSON does.
  package var yaml: String {
    var lines = ["ingot-recipe: 1", "name: \(JSONValue.string(name).compact)", "rules:"]
    for rule in rules {
      let names = rule.match.names.map { "        - \(JSONValue.string($0.text).compact)" }
      lines += names.isEmpty ? ["  - match: {}"] : ["  - match:", "      name:"] + names
      lines.append("    use: \(Recipe.words(rule.scheme))")
      if rule.isOptional { lines.append("    optional: true") }
    }
    if keepsOthers { lines.append("otherwise: keep") }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func words(_ scheme: Scheme?) -> String {
    scheme.map { words(SchemeSpelling($0)) } ?? "keep"
  }

  private static func words(_ spelling: SchemeSpelling) -> String {
    let choices = spelling.choices
    let order = [
      "scheme", "bits", "mode", "granularity", "groupSize", "range", "width", "entries", "rows",
    ]
    let own = order.compactMap { key in choices[key].map { "\(key): \($0)" } }
    let parts = zip(SchemeSpelling.partNames, spelling.parts).map { "\($0): \(words($1))" }
    return "{\((own + parts).joined(separator: ", "))}"
  }
}
