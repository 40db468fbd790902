package import Formats
package import Graph
import Inputs

extension CoreMLDescription {
  /// Takes the user's words, and the card's where the user gives none.
  package init(_ said: CoreMLDescription, card: ModelCard?, notes: [String: String]) {
    self.init(
      summary: said.summary ?? card?.summary, author: said.author ?? card?.author,
      license: said.license ?? card?.license, version: said.version ?? card?.version, notes: notes)
  }

  /// The same for a package of a model, which also states how the model's texts are prepared.
  package init(
    _ said: CoreMLDescription, card: ModelCard?, of model: Model, _ options: CoreMLOptions
  ) throws {
    let statement = try TextStatement(of: model)
    let notes = statement.map {
      $0.notes(length: options.sequenceLengths.max() ?? $0.maximumLength)
    }
    self.init(said, card: card, notes: notes ?? [:])
  }
}
