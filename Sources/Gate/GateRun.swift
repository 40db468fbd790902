import Graph
import Inputs
import StrictJSON
import Weights

/// One run of the gate: both sides, the reference set, and the findings.
struct GateRun {
  let gate: Gate
  let baseline: GateSide
  let candidate: GateSide
  /// The inputs that the models can tell apart.
  let distinct: DistinctReferences
  /// The reference set as it was given.
  let whole: ReferenceSet
  /// Of the inputs that are run, each once.
  let pairing: EncoderPairing
  let evaluation: Evaluation
  let progress: @Sendable (GateStep) -> Void
  /// The bytes of each encoder; empty unless both sides are models.
  private let judged: [JudgedEncoder]
  /// One for each model of the candidate; empty unless both sides are models.
  let provenances: [Provenance]
  /// The source check of each of them; nil if there was none.
  let sources: [SourceRecord?]

  /// - Throws: `EvaluationError` when the two cannot be compared on this set.
  init(
    of gate: Gate, _ candidate: GateSide, against baseline: GateSide,
    progress: @escaping @Sendable (GateStep) -> Void
  ) throws {
    let all = try EncoderPairing(candidate, against: baseline, on: gate.references)
    // How a model treats the inputs it was fitted to says nothing of any others.
    for slot in all.slots {
      guard let model = slot.candidate, model.calibration?.digest == all.references.digest else {
        continue
      }
      throw EvaluationError.calibratedOnReferences(
        origin: model.origin, references: all.references.origin)
    }
    _ = try gate.evaluation(all)
    distinct = try DistinctReferences(
      all.references, slots: all.slots, decodes: true, jobs: gate.jobs)
    try distinct.require()
    whole = all.references
    pairing = try EncoderPairing(candidate, against: baseline, on: distinct.set)
    evaluation = try gate.evaluation(pairing)
    self.gate = gate
    self.baseline = baseline
    self.candidate = candidate
    self.progress = progress
    judged = try pairing.judged()
    provenances = pairing.provenances(judged)
    sources = try provenances.isEmpty ? [] : pairing.sources(gate.agreements, of: provenances)
  }

  /// Checks weights, runs the models, and judges the outputs.
  func findings() throws -> Findings {
    var audits = try pairing.slots.map { slot in
      try EncoderAudit(slot, evaluation.references, digest: digest(of: slot), jobs: gate.jobs) {
        progress(.comparingWeights($0, of: $1))
      }
    }
    let preparations = try pairing.slots.map { try PreparationAudit($0, evaluation.references) }
    if let refusal = try refusal(audits, preparations) { return refusal }
    let ran = try run(audits.map { $0.probe?.texts ?? [] })
    try requireComparable(ran)
    var findings = try judge(ran, preparations)
    try lookAtCandidates(ran, &findings)
    findings.warnings += audits.flatMap(\.programWarnings)
    findings.warnings += audits.flatMap(\.coarseMoves).map(GateWarning.coarseThresholds)
    if OutputCheck.isFinite(ran.before) { try attribute(&findings, audits, ran) }
    try takeHiddenMoves(&audits, ran)
    for (audit, texts) in zip(audits, ran.generated) {
      findings.take(
        audit,
        GeneratedDrift(
          texts, audit, before: ran.before, after: ran.after, limits: evaluation.limits))
    }
    return findings
  }

  // Refuses outputs that say nothing of each other.
  private func requireComparable(_ ran: RunSides) throws {
    guard ran.before.width == ran.after.width else {
      throw EvaluationError.notComparable(
        what: "output", baseline: Figures.count(ran.before.width, "number"),
        candidate: Figures.count(ran.after.width, "number"))
    }
    try ran.before.requireMemoryToJudge(of: evaluation.references.origin)
    try AlikeOutputs.refuse(ran.before, evaluation, pairing.slots)
  }

  // Measures outputs and holds them to the limits, with all warnings that they and the references give.
  private func judge(
    _ ran: RunSides, _ preparations: [PreparationAudit]
  ) throws -> Findings {
    let (before, after) = (ran.before, ran.after)
    let known = try knownOutputs(before)
    let areFinite = OutputCheck.isFinite(before) && OutputCheck.isFinite(after)
    let labels = areFinite ? labelRecord(before, after) : nil
    var findings = evaluation.findings(
      baseline: before, candidate: after, labels: labels, jobs: gate.jobs
    ) { [progress] in
      progress(.lookingForNeighbours($0, of: $1))
    }
    findings.known = known
    if areFinite { findings.classes = evaluation.classFlips(before, after) }
    findings.warnings =
      warnings + preparations.compactMap { $0.difference.map(GateWarning.preparation) }
      + distinct.warnings + findings.warnings
      + tableWarnings(before, areFinite ? labelAgreement(before) : nil)
    return findings
  }

  // Looks at candidates that gave finite outputs, beyond these.
  private func lookAtCandidates(_ ran: RunSides, _ findings: inout Findings) throws {
    guard OutputCheck.isFinite(ran.after) else { return }
    for (slot, runner) in zip(pairing.slots, ran.candidates) {
      if let runner { try inspect(slot, runner, &findings) }
    }
    guard case .embeddings = findings.metrics?.drift,
      let length = UnitLength.lost(before: ran.before, after: ran.after)
    else { return }
    findings.reasons.append(.length(length))
    findings.isImplausible = true
  }

  // What weights do to outputs that other inputs would show.
  private func takeHiddenMoves(_ audits: inout [EncoderAudit], _ ran: RunSides) throws {
    guard OutputCheck.isFinite(ran.before), OutputCheck.isFinite(ran.after) else { return }
    let moves = HiddenMoves(evaluation: evaluation, before: ran.before, after: ran.after)
    for (place, runner) in zip(audits.indices, ran.baselines) {
      if let runner { audits[place].take(try moves.findings(audits[place], runner)) }
    }
  }

  // How often one was observed counts.
  private func labelRecord(_ before: OutputMatrix, _ after: OutputMatrix) -> LabelRecord? {
    evaluation.labelRecord(
      of: whole, before.picking(distinct.places), after.picking(distinct.places))
  }

  private func labelAgreement(_ before: OutputMatrix) -> LabelAgreement? {
    evaluation.labelAgreement(of: whole, before.picking(distinct.places))
  }

  // Of the weights that ship, of the encoder that takes these inputs.
  private func digest(of slot: EncoderSlot) -> ContentDigest? {
    zip(pairing.candidates, provenances).first { $0.0 == slot.kind }?.1.candidate.weights
  }

  // Of both sides' models of the encoder that takes these inputs.
  func digests(of slot: EncoderSlot) -> JudgedEncoder? {
    judged.first { $0.kind == slot.kind }
  }

  // Why the candidate must not even be run; nil when it may.
  private func refusal(
    _ audits: [EncoderAudit], _ preparations: [PreparationAudit]
  ) throws -> Findings? {
    let otherwise = gate.allowsOtherPreparation ? [] : preparations.compactMap(\.reason)
    let computed = pairing.slots.compactMap(ComputationAudit.ofTables)
    let faults = audits.flatMap(\.faults) + otherwise + computed
    guard !faults.isEmpty else { return nil }
    var findings = Findings(reasons: faults, warnings: warnings + distinct.warnings)
    findings.isPreparedOtherwise = !otherwise.isEmpty
    // Arrays of trees that do not fit each other say nothing; the trees themselves do.
    let areOfShape = faults.allSatisfy { fault in
      if case .weights(.shape) = fault { true } else { false }
    }
    if areOfShape { findings.trees = try treeFindings() }
    findings.reasons += findings.trees.map(RefusalReason.tree)
    return findings
  }

  // A baseline that misses known outputs cannot measure a candidate.
  private func knownOutputs(_ baseline: OutputMatrix) throws -> KnownRecord? {
    guard OutputCheck.isFinite(baseline) else { return nil }
    // How often an outcome was observed counts.
    return try KnownOutputs(
      of: whole, meaning: evaluation.meaning, baseline: baseline.picking(distinct.places))?.record()
  }

  // Looks at a candidate that was run, beyond its outputs.
  private func inspect(
    _ slot: EncoderSlot, _ runner: ModelRunner, _ findings: inout Findings
  ) throws {
    let images = evaluation.references.images
    try evaluation.references.naming(slot.inputs) { inputs in
      let overflows = try RangeAudit.overflows(of: runner, inputs, images: images)
      findings.reasons += overflows.map(\.reason)
      if !overflows.isEmpty { findings.isOutOfRange = true }
      let unused = try unusedLengths(of: runner, inputs)
      if !unused.isEmpty { findings.warnings.append(.unusedLengths(unused)) }
    }
  }
}
