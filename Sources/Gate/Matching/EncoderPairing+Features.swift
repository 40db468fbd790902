import Graph
import Inputs

extension EncoderPairing {
  /// The references with values in the order of the model's features, where a table names them.
  ///
  /// A program knows no names of features; the model it was made from does.
  ///
  /// - Throws: `EvaluationError.otherColumns`.
  static func arranged(
    _ references: ReferenceSet, for baseline: GateSide, _ candidate: GateSide
  ) throws(EvaluationError) -> ReferenceSet {
    let models = baseline.models + candidate.models
    guard let model = models.first(where: { $0.architecture.shapes == .any }) ?? models.first else {
      return references
    }
    return try references.arranged(for: model.architecture.input)
  }
}
