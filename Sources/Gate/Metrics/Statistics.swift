/// Small statistics, all in Double.
enum Statistics {
  static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

  /// The percentile of `share` (0…1), interpolated linearly between ranks as numpy does.
  static func percentile(_ values: [Double], _ share: Double) -> Double {
    // NaN has no rank.
    guard !values.isEmpty, !values.contains(where: \.isNaN) else { return .nan }
    let sorted = values.sorted()
    let place = Double(sorted.count - 1) * share
    let below = Int(place)
    let above = Swift.min(below + 1, sorted.count - 1)
    return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
  }

  /// The median; nil for no values.
  static func median(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : percentile(values, 0.5)
  }

  /// Largest value; a value that is not a number wins.
  static func max(_ values: [Double]) -> Double {
    values.reduce(-Double.infinity) { $1.isNaN || $0.isNaN ? .nan : Swift.max($0, $1) }
  }

  /// Smallest value; a value that is not a number wins.
  static func min(_ values: [Double]) -> Double {
    values.reduce(Double.infinity) { $1.isNaN || $0.isNaN ? .nan : Swift.min($0, $1) }
  }

  static func spread(_ values: [Double]) -> DriftMetrics.Spread {
    DriftMetrics.Spread(mean: mean(values), max: max(values))
  }

  /// Rank correlation (Spearman 1904) with average ranks for ties.
  ///
  /// - Returns: nil when either side has fewer than two different values.
  static func spearman(_ left: [Double], _ right: [Double]) -> Double? {
    let left = ranks(left), right = ranks(right)
    guard left.count > 1, Set(left).count > 1, Set(right).count > 1 else { return nil }
    let leftMean = mean(left), rightMean = mean(right)
    var product = 0.0, leftSquares = 0.0, rightSquares = 0.0
    for (x, y) in zip(left, right) {
      product += (x - leftMean) * (y - rightMean)
      leftSquares += (x - leftMean) * (x - leftMean)
      rightSquares += (y - rightMean) * (y - rightMean)
    }
    return product / (leftSquares * rightSquares).squareRoot()
  }

  /// Ranks from 1; equal values share the mean of the ranks they take.
  static func ranks(_ values: [Double]) -> [Double] {
    let order = values.indices.sorted { (values[$0], $0) < (values[$1], $1) }
    var ranks = [Double](repeating: 0, count: values.count)
    var start = 0
    while start < order.count {
      var end = start + 1
      while end < order.count, values[order[end]] == values[order[start]] { end += 1 }
      for place in start..<end { ranks[order[place]] = Double(start + 1 + end) / 2 }
      start = end
    }
    return ranks
  }
}
