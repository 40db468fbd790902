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
    let finding = try job.key.sourceCheck?.open().run(trained.encoders, jobs: jobs)
    if let finding, !finding.isAgreed { return .refused(ModelRefusal(finding, naming)) }
    let references = try job.key.referenceSet()
    try Gate.checkKnownOutputs(of: trained.encoders, on: references, jobs: jobs)
    let gate = Gate(
      on: references, try Limits(job.key.limits), threshold: job.key.threshold,
      agreements: finding?.agreements ?? [], jobs: jobs)
    let parts = try trained.shipping.map { try part($0, references, warn: warn) }
    let outcome = try Prover(jobs: jobs).run(parts) { candidates in
      let verdict = try gate.judge(candidates, against: trained.encoders)
      verdict.warnings.forEach(warn)
      verdict.thresholdAdvice?.projectWords.forEach(warn)
      return verdict
    }
    switch outcome {
    case .refused(let verdict, _): return .refused(ModelRefusal(verdict))
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
    cards = try trained.shipping.compactMap { model in
      let form = try key.form.suiting(model)
      return form == key.form.suiting(model.architecture.encoder) ? nil : form.words
    }
  }

  /// Whether a receipt is about these very inputs, and not about what took their place for a while.
  func areOf(_ receipt: DriftReceipt) -> Bool {
    let source = receipt.source
    return receipt.baseline.weights == baseline
      && receipt.baseline.files.allSatisfy { baselineFiles[$0.key] == $0.value }
      && receipt.references == references
      && [nil, calibration].contains(receipt.calibration?.digest)
      && [nil, sourceCheck?.vectors].contains(source?.vectors)
      && [nil, sourceCheck?.inputs].contains(source?.inputs)
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
    [source, references, calibration, sourceCheck?.vectors, sourceCheck?.inputs]
      .compactMap { $0 }
      .contains { path == $0 || path.utf8.starts(with: "\($0)/".utf8) }
  }

  /// A manifest's `compression.options`, with what the model's card says.
  func modelOptions(of model: Model) throws -> [String: String] {
    modelOptions(of: model.architecture.encoder, as: try form.suiting(model))
  }
}

/// A fault of the machine (a full disk, too many open files, a disk that fails), not of a model: it
/// ends a build, and must never be stored as a model's own fault.
enum MachineFault {
  /// The fault inside an error of a job, if there is one. An input of the job that is gone is no
  /// fault of the machine.
  static func fault(in error: any Error, of key: BuildPlan.Key) -> FileError? {
    let fault: FileError
    switch error {
    case let error as FileError: fault = error
    case WeightsError.file(let error): fault = error
    default: return nil
    }
    return key.reads(fault.path) && Folder.kind(of: fault.path) == .missing ? nil : fault
  }
}
