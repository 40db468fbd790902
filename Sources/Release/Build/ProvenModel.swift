import Emission
import Evaluation
import Packaging

/// A model that passed the gate, with all that packaging asks for.
struct ProvenModel {
  let emitted: EmittedModel
  let receipt: DriftReceipt
  let terms: ModelTerms
}

/// What became of a model.
enum ModelOutcome {
  case proven(ProvenModel)
  /// The gate ran the model and refused it.
  case refused(reasons: [String])
  /// The model, its compression or its reference set cannot be used as the project asks.
  case unusable(reasons: [String])
}
