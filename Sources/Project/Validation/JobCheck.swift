import Calibration
import Files
import Formats
import Gate
import Graph
import Inputs
import StrictJSON
import WeightCompression

/// Checks that models and reference sets suit each other, and models their options.
struct JobCheck {
  /// Everything a model is judged by; jobs that differ in nothing else have the same faults.
  private struct Pairing: Hashable {
    let source: String
    let encoder: EncoderKind?
    let prompt: PromptChoice?
    let calibration: String?
    let dropsOverlap: Bool
    let sourceCheck: SourceCheckPaths?
    let references: String
    let isFewMeant: Bool
    let threshold: Double?
  }

  /// The format in which a model will be written.
  private struct Form: Hashable {
    let source: String
    let encoder: EncoderKind?
    let prompt: PromptChoice?
    let compression: ModelCompressionOptions
    let form: OutputForm
  }

  private let log: ContractSection.Log
  private var opener: ModelOpener
  private var pairings: Set<Pairing> = []
  private var forms: Set<Form> = []
  /// Reference sets that were noted as too small.
  private var small: Set<String> = []

  init(log: ContractSection.Log, _ memory: ModelMemory) {
    self.log = log
    opener = ModelOpener(log: log, memory)
  }

  /// Notes every fault of a job that no job before it had.
  ///
  /// - Parameter owners: whose model it is, for messages.
  mutating func look(at job: BuildPlan.Job, of owners: String = "") {
    let key = job.key
    let pairing = Pairing(
      source: key.source, encoder: key.encoder, prompt: key.prompt, calibration: key.calibration,
      dropsOverlap: key.dropsOverlap, sourceCheck: key.sourceCheck,
      references: key.references, isFewMeant: key.isFewMeant, threshold: key.threshold)
    let isNewPairing = pairings.insert(pairing).inserted
    let requested = Form(
      source: key.source, encoder: key.encoder, prompt: key.prompt, compression: key.compression,
      form: key.form)
    let isNewForm = forms.insert(requested).inserted
    guard isNewPairing || isNewForm else { return }
    let words = "model '\(job.label)'\(owners)"
    let models = opener.models(
      at: key.source, prompt: key.prompt, encoder: key.encoder,
      for: ModelOpener.Asker(
        words: words, place: job.sourcePlace, promptPlace: job.promptPlace))
    let shipping = models.flatMap {
      EncoderCheck(job: job, log: isNewForm ? log : nil).shipping(of: $0)
    }
    if let shipping, isNewForm, lengthsFit(job, shipping) {
      for model in shipping { checkForm(of: job, model) }
    }
    guard isNewPairing else { return }
    let set = opener.set(
      at: key.references,
      for: ModelOpener.Asker(
        words: words, place: job.referencesPlace,
        example: models?.first.map(ExampleLine.referenceHint)))
    if let models, let shipping, var set {
      set.isFewMeant = key.isFewMeant
      let isSuitable = check(job, models, shipping, on: set)
      checkCalibration(of: job, words: words, shipping, against: isSuitable ? set : nil)
    }
    checkSource(of: job, words: words, models)
  }

  /// Notes the faults of outputs that were made elsewhere.
  private func checkSource(of job: BuildPlan.Job, words: String, _ models: [Model]?) {
    guard let paths = job.key.sourceCheck, let place = job.sourceCheckPlace else { return }
    let files = [("the vectors", paths.vectors), ("the inputs", paths.inputs)]
    for (kind, path) in files where !log.holds(path, "\(words): \(kind)", at: place) { return }
    for (kind, path) in files where Folder.kind(of: path) == .missing {
      let missing = MissingPath(path)
      log.faults.add(
        .unfitSourceCheck, place, "\(words): \(missing.words(kind)) of 'source-check'",
        hint: missing.hint)
      return
    }
    let example = models?.first.map(ExampleLine.inputHint)
    do {
      let check = try paths.open()
      if let models { try check.check(for: models) }
    } catch {
      note(.unfitSourceCheck, place, words, error, example: example)
    }
  }

  /// Notes what is wrong with a file of inputs, at its line where there is one; what the line holds is
  /// not shown.
  ///
  /// - Parameters:
  ///   - place: where the file was asked for.
  ///   - example: shows a right line; for faults of lines only.
  private func note(
    _ rule: Rule, _ place: Place, _ words: String, _ error: any Error, example: String?
  ) {
    switch error {
    case let error as JSONError: log.faults.add(rule, error, hint: example)
    case EvaluationError.unusableLine(let file, let line, _, let fault):
      log.faults.add(
        rule, Place(file: file, line: line, column: 1), "\(words): \(fault)", hint: example)
    case let error as EvaluationError:
      log.faults.add(
        rule, place, "\(words): \(error.discreet)", hint: error.isOfLines ? example : nil)
    default: log.faults.add(rule, place, "\(words): \(error)")
    }
  }

  /// Notes the faults of the inputs that weights are fitted to.
  ///
  /// - Parameter set: what it must share nothing with; nil for a set that has faults of its own.
  private func checkCalibration(
    of job: BuildPlan.Job, words: String, _ shipping: [Model], against set: ReferenceSet?
  ) {
    guard let path = job.key.calibration, let place = job.calibrationPlace,
      log.holds(path, "\(words): the calibration set", at: place)
    else { return }
    guard Folder.kind(of: path) != .missing else {
      let missing = MissingPath(path)
      log.faults.add(
        .unfitCalibration, place, "\(words): \(missing.words("the calibration set"))",
        hint: missing.hint)
      return
    }
    guard let model = shipping.first else { return }
    do {
      let calibration = try CalibrationSet(path: path)
      guard let set else { return try calibration.check(for: shipping) }
      for model in shipping {
        try calibration.besides(set, job.key.overlap, for: model, runs: false, jobs: 1)
          .set.check(for: [model])
      }
    } catch {
      note(
        .unfitCalibration, place, words, error, example: ExampleLine.inputHint(for: model))
    }
  }

  /// Opens a model of a faulty entry.
  mutating func look(atModel path: String, for asker: ModelOpener.Asker) {
    _ = opener.models(at: path, for: asker)
  }

  /// Opens a reference set of a faulty entry.
  mutating func look(atReferences path: String, for asker: ModelOpener.Asker) {
    _ = opener.set(at: path, for: asker)
  }

  /// Notes the faults of a job's references; whether they suit its models.
  private mutating func check(
    _ job: BuildPlan.Job, _ models: [Model], _ shipping: [Model], on set: ReferenceSet
  ) -> Bool {
    let example = models.first.map(ExampleLine.referenceHint)
    do {
      try Gate.check(baseline: models, candidate: shipping, on: set, threshold: job.key.threshold)
      return true
    } catch EvaluationError.fewReferences(let origin, let fault) {
      guard small.insert(origin).inserted else { return false }
      log.faults.add(
        .smallReferenceSet, Place(startOf: origin), "the reference set \(fault)",
        hint: "add inputs like those the app will see, or 'fewReferences: true' under 'gate' to "
          + "say that so few are meant")
    } catch let error as EvaluationError {
      note(
        .unfitReferences, place(of: error, job), "model '\(job.label)'", error, example: example)
    } catch {
      log.faults.add(.unreadableSource, job.sourcePlace, "model '\(job.label)': \(error)")
    }
    return false
  }

  /// Notes groups that do not divide, and systems that are too old.
  private func checkForm(of job: BuildPlan.Job, _ model: Model) {
    let encoder = model.architecture.encoder
    do {
      let tensors = try WeightCompressor.plan(
        weights: try model.usedWeights(), from: model.weights,
        options: job.key.compression.options(of: encoder))
      try job.key.form.suiting(encoder).value.check(model, tensors)
    } catch {
      for line in "\(error)".split(separator: "\n") {
        log.faults.add(.unfitSource, job.sourcePlace, "model '\(job.label)': \(line)")
      }
    }
  }

  /// Whether the encoder of texts can take the lengths; noted when not.
  private func lengthsFit(_ job: BuildPlan.Job, _ shipping: [Model]) -> Bool {
    guard let longest = job.key.form.sequenceLengths.last, let place = job.sequencePlace else {
      return true
    }
    let maximum = shipping.compactMap { model in
      if case .tokens(let maximum, _) = model.architecture.input { maximum } else { nil }
    }.first
    guard let maximum else {
      log.faults.add(
        .unfitSource, place,
        "model '\(job.label)': 'sequenceLength' is for models that take a text",
        hint: "remove 'sequenceLength'")
      return false
    }
    guard longest <= maximum else {
      log.faults.add(
        .unfitSource, place,
        "model '\(job.label)': 'sequenceLength' is \(longest), "
          + "the model takes at most \(maximum) tokens")
      return false
    }
    return true
  }

  private func place(of error: EvaluationError, _ job: BuildPlan.Job) -> Place {
    switch error {
    case .badLimit: job.thresholdPlace ?? job.referencesPlace
    case .wrongForm, .blindReferences: job.referencesPlace
    default: job.sourcePlace
    }
  }
}
