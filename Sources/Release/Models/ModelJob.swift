import Calibration
import Files
import Formats
import Gate
import Graph
import Inputs
import Packaging
import Project
import Proving

/// Makes the encoders of one model and has them proven, all of them together; see `Prover`.
struct ModelJob {
  let job: BuildPlan.Job
  let trained: TrainedModel
  /// Where the compressed model is written.
  let paths: ScratchPaths
  let jobs: Int
  /// Names what the user may type, for reasons.
  let naming: UserOption.Names

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
      return .unusable(.error(error))
    }
  }

  private func compressAndProve(warn: (String) -> Void) throws -> ModelOutcome {
    let finding = try job.key.sourceCheck?.open().run(trained.encoders, jobs: jobs)
    if let finding, !finding.isAgreed { return .refused(ModelRefusal(finding, naming)) }
    let references = try job.key.referenceSet()
    try Gate.checkKnownOutputs(of: trained.encoders, on: references, jobs: jobs)
    let judging = Judging(
      on: references, try Limits(job.key.limits), threshold: job.key.threshold,
      agreements: finding?.agreements ?? [], jobs: jobs)
    let parts = try trained.shipping.map { try part($0, references, warn: warn) }
    let outcome = try Prover(jobs: jobs).run(parts) { candidates in
      let verdict = try judging.judge(candidates, against: trained.encoders)
      verdict.warnings.forEach(warn)
      verdict.thresholdAdvice?.projectWords.forEach(warn)
      return verdict
    }
    switch outcome {
    case .refused(let verdict): return .refused(ModelRefusal(verdict))
    case .proven(let emitted, let verdict):
      let proven = try zip(zip(trained.shipping, emitted), verdict.receipts).map {
        made, receipt in
        ProvenModel.Part(
          encoder: made.0.architecture.encoder, emitted: made.1, receipt: receipt,
          details: try ModelDetails(made.0, of: job.key))
      }
      return .proven(ProvenModel(parts: proven))
    }
  }

  /// Makes one encoder; its weights are fitted to inputs if there are some.
  private func part(
    _ model: Model, _ references: ReferenceSet, warn: (String) -> Void
  ) throws -> Prover.Part {
    let encoder = model.architecture.encoder
    return Prover.Part(
      model, options: job.key.compression.options(of: encoder),
      calibration: try calibration(model, references, warn: warn),
      as: try job.key.form.suiting(model).value, at: paths.path(of: encoder))
  }

  private func calibration(
    _ model: Model, _ references: ReferenceSet, warn: (String) -> Void
  ) throws -> CalibrationSet? {
    guard let path = job.key.calibration else { return nil }
    let (calibration, dropped) = try CalibrationSet(path: path).besides(
      references, job.key.overlap, for: model, runs: true, jobs: jobs)
    if !dropped.isEmpty { warn(CalibrationSet.droppedWords(dropped, of: path)) }
    return calibration
  }
}

extension ThresholdAdvice {
  /// The ways out, in a project.
  fileprivate var projectWords: [String] {
    switch self {
    case .missing: ["add 'threshold: 0.5' under 'gate': the similarity at which the app decides"]
    case .misses: details
    }
  }
}
