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
  /// The inputs that named the job; it works on nothing else.
  let inputs: JobInputs
  let trained: TrainedModel
  /// Where the compressed model is written.
  let paths: ScratchPaths
  let jobs: Int
  /// Names what the user may type, for reasons.
  let naming: UserOption.Names
  /// Told each step, from any thread.
  let stepping: @Sendable (Prover.Step) -> Void

  /// Runs the job.
  ///
  /// - Parameters:
  ///   - warn: told what is doubtful.
  ///   - look: sees the verdict.
  /// - Throws: only what is wrong with the machine, such as a full disk; what is wrong with the
  ///   model is an outcome.
  func run(warn: (String) -> Void, look: (Verdict) -> Void) throws -> ModelOutcome {
    do {
      return try compressAndProve(warn: warn, look: look)
    } catch EmissionError.readBackDiffers(let path, let tensor) {
      throw EmissionError.readBackDiffers(path: path, tensor: tensor)
    } catch {
      if let fault = MachineFault.fault(in: error, of: job.key) { throw fault }
      return .unusable(.error(error))
    }
  }

  private func compressAndProve(
    warn: (String) -> Void, look: (Verdict) -> Void
  ) throws -> ModelOutcome {
    let check = try job.key.sourceCheck?.open()
    let references = try job.key.referenceSet()
    let calibration = try job.key.calibration.map { try CalibrationSet(path: $0) }
    let corpus = try job.key.keptTokens.map { try VocabularyCorpus(argument: $0) }
    let forms = try trained.shipping.map { try job.key.form.suiting($0) }
    guard inputs.name(check), inputs.references == references.digest,
      inputs.calibration == calibration?.digest, inputs.corpus == corpus?.digest,
      inputs.cards == JobInputs.cards(of: job.key, trained, as: forms)
    else { return .unusable(.changed) }
    let finding = try check?.run(trained.encoders, jobs: jobs)
    if let finding, !finding.isAgreed { return .refused(ModelRefusal(finding, naming)) }
    try Gate.checkKnownOutputs(of: trained.encoders, on: references, jobs: jobs)
    let gate = Gate(
      on: references, try Limits(job.key.limits), threshold: job.key.threshold,
      agreements: finding?.agreements ?? [], jobs: jobs)
    let shipping = try VocabularyCorpus.reduce(trained.shipping, by: corpus) ?? trained.shipping
    let parts = try zip(shipping, forms).map { model, form in
      Prover.Part(
        model, options: job.key.compression.options(of: model.architecture.encoder),
        calibration: try calibration.map { try fitting($0, for: model, references, warn) },
        as: form.value, at: paths.path(of: model.architecture.encoder))
    }
    let prover = Prover(jobs: jobs, progress: stepping)
    let outcome = try prover.run(parts, against: trained.encoders, by: gate) {
      let verdict = try $1()
      look(verdict)
      verdict.warnings.forEach(warn)
      verdict.thresholdAdvice?.projectWords.forEach(warn)
      return verdict
    }
    switch outcome {
    case .refused(let verdict, _): return .refused(ModelRefusal(verdict))
    case .proven(let emitted, let verdict):
      let proven = try shipping.indices.map { index in
        let model = shipping[index]
        return ProvenModel.Part(
          encoder: model.architecture.encoder, emitted: emitted[index],
          receipt: verdict.receipts[index],
          details: try ModelDetails(model, of: job.key, as: forms[index]))
      }
      return .proven(ProvenModel(parts: proven))
    }
  }

  /// The inputs that an encoder's weights are fitted to.
  private func fitting(
    _ set: CalibrationSet, for model: Model, _ references: ReferenceSet, _ warn: (String) -> Void
  ) throws -> CalibrationSet {
    let (calibration, dropped) = try set.besides(
      references, job.key.overlap, for: model, runs: true, jobs: jobs)
    if !dropped.isEmpty { warn(CalibrationSet.droppedWords(dropped, of: set.origin)) }
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
