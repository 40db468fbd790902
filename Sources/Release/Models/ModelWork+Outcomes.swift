import Formats
import Gate
import Graph
import Project
import Search
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
}
