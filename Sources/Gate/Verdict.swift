package import Files
package import Inputs
package import StrictJSON

/// The verdict of the gate on a candidate, and its reasons.
package struct Verdict: Equatable, Sendable {
  /// How it ended.
  package enum Outcome: Equatable, Sendable {
    /// Every limit is kept; a receipt for each model of the candidate, in their order, lets it be
    /// packaged.
    case passed([DriftReceipt])
    /// Every limit is kept by outputs that were given rather than run: nothing can be packaged.
    case passedWithoutReceipt
    case refused
  }

  package let outcome: Outcome
  /// Why it was refused, most important first; empty exactly when it passed.
  package let refusals: [RefusalReason]
  /// Warnings for people.
  package let notices: [GateWarning]
  /// Nil when nothing could be measured.
  package let metrics: DriftMetrics?
  /// Pairs that cross the threshold, or inputs whose label changes, refused or tolerated.
  package let flips: [Flip]
  /// The verdicts of looser profiles on a candidate that was refused; empty when it passed.
  package let outlooks: [ProfileOutlook]
  /// The limits of the candidate.
  package let limits: Limits
  /// The check of known outputs; nil if the set knows none, or nothing ran.
  package var known: KnownRecord?
  /// How both models decide lines with true labels; nil without any, or if nothing ran.
  package var labels: LabelRecord?
  /// What became of each class of the baseline; empty of anything but a classifier, or if nothing ran.
  package var classes: [ClassFlips] = []
  /// Whether it was refused because inputs are prepared otherwise than the baseline's.
  package var isPreparedOtherwise = false
  /// How much the references reach of each encoder of texts, by what encoders take.
  package var coverage: [InputKind: CoverageRecord] = [:]
  /// What makes the drift; nil where no weights were swapped.
  package var causes: DriftCauses?
  /// The trees that make it, the worst first; empty of anything but trees, and where none were compared.
  package var trees: [TreeFinding] = []
  /// What lies behind the metrics; nil where nothing was measured.
  package var details: DriftDetails?

  /// Why it was refused, a sentence each.
  package var reasons: [String] { refusals.map(\.sentence) }

  /// The warnings, a sentence each.
  package var warnings: [String] { notices.map(\.sentence) }

  /// The advice on the threshold in one of them, and the way out; nil if none has any.
  package var thresholdAdvice: ThresholdAdvice? { notices.lazy.compactMap(\.thresholdAdvice).first }

  /// Whether every limit is kept, with or without a receipt.
  package var isPassed: Bool {
    if case .refused = outcome { false } else { true }
  }

  /// The receipts, one for each model of the candidate in their order; empty without a proof.
  package var receipts: [DriftReceipt] {
    if case .passed(let receipts) = outcome { receipts } else { [] }
  }

  /// The receipt of a candidate that is one model.
  package var receipt: DriftReceipt? { receipts.count == 1 ? receipts[0] : nil }

  /// The metrics as lines for people, one figure group each; empty when nothing was measured.
  package var summaryLines: [String] {
    guard let metrics else { return [] }
    return metrics.summaryLines
      + [ClassFlips.words(classes), labels?.words, textCoverage?.words].compactMap(\.self)
  }

  /// How much the references reach of the encoder of texts; nil without one.
  private var textCoverage: CoverageRecord? { coverage[.text] }

  /// Why it was refused, and the verdicts of looser profiles, a sentence each.
  package var refusalLines: [String] { reasons + outlooks.map(\.text) }

  /// `verdict`, `reasons`, `warnings`, and the same as values in `findings` and `flips`; `limits`;
  /// `metrics` where something was measured, `knownOutputs` where something is known, `labels` where
  /// there are true ones, `classes` of a classifier, `coverage` of an encoder of texts, and `profiles`
  /// where others might say something else.
  package var json: JSONValue { json { _ in nil } }

  /// The same with options as `name` spells them.
  package func json(_ name: UserOption.Names) -> JSONValue {
    var members: [String: JSONValue] = [
      "verdict": .string(isPassed ? "passed" : "refused"),
      "reasons": .array(reasons.map(JSONValue.string)),
      "warnings": .array(warnings.map(JSONValue.string)),
      "findings": .array(refusals.map(\.json) + notices.map(\.json)),
      "flips": .array(flips.map { $0.json(tolerating: limits[.similarityDriftMean]) }),
      "limits": limits.report,
    ]
    if !outlooks.isEmpty { members["profiles"] = .array(outlooks.map(\.json)) }
    if let metrics { members["metrics"] = metrics.json }
    if let known { members["knownOutputs"] = known.report(name) }
    if let labels { members["labels"] = labels.report }
    if !classes.isEmpty { members["classes"] = .array(classes.map(\.json)) }
    if let textCoverage { members["coverage"] = textCoverage.json }
    return .object(members)
  }
}

extension Verdict {
  /// A refusal; a finding without a reason cannot pass either.
  init(refusing findings: Findings, _ evaluation: Evaluation) {
    self.init(
      outcome: .refused,
      refusals: findings.reasons.isEmpty ? [.nothingMeasured] : findings.reasons,
      notices: findings.warnings, metrics: findings.metrics, flips: findings.flips,
      outlooks: evaluation.outlooks(findings), limits: evaluation.limits,
      known: findings.known, labels: findings.labels, classes: findings.classes,
      isPreparedOtherwise: findings.isPreparedOtherwise, coverage: findings.coverage,
      causes: findings.causes, trees: findings.trees, details: findings.details)
  }
}
