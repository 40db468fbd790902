import Graph
import Inputs
import StrictJSON

/// One comparison: references and limits. Pure; it runs nothing.
struct Evaluation {
  let references: ReferenceSet
  /// The meaning of an output; nil if it is unknown, as with outputs given in a file.
  let meaning: ModelOutput?
  let limits: Limits
  let threshold: Double?

  /// - Throws: `EvaluationError` when the set's form does not suit the outputs, or the threshold
  ///   means nothing.
  init(
    references: ReferenceSet, meaning: ModelOutput?, limits: Limits, threshold: Double?
  ) throws(EvaluationError) {
    self.references = references.fitting(meaning)
    self.meaning = meaning
    self.limits = limits
    self.threshold = threshold
    try requireForm()
    try requireThreshold()
    try requireOutputWidth()
    try requireLabels()
    try requireLabelsOfLimit()
  }

  /// The same of models that were paired with references.
  init(_ pairing: EncoderPairing, _ limits: Limits, threshold: Double?) throws(EvaluationError) {
    try self.init(
      references: pairing.references, meaning: pairing.meaning, limits: limits,
      threshold: threshold)
  }

  private func requireForm() throws(EvaluationError) {
    let reason: String
    switch (references.content, meaning) {
    case (.samples, .embedding):
      reason = "a model that gives embeddings is judged on pairs ('a' and 'b')"
    case (.pairs, .classes), (.pairs, .numbers), (.pairs, .tokenClasses):
      reason = "a model that gives scores or numbers is judged on samples ('input')"
    default: return
    }
    throw .wrongForm(
      references: references.origin, found: references.content.words, reason: reason)
  }

  private func requireThreshold() throws(EvaluationError) {
    guard let threshold else { return }
    let expected: String
    switch thresholdRange {
    case let range? where range.contains(threshold): return
    case nil where threshold.isFinite: return
    case let range?: expected = "a number from \(Figures.plain(range.lowerBound)) to 1"
    case nil: expected = "a finite number"
    }
    throw .badLimit(fault: "the threshold is \(Figures.plain(threshold)), expected \(expected)")
  }

  /// The range of a threshold; nil if any number can be one: scores and numbers have no bounds.
  private var thresholdRange: ClosedRange<Double>? {
    if case .pairs = references.content { return -1...1 }
    switch meaning {
    case .classes(_, _, .probabilities), .tokenClasses: return 0...1
    case .classes(_, _, .scores), .embedding, .numbers, nil: break
    }
    return nil
  }

  private func requireOutputWidth() throws(EvaluationError) {
    guard case .samples(let samples) = references.content, let meaning else { return }
    if case .tokenClasses = meaning { return try refuseTokenOutputs(samples) }
    for sample in samples {
      guard let output = sample.output, output.count != meaning.width else { continue }
      throw .unusableLine(
        origin: references.origin, line: sample.line,
        input: references.inputs[sample.input].label,
        fault: "'\(sample.key)' has \(Figures.count(output.count, "number")), "
          + "the model gives \(meaning.width)\(meaning.wordsOfOne)")
    }
  }

  private func refuseTokenOutputs(
    _ samples: [ReferenceSet.Sample]
  ) throws(EvaluationError) {
    guard let sample = samples.first(where: { $0.output != nil }) else { return }
    throw .unusableLine(
      origin: references.origin, line: sample.line, input: references.inputs[sample.input].label,
      fault: "'\(sample.key)' is known, and the model gives labels for tokens, whose known outputs "
        + "are not read")
  }

  /// Judges outputs: one row per distinct input of the set, before and after.
  ///
  /// - Parameters:
  ///   - baseline: as many rows and columns as `candidate`.
  ///   - labels: how both decide lines with true labels; nil without any.
  ///   - jobs: threads.
  ///   - progress: told how many inputs have their neighbours, of how many; from any thread.
  func findings(
    baseline: OutputMatrix, candidate: OutputMatrix, labels: LabelRecord? = nil, jobs: Int,
    progress: @Sendable (Int, Int) -> Void = { _, _ in }
  ) -> Findings {
    var findings = Findings()
    findings.reasons = [(baseline, JudgedSide.baseline), (candidate, .candidate)].compactMap {
      outputs, side in
      OutputCheck.fault(outputs, in: references).map { .outputs($0, of: side) }
    }
    // Outputs that are not finite are not measured.
    guard findings.reasons.isEmpty else {
      findings.worstInputs = OutputCheck.badRows(candidate)
      return findings
    }
    switch references.content {
    case .pairs(let pairs):
      judge(pairs, baseline, candidate, &findings, jobs: jobs, progress)
    case .samples(let samples):
      if case .tokenClasses(let labels, _) = meaning {
        judge(TokenRows(baseline, candidate, labels: labels), &findings)
      } else {
        judge(samples, baseline, candidate, &findings)
      }
    }
    findings.labels = labels
    findings.metrics?.take(labels, limits)
    guard let metrics = findings.metrics else { return findings }
    findings.reasons =
      limits.misses(metrics).map { .limit($0, limits.source(of: $0.key)) }
      + metrics.nonFinite.map(RefusalReason.metric) + flipReasons(findings.flips)
    findings.warnings += flipWarnings(findings.flips)
    if !findings.reasons.isEmpty { findings.reasons += findings.worst }
    return findings
  }

  /// Short form of an input and the first line that holds it.
  func label(_ input: Int) -> String { references.inputs[input].label }

  private var maxMargin: Double { limits[.similarityDriftMean] }

  // A flip is tolerated only where the baseline itself was as near to the decision as drift that
  // is allowed on average; a NaN margin is not tolerated.
  private func isTolerated(_ flip: Flip) -> Bool { flip.margin <= maxMargin }

  private func flipReasons(_ flips: [Flip]) -> [RefusalReason] {
    let refused = flips.filter { !isTolerated($0) }
    let source = limits.source(of: .similarityDriftMean)
    let shown = refused.prefix(5).map {
      RefusalReason.flip($0, tolerated: maxMargin, source)
    }
    return refused.count > 5 ? shown + [.moreFlips(refused.count - 5)] : shown
  }

  private func flipWarnings(_ flips: [Flip]) -> [GateWarning] {
    let tolerated = flips.filter(isTolerated).count
    return tolerated > 0 ? [.toleratedFlips(tolerated, margin: maxMargin)] : []
  }
}

/// The results of one comparison.
struct Findings {
  var reasons: [RefusalReason] = []
  var warnings: [GateWarning] = []
  var metrics: DriftMetrics?
  var flips: [Flip] = []
  /// What lies behind the metrics; nil where nothing was measured.
  var details: DriftDetails?
  /// The known outputs that the baseline met; nil if the set knows none.
  var known: KnownRecord?
  /// How both models decide lines with true labels; nil without any.
  var labels: LabelRecord?
  /// What became of each class of the baseline; empty of anything but a classifier.
  var classes: [ClassFlips] = []
  /// The inputs that drifted most.
  var worst: [RefusalReason] = []
  /// Distinct inputs that drifted most, by number.
  var worstInputs: [Int] = []
  /// What makes the drift; nil where nothing was swapped.
  var causes: DriftCauses?
  /// The trees that make it; empty of anything but trees.
  var trees: [TreeFinding] = []
  /// Whether the first two of them are a pair, the one whose similarity changed most.
  var startsWithPair = false
  /// Whether a value overflows in the candidate, which no limits allow.
  var isOutOfRange = false

  /// Whether the candidate's numbers are none that compression makes, which no limits allow.
  var isImplausible = false
  /// Whether inputs are prepared otherwise than the baseline's without permission.
  var isPreparedOtherwise = false
  /// How much of each encoder of texts the references reach.
  var coverage: [InputKind: CoverageRecord] = [:]

  /// Whether a limit of drift is missed.
  var missesLimit: Bool {
    reasons.contains { reason in
      switch reason {
      case .limit, .metric: true
      default: false
      }
    }
  }

  /// Whether vectors of other inputs are compared: drift says nothing of the model then.
  var isOfOtherInputs: Bool {
    isPreparedOtherwise
      || warnings.contains { warning in
        switch warning {
        case .preparation, .prompt: true
        default: false
        }
      }
  }

  /// Whether there is a reason for a refusal that no limits change.
  var isRefusedAnyway: Bool {
    isOutOfRange || isImplausible || metrics?.nonFinite.isEmpty == false
  }
}

extension ModelOutput {
  /// Of one number for two labels, whose it is.
  fileprivate var wordsOfOne: String {
    guard case .classes(let labels, width: 1, .probabilities) = self, labels.count == 2 else {
      return ""
    }
    return ", the probability p of the second of two labels; write it, or [1 − p, p]"
  }
}
