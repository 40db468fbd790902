extension Limits {
  /// The part of the allowed loss that metrics use: at most 1 exactly when every limit is kept, and
  /// infinite where one allows no loss, or a metric is no number.
  ///
  /// Drift and lost neighbours count by their squares, which grow with the loss of a cosine, so that
  /// half the loss uses about half of every limit.
  package func use(_ metrics: DriftMetrics) -> Double {
    metrics.limited.map { key, _, value in use(of: key, value) }.max() ?? .infinity
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
