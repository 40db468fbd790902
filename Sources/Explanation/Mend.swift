package import Gate
package import StrictJSON
package import WeightCompression

/// A change of a candidate that was tried, and what the candidate measures with it.
package struct Mend: Sendable {
  /// Weights that are stored otherwise; empty where files alone are exchanged.
  package let repairs: [Repair]
  /// Whether the baseline's own files beside the weights take the place of the candidate's.
  package let exchangesFiles: Bool
  /// Nil where nothing could be measured.
  package let metrics: DriftMetrics?
  /// Whether the gate passes it.
  package let isInside: Bool
  /// Why it does not, if limits are not the reason; nil otherwise.
  package let obstacle: String?
  /// Stores every weight as the candidate does, but for the mended ones; nil for files that are
  /// exchanged, for several encoders, and where Ingot did not store the weights.
  package let recipe: Recipe?
  let limits: Limits
  /// The metric by which the candidate was refused, before; nil if none was measured.
  let missed: LimitedMetric?

  /// Bytes that the model grows by.
  package var extraBytes: Int { repairs.reduce(0) { $0 + $1.extraBytes } }

  /// The mend, its price, and where it leads.
  package var sentence: String { "\(change) would \(effect)" }

  private var change: String {
    let files = "the baseline's own files beside the weights"
    if repairs.isEmpty { return files }
    // Weights that are stored in one way, together.
    let ways = repairs.map { $0.words(for: "") }
    let words = ways.indices.filter { ways.firstIndex(of: ways[$0]) == $0 }.map { place in
      let alike = ways.indices.filter { ways[$0] == ways[place] }
      let names =
        alike.count > MendSearch.few
        ? Figures.count(alike.count, "weight")
        : alike.map { "'\(repairs[$0].place.name)'" }.joined(separator: ", ")
      return repairs[place].words(for: names)
    }
    return "\(((exchangesFiles ? [files] : []) + words).joined(separator: " and ")) "
      + "(+\(Figures.bytes(extraBytes)))"
  }

  private var effect: String {
    guard let metrics, let metric = shown(metrics) else {
      return "bring outputs that cannot be compared"
    }
    let value = Figures.text(metric.value, unlike: metric.limit, fewest: 4)
    let before = missed.flatMap(words(of:))
    // What refuses it may be no metric, but numbers that are not the baseline's.
    let start =
      before == value && missed?.key == metric.key
      ? "leave \(metric.name) at \(value), "
      : "bring \(metric.name) \(before.map { "from \($0) " } ?? "")to \(value), "
    if isInside { return start + "inside \(limits.words)" }
    if let obstacle { return start + "and still be refused: \(obstacle)" }
    return start
      + "still outside \(limits.words) (\(limits.phrase(metric.key))): it takes more than this"
  }

  private func words(of metric: LimitedMetric) -> String? {
    guard metric.value.isFinite else { return nil }
    return Figures.text(metric.value, unlike: metric.limit, fewest: 4)
  }

  /// The metric that was missed; where it is kept now and another is not, that one.
  private func shown(_ metrics: DriftMetrics) -> LimitedMetric? {
    let worst = limits.tightest(metrics)
    guard let missed else { return worst }
    return limits.metric(missed.key, of: metrics) ?? worst
  }

  /// `sentence`, `extraBytes`, `isInside`, the `weights`, whether it `exchangesFiles`, and `metrics`.
  package var json: JSONValue {
    [
      "sentence": .string(sentence), "extraBytes": .integer(extraBytes),
      "isInside": .bool(isInside), "weights": .array(repairs.map(\.json)),
      "exchangesFiles": .bool(exchangesFiles), "metrics": metrics?.json ?? .null,
    ]
  }
}
