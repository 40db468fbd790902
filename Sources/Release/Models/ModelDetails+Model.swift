import Formats
import Graph
import Packaging
import Project
import WeightCompression

extension ModelDetails {
  /// The details of a model as trained and as a job compresses it.
  init(_ model: Model, of key: BuildPlan.Key) throws {
    let encoder = model.architecture.encoder
    let form = try key.form.suiting(model)
    let interface = try ModelInterface(
      of: model.architecture, in: try form.value.carrier(of: model))
    self.init(
      inputs: interface.inputs, outputs: interface.outputs, prompt: interface.prompt,
      method: key.compression.options(of: encoder).label,
      options: try key.modelOptions(of: model),
      originalBytes: try model.plainByteCount() ?? .max)
  }
}
