import Emission
import Evaluation
import Files
import Graph
import Packaging
import WeightCompression
import Weights

/// Compresses one model, writes it, reads it back, and lets the gate judge what was read.
struct ModelJob {
  /// What became of a model.
  enum Outcome {
    case proven(EmittedModel, DriftReceipt, ModelTerms)
    /// The gate ran the model and refused it.
    case refused(reasons: [String])
    /// The model, its compression or its reference set cannot be used as the project asks.
    case unusable(reasons: [String])
  }

  let job: BuildPlan.Job
  /// Where the compressed model is written.
  let path: String
  let jobs: Int

  /// Runs the job.
  ///
  /// - Parameter warn: told what is doubtful.
  /// - Throws: only what is wrong with the machine, such as a full disk; what is wrong with the
  ///   model is an outcome.
  func run(warn: (String) -> Void) throws -> Outcome {
    do {
      return try compressAndProve(warn: warn)
    } catch let error as FileError {
      throw error
    } catch EmissionError.readBackDiffers(let path, let tensor) {
      throw EmissionError.readBackDiffers(path: path, tensor: tensor)
    } catch {
      return .unusable(reasons: "\(error)".split(separator: "\n").map(String.init))
    }
  }

  private func compressAndProve(warn: (String) -> Void) throws -> Outcome {
    let key = job.key
    let baseline = try ModelLoader.open(key.source)
    let used = try baseline.usedWeights()
    let weights = try WeightCompressor.compress(
      weights: used, from: baseline.weights, options: key.compression, jobs: jobs,
      progress: { _ in })
    // What ships is judged: what was written, not what was meant to be in it.
    let (emitted, judgement) = try write(weights, of: baseline)
    judgement.warnings.forEach(warn)
    guard let receipt = judgement.receipt else { return .refused(reasons: judgement.reasons) }
    let originalBytes = used.reduce(0) { $0 + $1.elementCount * MemoryLayout<Float>.size }
    let method = key.compression.scheme.label
    return .proven(
      emitted, receipt,
      ModelTerms(baseline, as: key.form, method: method, originalBytes: originalBytes))
  }

  /// Writes the model in its format and lets the gate judge what reads back.
  private func write(
    _ weights: CompressedWeights, of baseline: Model
  ) throws -> (EmittedModel, Judgement) {
    let recipe = job.key.compression.scheme.label
    switch job.key.form {
    case .safetensors:
      let emitted = try CompressedSafetensors.write(
        weights, of: baseline, recipe: recipe, to: path)
      return (emitted, try judge(try ModelLoader.open(path), against: baseline))
    case .mlpackage(let options, let description):
      var judgement: Judgement?
      let emitted = try CoreMLPackage.write(
        weights, of: baseline, recipe: recipe, options: options, description: description,
        to: path
      ) { candidate in
        let found = try judge(candidate, against: baseline)
        judgement = found
        // The package names the receipt that names it.
        return found.receipt.map { ContentDigest(of: $0.packedBytes) }
      }
      guard let judgement else { preconditionFailure("a package was written without proof") }
      return (emitted, judgement)
    }
  }

  private func judge(_ candidate: Model, against baseline: Model) throws -> Judgement {
    let key = job.key
    return try Gate.judge(
      baseline: baseline, candidate: candidate,
      references: try ReferenceSet(path: key.references), limits: try Limits(key.limits),
      threshold: key.threshold, jobs: jobs)
  }
}
