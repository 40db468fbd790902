import Graph
import Inputs
import Weights

/// One run of the gate: both sides, the reference set, and the findings.
struct GateRun {
  private let gate: Gate
  let baseline: GateSide
  let candidate: GateSide
  /// The inputs that the models can tell apart.
  private let distinct: DistinctReferences
  /// The reference set as it was given.
  private let whole: ReferenceSet
  /// Of the inputs that are run, each once.
  let pairing: EncoderPairing
  let evaluation: Evaluation
  private let progress: @Sendable (GateStep) -> Void
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
    let (before, after) = (ran.before, ran.after)
    guard before.width == after.width else {
      throw EvaluationError.notComparable(
        what: "output", baseline: "\(before.width) numbers", candidate: "\(after.width) numbers")
    }
    try before.requireMemoryToJudge(of: evaluation.references.origin)
    try AlikeOutputs.refuse(before, evaluation, pairing.slots)
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
    if OutputCheck.isFinite(after) {
      for (slot, runner) in zip(pairing.slots, ran.candidates) {
        if let runner { try inspect(slot, runner, &findings) }
      }
      if case .embeddings = findings.metrics?.drift,
        let length = UnitLength.lost(before: before, after: after)
      {
        findings.reasons.append(.length(length))
        findings.isImplausible = true
      }
    }
    findings.warnings += audits.compactMap(\.namesWarning)
    findings.warnings += audits.flatMap(\.coarseMoves).map(GateWarning.coarseThresholds)
    if OutputCheck.isFinite(before) { try attribute(&findings, audits, ran) }
    if OutputCheck.isFinite(before), OutputCheck.isFinite(after) {
      let moves = HiddenMoves(evaluation: evaluation, before: before, after: after)
      for (place, runner) in zip(audits.indices, ran.baselines) {
        if let runner { audits[place].take(try moves.findings(audits[place], runner)) }
      }
    }
    for (audit, texts) in zip(audits, ran.generated) {
      findings.take(
        audit, GeneratedDrift(texts, audit, before: before, after: after, limits: evaluation.limits)
      )
    }
    return findings
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
  private func digests(of slot: EncoderSlot) -> JudgedEncoder? {
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

  private func treeFindings() throws -> [TreeFinding] {
    if gate.attribution == .none { return [] }
    return try pairing.slots.flatMap {
      try TreeAttribution($0, evaluation.references)?.findings ?? []
    }
  }

  // Which weights moved the outputs; of texts that need dropped tokens, that they do.
  private func attribute(
    _ findings: inout Findings, _ audits: [EncoderAudit], _ ran: RunSides
  ) throws {
    let dropped = try pairing.slots.compactMap { try DroppedTokens($0, evaluation.references) }
    guard dropped.isEmpty else {
      if findings.reasons.isEmpty {
        findings.warnings += dropped.map(GateWarning.droppedTokens)
      } else {
        findings.reasons += dropped.map(RefusalReason.droppedTokens)
      }
      return
    }
    let attribution = DriftAttribution(
      encoders: zip(audits, ran.baselines).compactMap { audit, runner in
        runner.flatMap(audit.attributed)
      }, evaluation: evaluation)
    if gate.attribution == .none { return }
    if findings.reasons.isEmpty { findings.warnings += try attribution.warnings() }
    if findings.reasons.isEmpty, gate.attribution == .ofRefusals { return }
    findings.causes = try attribution.causes(findings, before: ran.before, after: ran.after)
    findings.trees = try treeFindings()
    if !findings.reasons.isEmpty { findings.reasons += findings.trees.map(RefusalReason.tree) }
    guard !findings.reasons.isEmpty, let causes = findings.causes else { return }
    findings.reasons += try otherComputation(findings, causes) + causes.reasons
  }

  /// What else than weights makes the drift, as far as it can be told.
  private func otherComputation(
    _ findings: Findings, _ causes: DriftCauses
  ) throws -> [RefusalReason] {
    if causes.isOfWeightsAlone { return [] }
    let known = try pairing.slots.flatMap {
      try ComputationAudit.reasons($0, evaluation.references, drifted: causes.inputs)
    }
    guard known.isEmpty, findings.missesLimit, !findings.isOfOtherInputs else { return known }
    return causes.otherComputation
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

  // An encoder that is not a candidate is run once. Each model gets one runner, for this and for all
  // that looks at it again; its weights are in memory while it runs.
  private func run(_ texts: [[[Int32]]]) throws -> RunSides {
    let slots = pairing.slots
    let ours = slots.compactMap(\.baseline).isEmpty ? [] : slots
    let theirs = slots.filter { $0.candidate != nil }
    let runs = (ours + theirs).reduce(0) { $0 + $1.inputs.count }
    var done = 0
    func run(
      _ model: Model, _ digests: ModelDigests?, _ slot: EncoderSlot, _ texts: [[Int32]],
      keeps: Bool = false
    ) throws -> (runner: ModelRunner, outputs: EncoderOutputs) {
      let (progress, before) = (progress, done)
      done += slot.inputs.count
      let runner = try ModelRunner(model: model, jobs: gate.jobs)
      defer { runner.forgetWeights() }
      let outputs = try evaluation.references.outputs(
        of: runner, slot.inputs, besides: texts, keeps: keeps, digests: digests
      ) {
        progress(.running(before + $0, of: runs))
      }
      return (runner, outputs)
    }
    let old = try zip(slots, texts).map { slot, texts in
      try slot.baseline.map { baseline in
        let digests = digests(of: slot)?.baseline
        guard let counterpart = slot.counterpart, counterpart.keptTokens != nil else {
          return try run(baseline, digests, slot, texts, keeps: gate.keepsBaselines)
        }
        // The references judge against all tokens; generated texts are of the candidate's.
        let whole = try run(baseline, digests, slot, [], keeps: gate.keepsBaselines)
        let runner = try ModelRunner(model: counterpart, jobs: gate.jobs)
        defer { runner.forgetWeights() }
        let generated = try runner.outputs(forTokens: texts)
        return (
          runner, EncoderOutputs(references: whole.outputs.references, generated: generated)
        )
      }
    }
    let new = try zip(slots, texts).map { slot, texts in
      try slot.candidate.map { try run($0, digests(of: slot)?.candidate, slot, texts) }
    }
    let before = try whole(baseline, old.map { $0?.outputs.references })
    let after = try whole(candidate, zip(new, old).map { ($0 ?? $1)?.outputs.references })
    return RunSides(
      before: before, after: evaluation.filledUp(after, like: before),
      generated: zip(old, new).map {
        GeneratedOutputs(before: $0?.outputs.generated, after: $1?.outputs.generated)
      },
      baselines: old.map { $0?.runner }, candidates: new.map { $0?.runner })
  }

  // Puts the rows of all encoders into the order of the inputs.
  private func whole(_ side: GateSide, _ parts: [OutputMatrix?]) throws -> OutputMatrix {
    let references = evaluation.references
    if case .outputs(let matrix, let path) = side {
      return try whole.distinctRows(of: matrix, origin: path).picking(distinct.kept)
    }
    let parts = zip(pairing.slots, parts).compactMap { slot, part in
      part.map { (rows: slot.inputs, outputs: $0) }
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
