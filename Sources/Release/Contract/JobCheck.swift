import Emission
import Evaluation
import Files
import Graph
import StrictJSON
import WeightCompression

/// Opens what jobs point to, and looks whether a model and its reference set suit each other.
struct JobCheck {
  /// What is judged on what; jobs that differ in nothing else have the same faults.
  private struct Pairing: Hashable {
    let source: String
    let references: String
    let threshold: Double?
  }

  /// What a model is to be written as.
  private struct Form: Hashable {
    let source: String
    let compression: CompressionOptions
    let form: OutputForm
  }

  private let log: ContractSection.Log
  private var faultySources: Set<String> = []
  private var faultyReferences: Set<String> = []
  private var pairings: Set<Pairing> = []
  private var forms: Set<Form> = []
  // Jobs mostly come with the same source or set as the one before; keeping all open could be too
  // much for memory.
  private var source: (path: String, model: Model)?
  private var references: (path: String, set: ReferenceSet)?

  init(log: ContractSection.Log) { self.log = log }

  /// Notes every fault of a job that no job before it had.
  mutating func look(at job: BuildPlan.Job) {
    let key = job.key
    let pairing = Pairing(
      source: key.source, references: key.references, threshold: key.threshold)
    let isNewPairing = pairings.insert(pairing).inserted
    let asked = Form(source: key.source, compression: key.compression, form: key.form)
    let isNewForm = forms.insert(asked).inserted
    guard isNewPairing || isNewForm, let model = model(of: job) else {
      if isNewPairing { _ = set(of: job) }
      return
    }
    if isNewForm && lengthsFit(job, model) { checkForm(of: job, model) }
    guard isNewPairing, let set = set(of: job) else { return }
    do {
      try Gate.check(model, on: set, threshold: key.threshold)
    } catch EvaluationError.unusableLine(let file, let line, let input, let fault) {
      log.faults.add(
        Place(file: file, line: line, column: 1), "model '\(job.label)': \(input): \(fault)")
    } catch let error as EvaluationError {
      log.faults.add(place(of: error, job), "model '\(job.label)': \(error)")
    } catch {
      log.faults.add(job.sourcePlace, "model '\(job.label)': \(error)")
    }
  }

  /// Notes what shapes alone forbid: groups that do not divide, and systems that are too old.
  private func checkForm(of job: BuildPlan.Job, _ model: Model) {
    do {
      let tensors = try WeightCompressor.plan(
        weights: try model.usedWeights(), options: job.key.compression)
      if case .mlpackage(let options, _) = job.key.form {
        _ = try options.target(of: model, tensors)
      }
    } catch {
      for line in "\(error)".split(separator: "\n") {
        log.faults.add(job.sourcePlace, "model '\(job.label)': \(line)")
      }
    }
  }

  /// Whether the model can take the lengths; noted when not.
  private func lengthsFit(_ job: BuildPlan.Job, _ model: Model) -> Bool {
    guard let longest = job.key.form.sequenceLengths.last, let place = job.sequencePlace else {
      return true
    }
    switch model.architecture.input {
    case .tokens(let maximum, _) where longest > maximum:
      log.faults.add(
        place,
        "model '\(job.label)': 'sequenceLength' is \(longest), "
          + "the model takes at most \(maximum) tokens")
      return false
    case .features:
      log.faults.add(
        place, "model '\(job.label)': 'sequenceLength' is for models that take a text",
        hint: "remove 'sequenceLength'")
      return false
    case .tokens: return true
    }
  }

  private func place(of error: EvaluationError, _ job: BuildPlan.Job) -> Place {
    switch error {
    case .badLimit: job.thresholdPlace ?? job.referencesPlace
    case .wrongForm: job.referencesPlace
    default: job.sourcePlace
    }
  }

  private mutating func model(of job: BuildPlan.Job) -> Model? {
    let path = job.key.source
    if let source, source.path == path { return source.model }
    if faultySources.contains(path) { return nil }
    do {
      if Folder.kind(of: path) != .missing {
        let model = try ModelLoader.open(path)
        source = (path, model)
        return model
      }
      log.faults.add(
        job.sourcePlace, "model '\(job.label)': the source '\(path)' is not there")
    } catch {
      log.faults.add(job.sourcePlace, "model '\(job.label)': \(error)")
    }
    faultySources.insert(path)
    return nil
  }

  private mutating func set(of job: BuildPlan.Job) -> ReferenceSet? {
    let path = job.key.references
    if let references, references.path == path { return references.set }
    if faultyReferences.contains(path) { return nil }
    do {
      if Folder.kind(of: path) != .missing {
        let set = try ReferenceSet(path: path)
        references = (path, set)
        return set
      }
      log.faults.add(
        job.referencesPlace, "model '\(job.label)': the reference set '\(path)' is not there")
    } catch let error as JSONError {
      log.faults.add(error)
    } catch {
      log.faults.add(job.referencesPlace, "model '\(job.label)': \(error)")
    }
    faultyReferences.insert(path)
    return nil
  }
}
