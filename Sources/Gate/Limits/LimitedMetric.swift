/// One metric under a limit.
package struct LimitedMetric: Equatable, Sendable {
  package let key: Limits.Key
  /// As messages call it.
  package let name: String
  package let value: Double
  package let limit: Double
}

extension Limits {
  /// The metric that uses most of its limit; nil if there is none.
  package func tightest(_ metrics: DriftMetrics) -> LimitedMetric? {
    let all = metrics.limited.map { (metric: $0, use: use(of: $0.key, $0.value)) }
    let worst = all.max { $0.use < $1.use }?.metric
    return worst.map {
      LimitedMetric(key: $0.key, name: $0.name, value: $0.value, limit: self[$0.key])
    }
  }

  /// The same metric of another measurement; nil if it has none of that kind.
  package func metric(_ key: Key, of metrics: DriftMetrics) -> LimitedMetric? {
    metrics.limited.first { $0.key == key }.map {
      LimitedMetric(key: key, name: $0.name, value: $0.value, limit: self[key])
    }
  }
}
