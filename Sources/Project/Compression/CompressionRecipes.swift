import Files
import Packaging
package import WeightCompression

/// Finds recipes by what users call them: the name of a built-in one, or the path of a file.
package enum CompressionRecipes {
  /// Whether a word is a path: it holds a `/` or a `.`. A file that is called like a built-in recipe
  /// is named with its folder or its ending: `./small`, `small.yaml`.
  package static func isPath(_ word: String) -> Bool { word.contains { $0 == "/" || $0 == "." } }

  /// Says that a word that is not a path names no recipe, and suggests a name.
  package static func unknownName(_ word: String) -> (message: String, hint: String) {
    let known = BuiltInRecipe.allCases.map(\.rawValue)
    let shown = word.prefix(60).asciiEscaped
    let hint =
      Suggestion.nearest(to: word, among: known).map { "did you mean '\($0)'?" }
      ?? "built-in recipes: \(known.joined(separator: ", ")); a file is named with its folder or "
      + "its ending, such as './\(shown)'"
    return ("no recipe is called '\(shown)'", hint)
  }

  /// The recipe of a name or in a file.
  ///
  /// - Throws: every fault of the file, or of the name.
  package static func recipe(_ word: String) throws(ProjectFaults) -> Recipe {
    if let recipe = BuiltInRecipe(rawValue: word)?.recipe { return recipe }
    let log = ContractSection.Log()
    let start = Place(startOf: word)
    if !isPath(word) {
      let (message, hint) = unknownName(word)
      log.faults.add(.missingRecipe, start, message, hint: hint)
    } else if Folder.kind(of: word) == .missing {
      let missing = MissingPath(word)
      log.faults.add(
        .missingRecipe, start, missing.words("the recipe"), hint: missing.suggestion)
    } else if let recipe = CompressionRecipeReader(log: log).read(word) {
      return recipe
    }
    log.faults.sort(first: word)
    throw log.faults
  }
}
