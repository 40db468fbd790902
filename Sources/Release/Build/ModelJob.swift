import Emission
import Evaluation
import Files
import Graph
import Packaging
import WeightCompression
import Weights

/// Compresses one model, writes it, reads it back, and lets the gate judge what was read.
struct ModelJob {
  let job: BuildPlan.Job
  let baseline: Model
  /// Where the compressed model is written.
  let path: String
  let jobs: Int

  /// Runs the job.
  ///
  /// - Parameter warn: told what is doubtful.
  /// - Throws: only what is wrong with the machine, such as a full disk; what is wrong with the
  ///   model is an outcome.
  func run(warn: (String) -> Void) throws -> ModelOutcome {
    do {
      return try compressAndProve(warn: warn)
    } catch EmissionError.readBackDiffers(let path, let tensor) {
      throw EmissionError.readBackDiffers(path: path, tensor: tensor)
    } catch {
      if let fault = MachineFault.fault(in: error) { throw fault }
      return .unusable(reasons: "\(error)".split(separator: "\n").map(String.init))
    }
  }

  private func compressAndProve(warn: (String) -> Void) throws -> ModelOutcome {
    let weights = try WeightCompressor.compress(
      weights: try baseline.usedWeights(), from: baseline.weights, options: job.key.compression,
      jobs: jobs, progress: { _ in })
    // What ships is judged: what was written, not what was meant to be in it.
    let (emitted, judgement) = try write(weights)
    judgement.warnings.forEach(warn)
    guard let receipt = judgement.receipt else { return .refused(reasons: judgement.reasons) }
    return .proven(
      ProvenModel(
        emitted: emitted, receipt: receipt, terms: try ModelTerms(baseline, of: job.key)))
  }

  /// Writes the model in its format and lets the gate judge what reads back.
  private func write(_ weights: CompressedWeights) throws -> (EmittedModel, Judgement) {
    let recipe = job.key.compression.scheme.label
    switch job.key.form {
    case .safetensors:
      let emitted = try CompressedSafetensors.write(
        weights, of: baseline, recipe: recipe, to: path)
      return (emitted, try judge(try ModelLoader.open(path)))
    case .mlpackage(let options, let description):
      var judgement: Judgement?
      let emitted = try CoreMLPackage.write(
        weights, of: baseline, recipe: recipe, options: options, description: description,
        to: path
      ) { candidate in
        let found = try judge(candidate)
        judgement = found
        // The package names the receipt that names it.
        return found.receipt.map { ContentDigest(of: $0.packedBytes) }
      }
      guard let judgement else { preconditionFailure("a package was written without proof") }
      return (emitted, judgement)
    }
  }

  private func judge(_ candidate: Model) throws -> Judgement {
    let key = job.key
    return try Gate.judge(
      baseline: baseline, candidate: candidate,
      references: try ReferenceSet(path: key.references), limits: try Limits(key.limits),
      threshold: key.threshold, jobs: jobs)
  }
}
