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
    let isSearch: Bool
    let verdict: String?
    let keptTokens: String?
    let sourceCheck: SourceCheckPaths?
    let references: String
    let isFewMeant: Bool
    let columns: NamedColumns
    let needsLabels: Bool
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

  let log: ContractSection.Log
  private var opener: ModelOpener
  private var families = FamilyCheck()
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
      dropsOverlap: key.dropsOverlap, isSearch: key.compression.search != nil,
      verdict: key.verdict, keptTokens: key.keptTokens, sourceCheck: key.sourceCheck,
      references: key.references, isFewMeant: key.isFewMeant, columns: key.columns,
      needsLabels: key.limits.overrides[Limits.Key.calibrationError.rawValue] != nil,
      threshold: key.threshold)
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
    if job.family != nil, let models, models.contains(where: { $0.architecture.encoder != nil }) {
      return log.faults.add(
        .unfitSource, job.sourcePlace,
        "\(words) has two encoders, and a member of a family is one model",
        hint: "make it a model of its own, without {member}")
    }
    if let model = models?.first { families.look(at: job, model) }
    if let shipping, isNewForm, lengthsFit(job, shipping) {
      for model in shipping { checkForm(of: job, model) }
    }
    guard isNewPairing else { return }
    let set = opener.set(
      at: key.references, columns: key.columns,
      for: ModelOpener.Asker(
        words: words, place: job.referencesPlace,
        example: models?.first.map { ColumnHint.words(for: $0, references: key.references) }))
    if let models, let shipping, var set {
      set.isFewMeant = key.isFewMeant
      let isSuitable = check(job, models, shipping, on: set)
      let shares = isSuitable ? checkShares(of: job, words: words, models, shipping, set) : nil
      checkCalibration(
        of: job, words: words, shipping,
        against: isSuitable ? shares.map { [$0.search, $0.verdict] } ?? [set] : [])
    }
    if let shipping { checkCorpus(of: job, words: words, shipping) }
    checkSource(of: job, words: words, models)
  }

  /// Notes what shows only when all jobs were looked at.
  func finish() { families.note(in: log) }

  /// Opens a model of a faulty entry.
  mutating func look(atModel path: String, for asker: ModelOpener.Asker) {
    _ = opener.models(at: path, for: asker)
  }

  /// Opens a reference set of a faulty entry.
  mutating func look(
    atReferences path: String, columns: NamedColumns, for asker: ModelOpener.Asker
  ) {
    _ = opener.set(at: path, columns: columns, for: asker)
  }

  /// Notes the faults of a job's references; whether they suit its models.
  private mutating func check(
    _ job: BuildPlan.Job, _ models: [Model], _ shipping: [Model], on set: ReferenceSet
  ) -> Bool {
    let example = models.first.map(ExampleLine.referenceHint)
    do {
      try Gate.check(
        baseline: models, candidate: shipping, on: set, limits: Limits(job.key.limits),
        threshold: job.key.threshold)
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
    if case .smallest = job.key.compression, model.architecture.isMergedWhenWritten {
      return log.faults.add(
        .unfitSource, job.sourcePlace,
        "model '\(job.label)' is made of trees, which have no gradients that a search could go by",
        hint: "choose a scheme in place of 'smallest', such as 'scheme: int8'")
    }
    let encoder = model.architecture.encoder
    do {
      let tensors = try WeightCompressor.plan(
        weights: try model.usedWeights(), from: model.weights,
        // A search keeps what it cannot store in another way.
        options: try job.key.compression.options(of: encoder)
          ?? CompressionOptions(scheme: Scheme?.none, floats: job.key.form.value.floats))
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
    case .wrongForm, .blindReferences, .unlabelled, .otherColumns: job.referencesPlace
    default: job.sourcePlace
    }
  }
}
