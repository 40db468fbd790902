import Emission
import Evaluation
import Files
import Graph
import Packaging
import WeightCompression

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
    let method = key.compression.scheme.label
    let emitted = try CompressedSafetensors.write(
      weights, of: baseline, recipe: method, to: path)
    // What ships is judged: the file, not what was meant to be in it.
    let judgement = try Gate.judge(
      baseline: baseline, candidate: try ModelLoader.open(path),
      references: try ReferenceSet(path: key.references), limits: try Limits(key.limits),
      threshold: key.threshold, jobs: jobs)
    judgement.warnings.forEach(warn)
    guard let receipt = judgement.receipt else { return .refused(reasons: judgement.reasons) }
    let originalBytes = used.reduce(0) { $0 + $1.elementCount * MemoryLayout<Float>.size }
    return .proven(
      emitted, receipt, ModelTerms(baseline, method: method, originalBytes: originalBytes))
  }
}
