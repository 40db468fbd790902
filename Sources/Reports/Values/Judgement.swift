package import Gate

/// What the gate measured of a candidate, and what it said.
package struct Judgement: Sendable {
  /// A reason or a warning: its identifier for programs, and its sentence.
  package struct Finding: Sendable {
    /// Nil where only the sentence was kept.
    package let id: String?
    package let sentence: String

    package init(id: String?, sentence: String) { (self.id, self.sentence) = (id, sentence) }
  }

  /// Nil where nothing kept them.
  package let limits: Limits?
  /// Nil when nothing could be measured.
  package let metrics: DriftMetrics?
  /// Why it was refused, most important first.
  package let reasons: [Finding]
  package let warnings: [Finding]
  /// What looser profiles would say, strictest first.
  package let outlooks: [ProfileOutlook]
  /// How both models decide lines with true labels; nil without any.
  package let labels: LabelRecord?
  /// What became of each class of the baseline; empty of anything but a classifier.
  package let classes: [ClassFlips]
  /// Nil where only the metrics were kept.
  package let details: DriftDetails?

  package init(
    limits: Limits?, metrics: DriftMetrics?, reasons: [Finding] = [], warnings: [Finding] = [],
    outlooks: [ProfileOutlook] = [], labels: LabelRecord? = nil, classes: [ClassFlips] = [],
    details: DriftDetails? = nil
  ) {
    (self.limits, self.metrics, self.reasons) = (limits, metrics, reasons)
    (self.warnings, self.outlooks, self.details) = (warnings, outlooks, details)
    (self.labels, self.classes) = (labels, classes)
  }

  package init(_ verdict: Verdict) {
    self.init(
      limits: verdict.limits, metrics: verdict.metrics,
      reasons: verdict.refusals.map { Finding(id: $0.id.rawValue, sentence: $0.sentence) },
      warnings: verdict.notices.map { Finding(id: $0.id.rawValue, sentence: $0.sentence) },
      outlooks: verdict.outlooks, labels: verdict.labels, classes: verdict.classes,
      details: verdict.details)
  }

  /// Reasons whose sentences alone were kept.
  package init(_ reasons: [String]) {
    self.init(
      limits: nil, metrics: nil, reasons: reasons.map { Finding(id: nil, sentence: $0) })
  }

  /// What is left of a verdict in the receipt of a model that passed.
  package init(_ receipt: DriftReceipt) {
    self.init(
      limits: receipt.limits, metrics: receipt.metrics,
      warnings: receipt.warnings.map { Finding(id: nil, sentence: $0) }, labels: receipt.labels,
      classes: receipt.classes)
  }
}

extension DriftMetrics {
  /// The one figure that a frontier shows, which grows with the drift: 1 − the mean cosine, or the
  /// mean change of outputs.
  var frontierDrift: Double {
    switch drift {
    case .embeddings(let metrics): 1 - metrics.cosine.mean
    case .outputs(let spread): spread.mean
    }
  }
}

extension Limits {
  /// The most of `DriftMetrics.frontierDrift`.
  func frontierDrift(ofEmbeddings: Bool) -> Double {
    ofEmbeddings ? 1 - self[.cosineMean] : self[.similarityDriftMean]
  }

  /// The key of that limit.
  static func frontierKey(ofEmbeddings: Bool) -> Key {
    ofEmbeddings ? .cosineMean : .similarityDriftMean
  }
}
