import Gate
import StrictJSON

/// What was measured beside what is allowed, a row for each metric.
struct MetricsView {
  struct Row {
    let metric: String
    let value: String
    /// `at least 0.99`; nil without a limit.
    let limit: String?
    let isKept: Bool
    let isMissed: Bool
    /// Of the change that is allowed, in percent; nil without a limit.
    let used: String?
    /// The same as the length of a bar.
    let usedWidth: String?
  }

  let limitsWords: String?
  let rows: [Row]
  let subjects: String

  /// Nil where nothing was measured.
  init?(_ judgement: Judgement) {
    guard let metrics = judgement.metrics else { return nil }
    limitsWords = judgement.limits?.words
    rows =
      metrics.limited.map { MetricsView.row($0.name, $0.value, $0.key, judgement.limits) }
      + MetricsView.others(metrics) + MetricsView.ofLabels(judgement.labels)
    subjects =
      Figures.count(metrics.inputs, "input")
      + (metrics.pairs > 0 ? " in \(Figures.count(metrics.pairs, "pair"))" : "")
  }

  private static func row(
    _ name: String, _ value: Double, _ key: Limits.Key, _ limits: Limits?
  ) -> Row {
    guard let limits else { return plain(name, Figures.text(value, unlike: 0, fewest: 4)) }
    let limit = limits[key]
    let isKept = key.isFloor ? value >= limit : value <= limit
    let (loss, allowed) = key.isFloor ? (1 - value, 1 - limit) : (value, limit)
    let share = allowed > 0 && loss.isFinite ? max(0, loss) / allowed : nil
    return Row(
      metric: name,
      value: Figures.text(value, unlike: key.isFloor && value != 1 ? 1 : limit, fewest: 4),
      limit: "\(key.isFloor ? "at least" : "at most") \(Figures.plain(limit))", isKept: isKept,
      isMissed: !isKept, used: share.map { Figures.percent($0) },
      usedWidth: share.map { Place.percent(min(100, 100 * $0)) })
  }

  private static func plain(_ name: String, _ value: String) -> Row {
    Row(
      metric: name, value: value, limit: nil, isKept: false, isMissed: false, used: nil,
      usedWidth: nil)
  }

  /// How both models decide lines with true labels.
  private static func ofLabels(_ labels: LabelRecord?) -> [Row] {
    guard let labels else { return [] }
    let lines = "on \(Figures.count(labels.lines, "labelled line"))"
    return [plain("accuracy, \(lines)", labels.accuracy.words)]
      + (labels.calibrationError.map { [plain("calibration error, \(lines)", $0.words)] } ?? [])
  }

  /// What no limit is held to.
  private static func others(_ metrics: DriftMetrics) -> [Row] {
    var rows: [Row] = []
    if case .embeddings(let metrics) = metrics.drift {
      rows = [
        plain("cosine p1", Figures.text(metrics.cosine.p1, unlike: 1, fewest: 4)),
        plain("nearest kept", Figures.text(metrics.topOneAgreement, unlike: 1, fewest: 4)),
        plain("norm drift", Figures.text(metrics.normDrift, unlike: 0, fewest: 4)),
      ]
      if let spearman = metrics.spearman {
        rows.append(plain("spearman", Figures.change(spearman.baseline, spearman.candidate)))
      }
    }
    if let correlation = metrics.rankCorrelation {
      rows.append(plain("rank correlation", Figures.text(correlation, unlike: 1, fewest: 4)))
    }
    return rows + [plain("flips", "\(metrics.flips)")]
  }
}
