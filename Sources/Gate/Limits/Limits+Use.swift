import Foundation

extension Limits {
  /// The part of the allowed loss that metrics use: at most 1 exactly when every limit is kept, and
  /// infinite where one allows no loss, or a metric is no number.
  ///
  /// Drift and lost neighbours count by their squares, which grow with the loss of a cosine, so that
  /// half the loss uses about half of every limit.
  package func use(_ metrics: DriftMetrics) -> Double {
    metrics.limited.map { key, _, value in use(of: key, value) }.max() ?? .infinity
  }

  /// The part that metrics of other references, of the same kind and number, are likely to use.
  ///
  /// What a single input decides differs most from one set to another, and the share of neighbours
  /// kept, which depends on how close inputs lie. The figures are measured between the two shares of
  /// development sentences of all-MiniLM-L6-v2.
  package func expectedUse(_ metrics: DriftMetrics) -> Double {
    metrics.limited.map { key, _, value in
      use(of: key, metrics.expected(of: key, value)) * Limits.spread(of: key)
    }.max() ?? .infinity
  }

  private static func spread(of key: Key) -> Double {
    switch key {
    case .cosineMean: 1.05
    case .similarityDriftMean: 1.1
    case .cosineMin, .similarityDriftMax: 1.2
    case .neighbourOverlap, .calibrationError: 1.35
    }
  }

  func use(of key: Key, _ value: Double) -> Double {
    let limit = self[key]
    let (loss, allowed) = key.isFloor ? (1 - value, 1 - limit) : (value, limit)
    guard loss <= allowed, loss <= 0 else {
      guard allowed > 0, loss.isFinite else { return .infinity }
      let share = loss / allowed
      return key == .cosineMean || key == .cosineMin ? share : share * share
    }
    return 0
  }
}

extension DriftMetrics {
  /// What other references are likely to show of a metric.
  ///
  /// The largest change of a pair says little of others; the mean change says what is at least likely
  /// of n: about √(π/2) · √(2 ln n) times as much of normal changes, and 1.4 times more by the heavier
  /// tails of compressed models, measured on all-MiniLM-L6-v2.
  fileprivate func expected(of key: Limits.Key, _ value: Double) -> Double {
    guard key == .similarityDriftMax, case .embeddings(let metrics) = drift, pairs > 1 else {
      return value
    }
    let mean = metrics.similarityDrift.mean
    return max(value, mean * 1.4 * (.pi * log(Double(pairs))).squareRoot())
  }
}
