import Graph
import Preprocessing
import StrictJSON
import Weights

/// One run of the gate: both sides, what they are judged on, and the findings.
struct GateRun {
  let baseline: GateSide
  let candidate: GateSide
  /// The inputs that the models can tell apart.
  private let distinct: DistinctReferences
  /// The reference set as it was given.
  private let whole: ReferenceSet
  /// Of the inputs that are run, each once.
  let lineup: Lineup
  let trial: Trial
  let jobs: Int
  let progress: @Sendable (Int, Int) -> Void
  /// Whether the candidate may prepare its inputs otherwise than the baseline.
  let allowsOtherPreparation: Bool
  /// One for each model of the candidate; empty unless both sides are models.
  let provenances: [Provenance]
  /// The source check of each of them; nil where there was none.
  let sources: [SourceRecord?]

  /// - Throws: `EvaluationError` when the two cannot be compared on this set.
  init(
    baseline: GateSide, candidate: GateSide, references: ReferenceSet, limits: Limits,
    threshold: Double?, agreements: [SourceAgreement], allowsOtherPreparation: Bool, jobs: Int,
    progress: @escaping @Sendable (Int, Int) -> Void
  ) throws {
    let references = try Lineup.arranged(references, for: baseline, candidate)
    let all = try Lineup(baseline: baseline, candidate: candidate, references: references)
    // What a model was fitted to says nothing of what it makes of anything else.
    for tower in all.towers {
      guard let model = tower.candidate, model.calibration?.digest == references.digest else {
        continue
      }
      throw EvaluationError.calibratedOnReferences(
        origin: model.origin, references: references.origin)
    }
    _ = try Trial(
      references: references, meaning: all.meaning, limits: limits, threshold: threshold)
    distinct = try DistinctReferences(references, towers: all.towers, decodes: true, jobs: jobs)
    try distinct.require()
    whole = references
    lineup = try Lineup(baseline: baseline, candidate: candidate, references: distinct.set)
    trial = try Trial(
      references: distinct.set, meaning: lineup.meaning, limits: limits, threshold: threshold)
    self.baseline = baseline
    self.candidate = candidate
    self.jobs = jobs
    self.progress = progress
    self.allowsOtherPreparation = allowsOtherPreparation
    provenances = try lineup.provenances()
    sources = try provenances.isEmpty ? [] : lineup.sources(agreements, of: provenances)
  }

  /// Checks weights, runs what is to be run, and judges the outputs.
  func findings() throws -> Findings {
    let audits = try lineup.towers.map { try TowerAudit($0, trial.references) }
    let preparations = try lineup.towers.map { try PreparationAudit($0, trial.references) }
    let otherwise = allowsOtherPreparation ? [] : preparations.flatMap(\.reasons)
    let faults = audits.flatMap(\.faults) + otherwise
    guard faults.isEmpty else {
      var findings = Findings(reasons: faults, warnings: warnings + distinct.warnings)
      findings.isPreparedOtherwise = !otherwise.isEmpty
      return findings
    }
    let (before, after, generated) = try outputs(audits.map { $0.probe?.texts ?? [] })
    guard before.width == after.width else {
      throw EvaluationError.notComparable(
        what: "output", baseline: "\(before.width) numbers", candidate: "\(after.width) numbers")
    }
    try before.requireMemoryToJudge(of: trial.references.origin)
    try AlikeOutputs.refuse(before, trial, lineup.towers)
    let known = try knownOutputs(before)
    var findings = trial.findings(baseline: before, candidate: after)
    findings.known = known
    findings.warnings =
      warnings + preparations.flatMap(\.differences) + distinct.warnings + findings.warnings
    if OutputCheck.isFinite(after) {
      for tower in lineup.towers { try inspect(tower, &findings) }
    }
    findings.warnings += audits.filter(\.areUnrelated).map {
      "\($0.tower.candidateWeights) have other names than the baseline's "
        + "and were not compared with them"
    }
    if OutputCheck.isFinite(before) {
      let attribution = DriftAttribution(
        towers: audits.compactMap(\.attributed), trial: trial, jobs: jobs)
      if findings.reasons.isEmpty {
        findings.warnings += try attribution.warnings()
      } else {
        findings.reasons += try attribution.reasons(findings, before: before, after: after)
      }
    }
    for (audit, texts) in zip(audits, generated) { judge(audit, texts, &findings) }
    return findings
  }

  // What the references do not reach: the rows of every weight, and texts that hold such rows.
  private func judge(_ audit: TowerAudit, _ texts: GeneratedOutputs?, _ findings: inout Findings) {
    findings.coverage[audit.tower.kind] = audit.coverage
    var reasons = audit.rowFaults
    if let texts, case .embeddings(let metrics) = findings.metrics?.drift {
      let drift = GeneratedDrift(
        before: texts.before, after: texts.after, worst: metrics.cosine.min,
        limits: trial.limits, whose: audit.tower.candidateWords)
      reasons += drift.reason.map { [$0] } ?? []
      findings.warnings += drift.warning.map { [$0] } ?? []
    }
    findings.reasons += reasons
    if !reasons.isEmpty { findings.isImplausible = true }
  }

  // A baseline that misses what is known to be right is no measure for anything.
  private func knownOutputs(_ baseline: OutputMatrix) throws -> KnownRecord? {
    guard OutputCheck.isFinite(baseline) else { return nil }
    // How often an outcome was observed counts.
    return try KnownOutputs(
      of: whole, meaning: trial.meaning, baseline: baseline.picking(distinct.places))?.record()
  }

  // What a candidate that was run says beyond its outputs.
  private func inspect(_ tower: Tower, _ findings: inout Findings) throws {
    guard let model = tower.candidate else { return }
    let images = trial.references.images
    try trial.references.naming(tower.inputs) { inputs in
      let overflows = try RangeAudit.reasons(of: model, inputs, images: images, jobs: jobs)
      findings.reasons += overflows
      if !overflows.isEmpty { findings.isOutOfRange = true }
      findings.warnings += try lengthWarnings(of: model, inputs)
    }
  }

  /// Lengths that a model can be told apart by, at most; of a range of lengths not each is asked for.
  private static let mostLengths = 16

  // A program of several lengths is as many programs, of which only those that ran were judged.
  private func lengthWarnings(of model: Model, _ inputs: [Input]) throws -> [String] {
    guard case .single(let lengths) = model.architecture.shapes, lengths.count > 1,
      lengths.count <= GateRun.mostLengths
    else { return [] }
    let used = try Encoder(model: model, jobs: jobs).lengths(of: inputs)
    let unused = lengths.filter { !used.contains($0) }
    guard !unused.isEmpty else { return [] }
    return [
      "no reference input needs the length \(unused.map(String.init).joined(separator: ", ")): "
        + "the candidate was not judged there"
    ]
  }

  private var warnings: [String] {
    var warnings = selfWarnings
    for tower in lineup.towers {
      if case .tokens(let old, _) = tower.baseline?.architecture.input,
        case .tokens(let new, _) = tower.candidate?.architecture.input, old != new
      {
        warnings.append("the candidate cuts texts at \(new) tokens, the baseline at \(old)")
      }
      warnings += GateRun.promptWarnings(tower) + GateRun.baselineWarnings(tower)
    }
    return warnings
  }

  /// Says where each side puts another prompt before texts: vectors of other texts are compared.
  private static func promptWarnings(_ tower: Tower) -> [String] {
    guard let old = tower.baseline?.architecture.preparation.prompt,
      let new = tower.candidate?.architecture.preparation.prompt,
      ExactString(old) != ExactString(new)
    else { return [] }
    return [
      "the baseline puts \(JSONValue.string(old).compact) before every text, the candidate "
        + "\(JSONValue.string(new).compact): vectors of other texts are compared"
    ]
  }

  /// Says where a baseline is itself compressed: what that lost nobody judges here.
  private static func baselineWarnings(_ tower: Tower) -> [String] {
    guard tower.candidate != nil, let recipe = tower.baseline?.recipe, recipe != Model.plainRecipe
    else { return [] }
    return [
      "the baseline is compressed itself (\(recipe)): what that changed of the model as trained is "
        + "not judged"
    ]
  }

  private var selfWarnings: [String] {
    let isSame = provenances.map { $0.baseline == $0.candidate }
    guard isSame.contains(false) else {
      return isSame.isEmpty
        ? [] : ["baseline and candidate are the same bytes: a model was judged by itself"]
    }
    return zip(lineup.candidates, isSame).filter(\.1).map {
      "the \($0.0.encoderWords)s of baseline and candidate are the same bytes"
    }
  }

  // One row per distinct input, before and after. An encoder that is no candidate is not run twice.
  private func outputs(
    _ texts: [[[Int32]]]
  ) throws -> (before: OutputMatrix, after: OutputMatrix, generated: [GeneratedOutputs?]) {
    let towers = lineup.towers
    let ours = towers.compactMap(\.baseline).isEmpty ? [] : towers
    let theirs = towers.filter { $0.candidate != nil }
    let runs = (ours + theirs).reduce(0) { $0 + $1.inputs.count }
    var done = 0
    func run(_ model: Model, _ tower: Tower, _ texts: [[Int32]]) throws -> TowerOutputs {
      let (progress, before) = (progress, done)
      done += tower.inputs.count
      return try trial.references.outputs(of: model, tower.inputs, besides: texts, jobs: jobs) {
        progress(before + $0, runs)
      }
    }
    let old = try zip(towers, texts).map { tower, texts in
      try tower.baseline.map { try run($0, tower, texts) }
    }
    let new = try zip(towers, texts).map { tower, texts in
      try tower.candidate.map { try run($0, tower, texts) }
    }
    return (
      try whole(baseline, old.map { $0?.references }),
      try whole(candidate, zip(new, old).map { ($0 ?? $1)?.references }),
      zip(old, new).map { GeneratedOutputs(before: $0?.generated, after: $1?.generated) }
    )
  }

  // Puts the rows of all towers into the order of the inputs.
  private func whole(_ side: GateSide, _ parts: [OutputMatrix?]) throws -> OutputMatrix {
    let references = trial.references
    if case .outputs(let matrix, let path) = side {
      return try whole.distinctRows(of: matrix, origin: path).picking(distinct.kept)
    }
    let parts = zip(lineup.towers, parts).compactMap { tower, part in
      part.map { (rows: tower.inputs, outputs: $0) }
    }
    guard let first = parts.first else { preconditionFailure("a side without models") }
    if parts.count == 1 { return first.outputs }
    var rows = [ArraySlice<Float>](repeating: [], count: references.inputs.count)
    for part in parts {
      for (place, row) in part.rows.enumerated() { rows[row] = part.outputs[place] }
    }
    guard let other = parts.first(where: { $0.outputs.width != first.outputs.width }) else {
      return OutputMatrix(
        rowCount: rows.count, width: first.outputs.width, values: rows.flatMap { $0 })
    }
    throw EvaluationError.wrongEncoders(
      side: "encoders",
      fault: "give embeddings of \(first.outputs.width) and of \(other.outputs.width)")
  }
}
