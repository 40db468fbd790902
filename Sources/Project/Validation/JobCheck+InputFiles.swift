import Calibration
import Files
import Gate
import Graph
import Inputs
import StrictJSON

// Files beside a model and its references: a corpus, outputs made elsewhere, a calibration set.
extension JobCheck {
  /// Notes the faults of the texts whose tokens stay.
  func checkCorpus(of job: BuildPlan.Job, words: String, _ shipping: [Model]) {
    guard let path = job.key.keptTokens, let place = job.keptTokensPlace,
      log.holds(path, "\(words): the corpus", at: place)
    else { return }
    guard Folder.kind(of: path) != .missing else {
      let missing = MissingPath(path)
      log.faults.add(
        .unfitCorpus, place, "\(words): \(missing.words("the corpus"))", hint: missing.hint)
      return
    }
    do {
      let corpus = try VocabularyCorpus(argument: path)
      guard try VocabularyCorpus.reduce(shipping, by: corpus) != nil else {
        log.faults.add(
          .unfitCorpus, place, "\(words): 'keepTokens' is for a model of texts",
          hint: "remove 'keepTokens'")
        return
      }
    } catch {
      note(.unfitCorpus, place, words, error, example: nil)
    }
  }

  /// Notes the faults of outputs that were made elsewhere.
  func checkSource(of job: BuildPlan.Job, words: String, _ models: [Model]?) {
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
      let check = try paths.open(besides: job.key.columns)
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
  func note(
    _ rule: Rule, _ place: Place, _ words: String, _ error: any Error, example: String?
  ) {
    switch error {
    case let error as JSONError: log.faults.add(rule, error, hint: example)
    case EvaluationError.unusableLine(let file, let line, _, let fault):
      log.faults.add(
        rule, Place(file: file, line: line, column: 1), "\(words): \(fault)", hint: example)
    case let error as EvaluationError:
      log.faults.add(
        rule, place, "\(words): \(error.discreet)",
        hint: ColumnHint.words(for: error) ?? (error.isOfLines ? example : nil))
    default: log.faults.add(rule, place, "\(words): \(error)")
    }
  }

  /// Notes the faults of the inputs that weights are fitted to.
  ///
  /// - Parameter sets: what it must share nothing with; none if they have faults of their own.
  func checkCalibration(
    of job: BuildPlan.Job, words: String, _ shipping: [Model], against sets: [ReferenceSet]
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
      for model in shipping {
        let rest = try calibration.besides(
          sets, job.key.overlap, for: model, runs: false, jobs: 1)
        try rest.set.check(for: [model])
      }
    } catch {
      note(
        .unfitCalibration, place, words, error, example: ExampleLine.inputHint(for: model))
    }
  }
}
