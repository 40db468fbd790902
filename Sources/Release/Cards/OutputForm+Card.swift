import Formats
import Graph
import Project

extension OutputForm {
  /// The form of one model that ships: what describes itself says what the model's card says of what
  /// the project leaves open, and how the model's texts are prepared.
  func suiting(_ model: Model) throws -> OutputForm {
    let form = suiting(model.architecture.encoder)
    guard format.type.describesItself else { return form }
    var choices = form.choices
    choices.description = try CoreMLDescription(
      choices.description, card: try ModelCard(of: model), of: model, choices.coreML)
    return OutputForm(format.with(choices))
  }
}

extension BuildPlan.Key {
  /// A manifest's `compression.options`, with what the model's card says.
  func modelOptions(of model: Model) throws -> [String: String] {
    modelOptions(of: model.architecture.encoder, as: try form.suiting(model))
  }
}
