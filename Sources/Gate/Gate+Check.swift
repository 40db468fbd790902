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
    let references = try Lineup.arranged(references, for: .models(baseline), .models(candidate))
    let lineup = try Lineup(
      baseline: .models(baseline), candidate: .models(candidate), references: references)
    _ = try Trial(
      references: references, meaning: lineup.meaning, limits: try Limits(), threshold: threshold)
    for tower in lineup.towers {
      try references.naming(tower.inputs) { inputs in
        for model in [tower.baseline, tower.candidate].compactMap({ $0 }) {
          try Encoder.check(inputs, for: model)
        }
      }
    }
    try requireDistinct(references, lineup)
  }

  /// Checks whether models can tell enough of a set apart, without running them or decoding images.
  static func requireDistinct(
    _ references: ReferenceSet, _ lineup: Lineup
  ) throws {
    try DistinctReferences(references, towers: lineup.towers, decodes: false, jobs: 1).require()
  }
}
