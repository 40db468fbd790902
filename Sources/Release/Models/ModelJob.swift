import Calibration
import Explanation
import Files
import Formats
import Gate
import Graph
import Inputs
import Packaging
import Project
import Proving
import Search
import WeightCompression

/// Makes the encoders of one model and has them proven, all of them together; see `Prover`.
struct ModelJob {
  let job: BuildPlan.Job
  /// The inputs that named the job; it works on nothing else.
  let inputs: JobInputs
  let trained: TrainedModel
  /// Has the references, or reads them.
  let memory: ModelMemory
  /// Where the compressed model is written.
  let paths: ScratchPaths
  let jobs: Int
  /// Names what the user may type, for reasons.
  let naming: UserOption.Names
  /// Told each step, from any thread.
  let stepping: @Sendable (ModelStep) -> Void

  /// Runs the job.
  ///
  /// - Parameters:
  ///   - warn: told what is doubtful.
  ///   - look: sees the verdict, and the candidates of a search.
  /// - Throws: only what is wrong with the machine, such as a full disk; what is wrong with the
  ///   model is an outcome.
  func run(
    warn: (String) -> Void, look: (Verdict, [JudgedTrial]) -> Void
  ) throws -> ModelOutcome {
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
    warn: (String) -> Void, look: (Verdict, [JudgedTrial]) -> Void
  ) throws -> ModelOutcome {
    let check = try job.key.sourceCheck?.open(besides: job.key.columns)
    let references = try memory.referenceSet(of: job.key)
    let shares = try job.key.shares(
      of: references, seenBy: trained.encoders, jobs: jobs)
    let calibration = try job.key.calibration.map { try CalibrationSet(path: $0) }
    let corpus = try job.key.keptTokens.map { try VocabularyCorpus(argument: $0) }
    let forms = try trained.shipping.map { try job.key.form.suiting($0) }
    guard inputs.name(check), inputs.references == references.digest,
      inputs.proving == (shares?.verdict ?? references).digest,
      inputs.calibration == calibration?.digest, inputs.corpus == corpus?.digest,
      inputs.cards == JobInputs.cards(of: job.key, trained, as: forms)
    else { return .unusable(.changed) }
    let finding = try check?.run(trained.encoders, jobs: jobs)
    if let finding, !finding.isAgreed { return .refused(ModelRefusal(finding, naming)) }
    try Gate.checkKnownOutputs(of: trained.encoders, on: references, jobs: jobs)
    let shipping = try VocabularyCorpus.reduce(trained.shipping, by: corpus) ?? trained.shipping
    let sets = shares.map { [$0.search, $0.verdict] } ?? [references]
    let parts = try zip(shipping, forms).map { model, form in
      ModelMaking.Part(
        model: model, form: form,
        calibration: try calibration.map { try fitting($0, for: model, besides: sets, warn) })
    }
    let limits = try Limits(job.key.limits)
    let device = DeviceFactsMaker(
      job.key.selfTest, shares?.verdict ?? references, limits, jobs: jobs)
    let make = ModelMaking(
      parts: parts, trained: trained.encoders, key: job.key, limits: limits, jobs: jobs,
      paths: paths, stepping: stepping
    ) { model, part in
      let details = try ModelDetails(part.model, of: job.key, as: part.form)
      return (details, try device.facts(of: model, details))
    } gate: { set in
      Gate(
        on: set, limits, threshold: job.key.threshold, agreements: finding?.agreements ?? [],
        jobs: jobs)
    }
    let outcome = try shares.map(make.searching) ?? make.compressing(provenOn: references)
    look(outcome.verdict, outcome.trials)
    outcome.verdict.warnings.forEach(warn)
    outcome.verdict.thresholdAdvice?.projectWords.forEach(warn)
    if let words = outcome.words { warn(words) }
    if let fault = outcome.mend?.fault { warn("no mend was tried: \(fault)") }
    guard let emitted = outcome.emitted else {
      return .refused(ModelRefusal(outcome.verdict, outcome.mend, naming))
    }
    return .proven(
      ProvenModel(
        parts: try parts.indices.map { index in
          let part = parts[index], recipe = outcome.recipes?[index]
          let (details, device) =
            try outcome.described?[index]
            ?? describe(emitted[index], part, found: recipe, device)
          return ProvenModel.Part(
            encoder: part.model.architecture.encoder, emitted: emitted[index],
            receipt: outcome.verdict.receipts[index], details: details, device: device,
            recipe: recipe)
        }))
  }

  /// What packages say of a part that a search found.
  private func describe(
    _ emitted: EmittedModel, _ part: ModelMaking.Part, found recipe: Recipe?,
    _ device: DeviceFactsMaker
  ) throws -> ModelMaking.Description {
    let details = try ModelDetails(part.model, of: job.key, as: part.form, found: recipe)
    return (details, try device.facts(of: emitted, details))
  }

  /// The inputs that an encoder's weights are fitted to.
  private func fitting(
    _ set: CalibrationSet, for model: Model, besides references: [ReferenceSet],
    _ warn: (String) -> Void
  ) throws -> CalibrationSet {
    let stepping = stepping
    let (rest, dropped) = try set.besides(
      references, job.key.overlap, for: model, runs: true, jobs: jobs
    ) { stepping(.comparing($0, of: $1)) }
    if !dropped.isEmpty { warn(CalibrationSet.droppedWords(dropped, of: set.origin)) }
    return rest
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
