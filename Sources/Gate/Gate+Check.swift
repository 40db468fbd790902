package import Graph
package import Inputs

extension Gate {
  /// Checks, without running them, that encoders can be judged on a reference set.
  ///
  /// - Throws: `EvaluationError` when models do not go together (`wrongEncoders`, `notComparable`),
  ///   inputs or form of the set do not suit them (`unusableLine`, `wrongForm`), the set proves too
  ///   little (`fewReferences`, `blindReferences`), the threshold means nothing (`badLimit`);
  ///   tokenizer errors.
  package static func check(
    baseline: [Model], candidate: [Model], on references: ReferenceSet, threshold: Double? = nil
  ) throws {
    let pairing = try EncoderPairing(.models(candidate), against: .models(baseline), on: references)
    _ = try Evaluation(pairing, try Limits(), threshold: threshold)
    for slot in pairing.slots {
      try pairing.references.naming(slot.inputs) { inputs in
        for model in [slot.baseline, slot.candidate].compactMap({ $0 }) {
          try ModelRunner.check(inputs, for: model)
        }
      }
    }
    try requireDistinct(pairing)
  }

  /// Checks whether models can tell enough of a set apart, without running them or decoding images.
  static func requireDistinct(_ pairing: EncoderPairing) throws {
    try DistinctReferences(pairing.references, slots: pairing.slots, decodes: false, jobs: 1)
      .require()
  }
}
