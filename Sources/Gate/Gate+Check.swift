package import Graph
package import Inputs

extension Gate {
  /// Checks, without running it, that a model can be judged on a reference set.
  ///
  /// - Throws: `EvaluationError` when inputs or form of the set do not suit the model
  ///   (`unusableLine`, `wrongForm`), the set proves too little (`fewReferences`,
  ///   `blindReferences`), the threshold means nothing (`badLimit`); tokenizer errors.
  package static func check(
    _ model: Model, on references: ReferenceSet, threshold: Double? = nil
  ) throws {
    try check(baseline: [model], candidate: [model], on: references, threshold: threshold)
  }

  /// Checks, without running them, that encoders can be judged on a reference set.
  ///
  /// - Throws: as `check(_:on:threshold:)`, and when models do not go together (`wrongEncoders`,
  ///   `notComparable`).
  package static func check(
    baseline: [Model], candidate: [Model], on references: ReferenceSet, threshold: Double? = nil
  ) throws {
    let references = try EncoderPairing.arranged(
      references, for: .models(baseline), .models(candidate))
    let pairing = try EncoderPairing(
      baseline: .models(baseline), candidate: .models(candidate), references: references)
    _ = try Evaluation(
      references: references, meaning: pairing.meaning, limits: try Limits(), threshold: threshold)
    for slot in pairing.slots {
      try references.naming(slot.inputs) { inputs in
        for model in [slot.baseline, slot.candidate].compactMap({ $0 }) {
          try ModelRunner.check(inputs, for: model)
        }
      }
    }
    try requireDistinct(references, pairing)
  }

  /// Checks whether models can tell enough of a set apart, without running them or decoding images.
  static func requireDistinct(
    _ references: ReferenceSet, _ pairing: EncoderPairing
  ) throws {
    try DistinctReferences(references, slots: pairing.slots, decodes: false, jobs: 1).require()
  }
}
