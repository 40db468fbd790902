import ArgumentParser
import Files
import Formats
import Graph
import Inputs
import Release

/// A Core ML package's description of itself.
struct DescriptionFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "mlpackage, mlmodel: who made the model, for its metadata.",
      discussion: """
        Author, licence, version and description are taken from the card of the model \
        (the YAML at the beginning of README.md in its folder) where it has them.
        """,
      valueName: "name"))
  var author: String?

  @Option(help: ArgumentHelp("mlpackage, mlmodel: the model's licence.", valueName: "licence"))
  var license: String?

  @Option(help: ArgumentHelp("mlpackage, mlmodel: the model in a few words.", valueName: "words"))
  var description: String?

  /// The flag that was given first, for messages.
  var firstGiven: String? {
    let given = [
      ("--author", author != nil), ("--license", license != nil),
      ("--description", description != nil),
    ]
    return given.first { $0.1 }?.0
  }

  /// The description of a model's package.
  func description(of model: Model, _ options: CoreMLOptions) throws -> CoreMLDescription {
    let said = CoreMLDescription(summary: description, author: author, license: license)
    return try CoreMLDescription(said, card: try ModelCard(of: model), of: model, options)
  }
}
