import Formats
import Graph
import Project

/// A model as trained: every encoder that it has, and those that are to ship.
///
/// The whole model is judged, always: an encoder that does not ship is the one as trained.
struct TrainedModel {
  /// Image before text; one for a model that is one encoder as a whole.
  let encoders: [Model]
  /// Those that ship, in the same order.
  let shipping: [Model]

  /// Opens the model of a job.
  ///
  /// - Throws: `ModelError.noEncoder`, and errors from opening.
  init(of key: BuildPlan.Key) throws {
    let all = try ModelLoader.encoders(
      of: key.source, prompt: key.prompt, requested: key.encoder)
    encoders = all
    shipping =
      try key.encoder.map { [try ModelLoader.choose($0, among: all, of: key.source)] } ?? all
  }
}
