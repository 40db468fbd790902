import Files
import Formats
import Graph
import WeightCompression

/// Where a search writes one encoder's model and recipe.
struct ShrinkOutput {
  let model: String
  /// Nil if the recipe is not written.
  private let recipe: String?

  /// - Parameter encoder: of a model whose encoders are both searched; its word ends both names.
  init(of encoder: EncoderKind?, _ output: String, recipe: String?) {
    model = ShrinkOutput.path(output, of: encoder)
    self.recipe = recipe.map { ShrinkOutput.path($0, of: encoder) }
  }

  /// Refuses paths before any work is done.
  ///
  /// - Parameter source: the model as given.
  func check(as format: ModelFormat, of source: String, inputs: [String]) throws {
    let path = OutputPath(path: model, format: format)
    try path.check(inputs: inputs)
    try path.check(besides: source)
    // The folder may take no file at all: better known now than after the search.
    _ = try AtomicFolder(path: model)
    guard let recipe else { return }
    let written = OutputPath(path: recipe, flag: "--write-recipe")
    try written.check(inputs: inputs)
    try written.check(besides: source)
    guard !OutputPath.isSame(recipe, model) else {
      throw Failure(
        message: "\(recipe): is the --output of this very command",
        hint: "choose another --write-recipe")
    }
  }

  /// Opens the file of the recipe; nil if it is not written.
  func recipeFile() throws -> RecipeFile? { try recipe.map(RecipeFile.init) }

  /// `small-text.safetensors` for `small.safetensors`.
  private static func path(_ path: String, of encoder: EncoderKind?) -> String {
    guard let encoder else { return path }
    var name = Folder.name(of: path)
    let end = name.lastIndex(of: ".") ?? name.endIndex
    name.insert(contentsOf: "-\(encoder.rawValue)", at: end)
    return Folder.join(Folder.parent(of: path), name)
  }
}

/// The file of a found recipe: open while the search goes on, written before the model has its name,
/// and named after it.
final class RecipeFile {
  private let path: String
  private var file: AtomicFile?

  init(_ path: String) throws {
    self.path = path
    file = try AtomicFile(path: path)
  }

  /// Writes the recipe to the disk, still without a name.
  func write(_ recipe: Recipe) throws { try file?.write(Array(recipe.yaml.utf8)) }

  /// Gives the file its name.
  ///
  /// - Parameter model: the path of the model, which is there.
  func commit(of model: String) throws {
    do {
      try file.take()?.commit()
    } catch {
      throw Failure(
        message: "\(error)",
        details: ["\(model) was proven and is there; its recipe is not written"])
    }
  }
}
