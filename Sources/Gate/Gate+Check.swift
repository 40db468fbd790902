package import Graph
package import Inputs

extension Gate {
  /// Checks, without running them, that encoders can be judged on a reference set.
  ///
  /// - Throws: `EvaluationError` when models do not go together (`wrongEncoders`, `notComparable`),
  ///   inputs or form of the set do not suit them (`unusableLine`, `wrongForm`), the set proves too
  ///   little (`fewReferences`, `blindReferences`), the threshold means nothing (`badLimit`), a limit
  ///   needs labels that are not there (`unlabelled`);
  ///   tokenizer errors.
  package static func check(
    baseline: [Model], candidate: [Model], on references: ReferenceSet,
    limits: Limits? = nil, threshold: Double? = nil
  ) throws {
    let pairing = try EncoderPairing(.models(candidate), against: .models(baseline), on: references)
    _ = try Evaluation(pairing, try limits ?? Limits(), threshold: threshold)
    for slot in pairing.slots {
      try pairing.references.naming(slot.inputs) { inputs in
        for model in [slot.baseline, slot.candidate].compactMap({ $0 }) {
          try ModelRunner.check(inputs, for: model)
        }
      }
    }
    try requireDistinct(pairing)
  }

  /// What makes a model unfit to be judged against, whatever the candidate, in a sentence for each weight:
  /// values that are not finite, or too many or few for its shape.
  ///
  /// - Throws: the weight source's own error when a weight cannot be read.
  package static func weightFaults(ofBaseline model: Model) throws -> [String] {
    try WeightAudit.faults(of: model, side: .baseline).map(\.sentence)
  }

  /// Checks whether models can tell enough of a set apart, without running them or decoding images.
  static func requireDistinct(_ pairing: EncoderPairing) throws {
    try DistinctReferences(pairing.references, slots: pairing.slots, decodes: false, jobs: 1)
      .require()
  }
}
