import Files
import Graph
import StrictJSON
import WeightCompression

/// A recipe that a search found, in an output folder: `compress --recipe` makes the same model of it. No
/// package holds it.
package struct FoundRecipe: Equatable, Sendable {
  /// The folder in an output folder.
  package static let folder = "recipes"

  /// Nil if the model is one encoder as a whole.
  let encoder: EncoderKind?
  let name: String
  /// Of its rules; a manifest names it as `rules`.
  let digest: String

  /// The path in the output folder.
  var path: String { Folder.join(FoundRecipe.folder, "\(digest).yaml") }

  init(_ recipe: Recipe, of encoder: EncoderKind?) {
    (self.encoder, name, digest) = (encoder, recipe.name, recipe.digest)
  }

  var json: JSONValue {
    [
      "encoder": encoder.map { .string($0.rawValue) } ?? .null, "name": .string(name),
      "digest": .string(digest), "path": .string(path),
    ]
  }
}

extension ModelOutcome {
  /// What a search found, of each part; empty without one.
  var recipes: [FoundRecipe] {
    guard case .proven(let model) = self else { return [] }
    return model.parts.compactMap { part in
      part.recipe.map { FoundRecipe($0, of: part.encoder) }
    }
  }
}

extension OutputFolder {
  /// Puts a recipe that a search found into the folder.
  ///
  /// - Returns: its path.
  func put(_ recipe: Recipe) throws -> String {
    let folder = inside(FoundRecipe.folder)
    try OutputFolder.requireOwn(folder)
    try Folder.create(folder)
    let path = FoundRecipe(recipe, of: nil).path
    try put(Array(recipe.yaml.utf8), at: path)
    return inside(path)
  }
}
