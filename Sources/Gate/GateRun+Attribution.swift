import Inputs

// What moved the outputs, as far as a gate is asked to say it.
extension GateRun {
  func treeFindings() throws -> [TreeFinding] {
    if gate.attribution == .none { return [] }
    return try pairing.slots.flatMap {
      try TreeAttribution($0, evaluation.references)?.findings ?? []
    }
  }

  // Which weights moved the outputs; of texts that need dropped tokens, that they do.
  func attribute(
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
}
