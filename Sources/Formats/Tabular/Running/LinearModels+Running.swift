#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import Trees

/// 1 / (1 + exp(−x)).
private func logistic(_ value: Double) -> Double { 1 / (1 + exp(-value)) }

/// The share of the normal distribution below x.
private func normal(_ value: Double) -> Double { erfc(-value / 2.0.squareRoot()) / 2 }

private func dot(_ weights: [Double], _ row: [Double]) -> Double {
  zip(weights, row).reduce(0) { $0 + $1.0 * $1.1 }
}

extension LinearClassifier {
  /// Of each label, or of two the second.
  func scores(of row: [Double]) -> [Double] {
    let sums = zip(weights, offsets).map { dot($0, row) + $1 }
    if labels.count == 2 { return sums.map(link == .probit ? normal : logistic) }
    let values: [Double]
    switch encoding {
    case .referenceClass:
      let all = [0] + sums
      let largest = all.max() ?? 0
      values = all.map { exp($0 - largest) }
    case .oneVersusRest: values = sums.map(logistic)
    }
    let total = values.reduce(0, +)
    return values.map { $0 / total }
  }
}

extension LinearRegressor {
  func output(of row: [Double]) -> Double {
    let sum = dot(weights, row) + offset
    switch link {
    case .identity: return sum
    case .logit: return logistic(sum)
    case .probit: return normal(sum)
    }
  }
}
