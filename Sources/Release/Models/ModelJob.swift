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
    let files = try open()
    guard areNamed(files) else { return .unusable(.changed) }
    let finding = try files.check?.run(trained.encoders, jobs: jobs)
    if let finding, !finding.isAgreed { return .refused(ModelRefusal(finding, naming)) }
    try Gate.checkKnownOutputs(of: trained.encoders, on: files.references, jobs: jobs)
    let limits = try Limits(job.key.limits)
    let device = DeviceFactsMaker(
      job.key.selfTest, files.proving, limits, jobs: jobs)
    let make = making(try parts(files, warn), finding, limits, device)
    let outcome =
      try files.shares.map(make.searching) ?? make.compressing(provenOn: files.references)
    look(outcome.verdict, outcome.trials)
    tell(outcome, warn)
    guard let emitted = outcome.emitted else {
      return .refused(ModelRefusal(outcome.verdict, outcome.mend, naming))
    }
    return .proven(try proven(outcome, emitted, make.parts, device))
  }

  /// The files that a job names, as they are now.
  private struct OpenFiles {
    let check: SourceCheck?
    let references: ReferenceSet
    /// Of the references, those of a search and those of its verdict; nil without a search.
    let shares: ReferenceShares?
    let calibration: CalibrationSet?
    let corpus: VocabularyCorpus?
    /// The form of each encoder that ships.
    let forms: [OutputForm]

    /// The references of the verdict.
    var proving: ReferenceSet { shares?.verdict ?? references }
    /// What weights must not be fitted to.
    var judging: [ReferenceSet] { shares.map { [$0.search, $0.verdict] } ?? [references] }
  }

  private func open() throws -> OpenFiles {
    let check = try job.key.sourceCheck?.open(besides: job.key.columns)
    let references = try memory.referenceSet(of: job.key)
    return OpenFiles(
      check: check, references: references,
      shares: try job.key.shares(of: references, seenBy: trained.encoders, jobs: jobs),
      calibration: try job.key.calibration.map { try CalibrationSet(path: $0) },
      corpus: try job.key.keptTokens.map { try VocabularyCorpus(argument: $0) },
      forms: try trained.shipping.map { try job.key.form.suiting($0) })
  }

  /// Whether files are those that named the job.
  private func areNamed(_ files: OpenFiles) -> Bool {
    inputs.name(files.check) && inputs.references == files.references.digest
      && inputs.proving == files.proving.digest && inputs.calibration == files.calibration?.digest
      && inputs.corpus == files.corpus?.digest
      && inputs.cards == JobInputs.cards(of: job.key, trained, as: files.forms)
  }

  /// The encoders that ship, each with the inputs that its weights are fitted to.
  private func parts(
    _ files: OpenFiles, _ warn: (String) -> Void
  ) throws -> [ModelMaking.Part] {
    let shipping =
      try VocabularyCorpus.reduce(trained.shipping, by: files.corpus) ?? trained.shipping
    return try zip(shipping, files.forms).map { model, form in
      ModelMaking.Part(
        model: model, form: form,
        calibration: try files.calibration.map {
          try fitting($0, for: model, besides: files.judging, warn)
        })
    }
  }

  private func making(
    _ parts: [ModelMaking.Part], _ finding: SourceFinding?, _ limits: Limits,
    _ device: DeviceFactsMaker
  ) -> ModelMaking {
    ModelMaking(
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
  }

  /// Says what is doubtful of what was made.
  private func tell(_ outcome: ModelMaking.Outcome, _ warn: (String) -> Void) {
    outcome.verdict.warnings.forEach(warn)
    outcome.verdict.thresholdAdvice?.projectWords.forEach(warn)
    if let words = outcome.words { warn(words) }
    if let fault = outcome.mend?.fault { warn("no mend was tried: \(fault)") }
  }

  private func proven(
    _ outcome: ModelMaking.Outcome, _ emitted: [EmittedModel], _ parts: [ModelMaking.Part],
    _ device: DeviceFactsMaker
  ) throws -> ProvenModel {
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
      })
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
