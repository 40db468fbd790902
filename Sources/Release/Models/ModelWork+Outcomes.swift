import Formats
import Gate
import Graph
import Inputs
import Project
import Search
import WeightCompression
import Weights

/// What became of the models of a build.
extension ModelWork {
  /// A model that passed, by what it was made from; nil for any other.
  func proven(_ key: BuildPlan.Key) -> ProvenModel? {
    guard let job = plan.job(of: key), case .proven(let model) = outcome(of: job) else {
      return nil
    }
    return model
  }

  /// What the outcome of a job rests on.
  func evidence(
    of job: Int, _ outcome: ModelOutcome, _ verdict: Verdict?, _ trials: [JudgedTrial]
  ) -> BuildEvidence? {
    guard case .known(let inputs) = inputs[job] else { return nil }
    return BuildEvidence(plan.jobs[job].key, inputs, outcome, verdict, trials)
  }

  /// Which model each content belongs to.
  var owners: [ContentDigest: String] {
    var owners: [ContentDigest: String] = [:]
    for job in plan.jobs.indices {
      guard case .proven(let model) = outcome(of: job) else { continue }
      for part in model.parts {
        let encoder = part.encoder.map { "/\($0.rawValue)" } ?? ""
        for file in part.emitted.files {
          owners[file.digest] = "model '\(plan.jobs[job].label)\(encoder)'"
        }
      }
    }
    return owners
  }

  /// Puts the trained tokenizers of encoders that lost tokens beside the packages.
  func putTokenizers(
    of outcome: ModelOutcome, _ job: BuildPlan.Job, _ trained: TrainedModel
  ) throws {
    guard job.key.keptTokens != nil, case .proven(let model) = outcome else { return }
    for (part, encoder) in zip(model.parts, trained.shipping) where encoder.kind == .text {
      try folder.put(tokenizerOf: encoder, for: part.emitted)
    }
  }

  /// Puts the recipes that a search found into the output folder.
  func putRecipes(of outcome: ModelOutcome, _ job: BuildPlan.Job) throws {
    guard case .proven(let model) = outcome else { return }
    for recipe in model.parts.compactMap(\.recipe) {
      let path = try folder.put(recipe)
      progress(.note("\(job.label): found the recipe \(recipe.label), in \(path)"))
    }
  }
}
