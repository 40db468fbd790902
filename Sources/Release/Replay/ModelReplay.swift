import Calibration
import Files
import Formats
import Gate
import Graph
import IngotFeatures
import IngotTokenizers
import Inputs
import Packaging
import Project
import Proving
import SelfTesting
import Weights

/// Runs the gate again for one model, as its receipts say it ran: for all encoders together that
/// were judged together.
struct ModelReplay {
  /// One encoder that shipped, or the whole model.
  struct Part {
    /// Nil for a whole model.
    let encoder: EncoderKind?
    let receipt: RecordedReceipt
    /// The path of the candidate.
    let candidate: String
    /// What the package says to devices; nil in packages of before they did.
    var device: DeviceFacts? = nil
    /// The manifest's facts about it; nil if they are not compared.
    var manifest: ManifestReplay? = nil
  }

  /// In their order in the manifest; never empty.
  let parts: [Part]
  let source: ReplaySource
  let jobs: Int
  /// Names what the user may type, for reasons.
  var naming: UserOption.Names = { _ in nil }
  /// Told each step, from any thread.
  var stepping: @Sendable (Prover.Step) -> Void = { _ in }

  /// The outcome for the proof of each part, in their order.
  ///
  /// Nothing runs when the source or the reference set is another one, or the project asks for tighter
  /// limits: metrics of something else would say nothing.
  func run() -> [ReplayReport.Outcome] {
    for (what, path) in [("source", source.model), ("reference set", source.references)]
    where Folder.kind(of: path) == .missing {
      return all(.impossible(reason: "the \(what) '\(path)' is not there"))
    }
    do {
      let baselines = try self.baselines()
      let references = try ReplayReferences(of: parts[0].receipt, in: source)
      let check = try sourceCheck()
      let changes =
        try weakerLimits() + changes(of: baselines) + references.changes + changes(of: check)
        + calibrationChanges(baselines, references) + corpusChanges()
      guard changes.isEmpty else { return all(.differs(changes)) }
      let finding = try check?.run(baselines, jobs: jobs)
      if let finding, !finding.isAgreed {
        return all(.refused(ModelRefusal(finding, naming)))
      }
      let told = try parts.map { try manifestDifferences(of: $0, baselines) }
      let outcomes = try judge(baselines, references, finding?.agreements ?? [])
      return zip(outcomes, told).map { $0.adding($1) }
    } catch {
      return all(.impossible(reason: "\(error)"))
    }
  }

  /// A receipt tells of outputs made elsewhere that the project does not have.
  private struct NoSourceCheck: Error, CustomStringConvertible {
    let description =
      "the receipt says that the model agrees with vectors made elsewhere; the project names none "
      + "('source-check')"
  }

  /// The source check that the receipts tell of; nil if they tell of none.
  private func sourceCheck() throws -> SourceCheck? {
    guard parts.contains(where: { $0.receipt.source != nil }) else { return nil }
    guard let paths = source.sourceCheck else { throw NoSourceCheck() }
    return try paths.open(besides: source.columns)
  }

  /// Inputs that changed since the model was compared with its source.
  private func changes(of check: SourceCheck?) -> [ReplayDifference] {
    guard let check, let recorded = parts.compactMap(\.receipt.source).first else { return [] }
    var comparison = ReceiptComparison()
    comparison.compare(
      .vectors(path: check.origin), recorded.vectors.hex, check.vectorsDigest.hex)
    comparison.compare(
      .inputs(ofVectors: check.origin), recorded.inputs.hex, check.inputsDigest.hex)
    return comparison.differences
  }

  /// A receipt tells of inputs that weights were fitted to, and the project has none.
  private struct NoCalibration: Error, CustomStringConvertible {
    let description =
      "the receipt says that the weights were fitted to inputs; the project names none "
      + "('calibration')"
  }

  /// Changes of the inputs that weights were fitted to. Those among the references are an error.
  private func calibrationChanges(
    _ baselines: [Model], _ references: ReplayReferences
  ) throws -> [ReplayDifference] {
    var comparison = ReceiptComparison()
    for part in parts {
      guard let recorded = part.receipt.calibration else { continue }
      guard let path = source.calibration else { throw NoCalibration() }
      guard
        let model = baselines.first(where: { model in
          part.encoder == nil || part.encoder == model.architecture.encoder
        })
      else { continue }
      let found = try CalibrationSet(path: path).besides(
        references.all, source.overlap, for: model, runs: true, jobs: jobs
      ).set
      comparison.compare(.calibration(path: path), recorded.digest.hex, found.digest.hex)
    }
    return comparison.differences
  }

  /// A receipt tells of dropped tokens, and the project drops none.
  private struct NoCorpus: Error, CustomStringConvertible {
    let description =
      "the receipt says that tokens were dropped; the project names no texts whose tokens stay "
      + "('keepTokens')"
  }

  /// Changes of the texts whose tokens stayed.
  private func corpusChanges() throws -> [ReplayDifference] {
    var comparison = ReceiptComparison()
    for recorded in parts.compactMap(\.receipt.vocabulary) {
      guard let path = source.keptTokens else { throw NoCorpus() }
      comparison.compare(
        .corpus(path: path), recorded.corpus.hex, try VocabularyCorpus(argument: path).digest.hex)
    }
    return comparison.differences
  }

  private func all(_ outcome: ReplayReport.Outcome) -> [ReplayReport.Outcome] {
    parts.map { _ in outcome }
  }

  /// Baselines of the parts that were judged together; a part that was judged alone has its own.
  private func baselines() throws -> [Model] {
    guard parts.contains(where: { $0.receipt.partner != nil }) else {
      return [
        try ModelLoader.open(
          source.model, encoder: parts[0].encoder, prompt: source.prompt)
      ]
    }
    let models = try ModelLoader.encoders(of: source.model, prompt: source.prompt)
    for part in parts where !models.contains(where: { $0.architecture.encoder == part.encoder }) {
      // Throws an error that lists the encoders.
      _ = try ModelLoader.open(source.model, encoder: part.encoder, prompt: source.prompt)
    }
    return models
  }

  /// Limits of the receipts that are weaker than the project's, each once.
  private func weakerLimits() throws -> [ReplayDifference] {
    try parts.flatMap { try $0.manifest?.weaker($0.receipt.limits) ?? [] }.eachOnce
  }

  /// Differences from the state in which the receipts were written.
  private func changes(of baselines: [Model]) throws -> [ReplayDifference] {
    var comparison = ReceiptComparison()
    for model in baselines {
      guard let recorded = recorded(model) else { continue }
      comparison.compare(
        .weights(path: source.model), recorded.weights.hex, model.digest.hex)
      let found = try model.describingDigests()
      for name in Set(found.keys).union(recorded.files.keys).sorted() {
        comparison.compare(
          .file(path: model.files.name(of: name)), recorded.files[name]?.hex, found[name]?.hex)
      }
    }
    // Encoders share weight files and more.
    return comparison.differences.eachOnce
  }

  /// The digests of a model as trained, by the receipts.
  private func recorded(_ model: Model) -> ModelDigests? {
    let own = parts.first { part in
      part.encoder == nil || part.encoder == model.architecture.encoder
    }
    if let receipt = own?.receipt { return receipt.baseline }
    return parts[0].receipt.partner?.baseline
  }

  /// Differences between the manifest's facts about a part and those of the project and its model.
  private func manifestDifferences(
    of part: Part, _ baselines: [Model]
  ) throws -> [ReplayDifference] {
    let own = baselines.first { part.encoder == nil || $0.architecture.encoder == part.encoder }
    guard let manifest = part.manifest, let own else { return [] }
    return try manifest.differences(from: own)
  }

  private func judge(
    _ baselines: [Model], _ references: ReplayReferences, _ agreements: [SourceAgreement]
  ) throws -> [ReplayReport.Outcome] {
    let receipt = parts[0].receipt
    let candidates: [Model]
    do {
      candidates = try parts.map { try ModelLoader.open($0.candidate) }
    } catch {
      // The model could be read when it was judged.
      return all(.differs([.unreadable(reason: "\(error)")]))
    }
    let gate = try references.gate(seenBy: baselines, jobs: jobs) { set in
      Gate(
        on: set, receipt.limits, threshold: receipt.threshold, agreements: agreements, jobs: jobs)
    }
    let verdict: Verdict
    do {
      verdict = try Prover(jobs: jobs, progress: stepping).judge(
        .models(candidates), against: .models(baselines), by: gate)
    } catch let error as EvaluationError {
      // Not even comparable, although the receipt says that they were compared.
      return all(.refused(ModelRefusal(reasons: [error.description])))
    }
    guard verdict.isPassed else { return all(.refused(ModelRefusal(verdict))) }
    // One for each candidate, in their order.
    return try parts.indices.map { place in
      let differences =
        ReceiptComparison.differences(
          recorded: parts[place].receipt, found: verdict.receipts[place])
        + (try deviceDifferences(
          of: parts[place], candidates[place], gate.references, baselines[0].features))
      return differences.isEmpty ? .proven : .differs(differences)
    }
  }

  /// Makes what a package says to devices again, which has the same bytes.
  private func deviceDifferences(
    of part: Part, _ candidate: Model, _ references: ReferenceSet, _ features: [String]
  ) throws -> [ReplayDifference] {
    guard let recorded = part.device else { return [] }
    let test = recorded.selfTest
    let found = try DeviceFactsMaker(test.source, references, part.receipt.limits, jobs: jobs)
      .facts(of: candidate, output: test.cases[0].output.name, features: features)
    var comparison = EntryComparison()
    comparison.compare("cache key", recorded.cacheKey.hex, found.cacheKey.hex)
    comparison.compare(
      "input configuration", ContentDigest(of: recorded.inputs.json).hex,
      ContentDigest(of: found.inputs.json).hex)
    return comparison.differences.map(ReplayDifference.manifest)
      + (found.selfTest == test ? [] : [.selfTest])
  }
}

extension Model {
  /// The names of its features; empty without any.
  fileprivate var features: [String] {
    if case .features(let schema) = architecture.input { schema.names } else { [] }
  }
}

extension ReplayReport.Outcome {
  /// The same with what else differs; a refusal says enough.
  fileprivate func adding(_ differences: [ReplayDifference]) -> ReplayReport.Outcome {
    switch self {
    case _ where differences.isEmpty: self
    case .proven: .differs(differences)
    case .differs(let others): .differs(others + differences)
    case .refused, .impossible: self
    }
  }
}

extension [ReplayDifference] {
  /// The same, without what was said before.
  fileprivate var eachOnce: [ReplayDifference] {
    reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
