import Formats
import Graph
import Project

extension OutputForm {
  /// The form of one model that ships: a package says what the model's card says of what the project
  /// leaves open, and how the model's texts are prepared.
  func suiting(_ model: Model) throws -> OutputForm {
    let form = suiting(model.architecture.encoder)
    guard case .mlpackage(let options, let said) = form else { return form }
    let card = try ModelCard(of: model)
    return .mlpackage(options, try CoreMLDescription(said, card: card, of: model, options))
  }
}

extension BuildPlan.Key {
  /// A manifest's `compression.options`, with what the model's card says.
  func modelOptions(of model: Model) throws -> [String: String] {
    modelOptions(of: model.architecture.encoder, as: try form.suiting(model))
  }
}
