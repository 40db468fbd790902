import Calibration
import Files
import Formats
import Gate
import Graph
import Inputs
import Packaging
import Project
import Proving
import Store
import StrictJSON
import Weights

/// Makes the encoders of one model and has them proven, all of them together; see `Prover`.
struct ModelJob {
  let job: BuildPlan.Job
  /// What the job was named by; nothing else is worked on.
  let inputs: JobInputs
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
      if let fault = MachineFault.fault(in: error, of: job.key) { throw fault }
      return .unusable(.error(error))
    }
  }

  private func compressAndProve(warn: (String) -> Void) throws -> ModelOutcome {
    let check = try job.key.sourceCheck?.open()
    let references = try job.key.referenceSet()
    let calibration = try job.key.calibration.map { try CalibrationSet(path: $0) }
    let forms = try trained.shipping.map { try job.key.form.suiting($0) }
    guard inputs.name(check), inputs.references == references.digest,
      inputs.calibration == calibration?.digest,
      inputs.cards == JobInputs.cards(of: job.key, trained, as: forms)
    else { return .unusable(.changed) }
    let finding = try check?.run(trained.encoders, jobs: jobs)
    if let finding, !finding.isAgreed { return .refused(ModelRefusal(finding, naming)) }
    try Gate.checkKnownOutputs(of: trained.encoders, on: references, jobs: jobs)
    let gate = Gate(
      on: references, try Limits(job.key.limits), threshold: job.key.threshold,
      agreements: finding?.agreements ?? [], jobs: jobs)
    let parts = try zip(trained.shipping, forms).map { model, form in
      Prover.Part(
        model, options: job.key.compression.options(of: model.architecture.encoder),
        calibration: try calibration.map { try fitting($0, for: model, references, warn) },
        as: form.value, at: paths.path(of: model.architecture.encoder))
    }
    let outcome = try Prover(jobs: jobs).run(parts) { candidates in
      let verdict = try gate.judge(candidates, against: trained.encoders)
      verdict.warnings.forEach(warn)
      verdict.thresholdAdvice?.projectWords.forEach(warn)
      return verdict
    }
    switch outcome {
    case .refused(let verdict, _): return .refused(ModelRefusal(verdict))
    case .proven(let emitted, let verdict):
      let proven = try trained.shipping.indices.map { index in
        let model = trained.shipping[index]
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

/// Everything that decides a model's outcome, by digests.
struct JobInputs {
  let architecture: String
  /// The weights as trained.
  let baseline: ContentDigest
  /// Digests of the files that describe them, those of every encoder, by path.
  let baselineFiles: [String: ContentDigest]
  /// The calibration set, its images included; nil if there is none.
  let calibration: ContentDigest?
  /// Outputs made elsewhere and their inputs, images included; nil if there are none.
  let sourceCheck: (vectors: ContentDigest, inputs: ContentDigest)?
  /// The reference set, its images included.
  let references: ContentDigest
  /// Compression, format, limits and threshold, key by key.
  let options: [String: String]
  /// Descriptions that packages take from cards of models beyond the project's own.
  let cards: [[String: String]]

  /// Reads all bytes that a job is about.
  init(of key: BuildPlan.Key, _ trained: TrainedModel) throws {
    // Every encoder comes from the same weight files.
    let model = trained.encoders[0]
    architecture = type(of: model.architecture).name
    // A model that can never run need not be read to its end.
    try ModelRunner.requireMemory(for: model)
    baseline = model.digest
    baselineFiles = try trained.encoders.reduce(into: [:]) { files, encoder in
      files.merge(try encoder.describingDigests()) { first, _ in first }
    }
    calibration = try key.calibration.map { try CalibrationSet(path: $0).digest }
    sourceCheck = try key.sourceCheck.map {
      let check = try $0.open()
      return (check.vectorsDigest, check.inputsDigest)
    }
    references = try ReferenceSet(path: key.references).digest
    options = key.options
    cards = JobInputs.cards(
      of: key, trained, as: try trained.shipping.map { try key.form.suiting($0) })
  }

  /// What the cards of models that ship say beyond the project's own words.
  ///
  /// - Parameter forms: of each model that ships, with its card.
  static func cards(
    of key: BuildPlan.Key, _ trained: TrainedModel, as forms: [OutputForm]
  ) -> [[String: String]] {
    zip(trained.shipping, forms).compactMap { model, form in
      form == key.form.suiting(model.architecture.encoder) ? nil : form.words
    }
  }

  /// Whether an opened source check is the one of these inputs.
  func name(_ check: SourceCheck?) -> Bool {
    check?.vectorsDigest == sourceCheck?.vectors && check?.inputsDigest == sourceCheck?.inputs
  }

  /// Whether a receipt is about these very inputs, and not about what took their place for a while.
  func areOf(_ receipt: DriftReceipt) -> Bool {
    [receipt.baseline, receipt.partner?.baseline].compactMap { $0 }.allSatisfy { model in
      model.weights == baseline
        && model.files.allSatisfy { baselineFiles[$0.key] == $0.value }
    }
      && receipt.references == references
      && [nil, calibration].contains(receipt.calibration?.digest)
  }

  /// Names the inputs for any tool that works on them.
  var digest: ContentDigest { ContentDigest(of: Array(json.compact.utf8)) }

  /// Names the work of one tool on the inputs.
  func action(by tool: BuildTool) -> ActionKey {
    ActionKey(["action": "ingot model 1", "inputs": json, "tool": tool.json])
  }

  private var json: JSONValue {
    var members: [String: JSONValue] = [
      "architecture": .string(architecture),
      "baseline": [
        "sha256": .string(baseline.hex),
        "files": .object(baselineFiles.mapValues { .string($0.hex) }),
      ],
      "references": .string(references.hex),
      "options": .object(options.mapValues(JSONValue.string)),
    ]
    if !cards.isEmpty {
      members["cards"] = .array(cards.map { .object($0.mapValues(JSONValue.string)) })
    }
    if let calibration { members["calibration"] = .string(calibration.hex) }
    if let sourceCheck {
      members["sourceCheck"] = [
        "vectors": .string(sourceCheck.vectors.hex), "inputs": .string(sourceCheck.inputs.hex),
      ]
    }
    return .object(members)
  }
}

extension OutputForm {
  /// The form of one model that ships: what describes itself says what the model's card says of what
  /// the project leaves open, and how the model's texts are prepared.
  func suiting(_ model: Model) throws -> OutputForm {
    let form = suiting(model.architecture.encoder)
    guard format.type.describesItself else { return form }
    var choices = form.choices
    choices.description = try CoreMLDescription(
      choices.description, card: try ModelCard(of: model), of: model, choices.coreML)
    return OutputForm(format.with(choices))
  }
}

extension BuildPlan.Key {
  /// Whether a path is one of the job's inputs, or in a folder of them.
  fileprivate func reads(_ path: String) -> Bool {
    let inputs = [references, calibration, sourceCheck?.vectors, sourceCheck?.inputs]
    if inputs.contains(path) || path == source { return true }
    // The index of a sharded model leads to the files beside it.
    let isIndex = source.hasSuffix(".index.json")
    var folder = isIndex ? Folder.parent(of: source) : source
    while folder.utf8.last == UInt8(ascii: "/") { folder.removeLast() }
    return path.utf8.starts(with: "\(folder)/".utf8)
  }
}

/// A fault of the machine (a full disk, too many open files, a disk that fails), not of a model: it
/// ends a build, and must never be stored as a model's own fault.
enum MachineFault {
  /// The fault inside an error of a job, if there is one. An input of the job that is gone is no
  /// fault of the machine.
  static func fault(in error: any Error, of key: BuildPlan.Key) -> FileError? {
    guard let fault = file(in: error) else { return nil }
    return key.reads(fault.path) && Folder.kind(of: fault.path) == .missing ? nil : fault
  }

  /// The failure of a file inside an error, whosever file it is.
  static func file(in error: any Error) -> FileError? {
    switch error {
    case let error as FileError: error
    case WeightsError.file(let error): error
    default: nil
    }
  }
}
