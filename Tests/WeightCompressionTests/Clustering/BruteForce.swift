@testable import WeightCompression

/// Least squared error over all partitions of sorted values into `parts` runs, by trying each.
func minCost(_ values: [Float], parts: Int) -> Double {
  func cost(_ run: ArraySlice<Float>) -> Double {
    let mean = run.reduce(0) { $0 + Double($1) } / Double(run.count)
    return run.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
  }
  func minimum(from start: Int, parts: Int) -> Double {
    if parts == 1 { return cost(values[start...]) }
    return (start + 1...values.count - parts + 1).reduce(.infinity) { best, cut in
      min(best, cost(values[start..<cut]) + minimum(from: cut, parts: parts - 1))
    }
  }
  return minimum(from: 0, parts: parts)
}

/// Squared error of a partition, each run's from its own mean.
func squaredError(_ values: [Float], _ cuts: [Int]) -> Double {
  zip([0] + cuts, cuts + [values.count]).reduce(0) { sum, run in
    let values = values[run.0..<run.1]
    let mean = values.reduce(0) { $0 + Double($1) } / Double(values.count)
    return sum + values.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
  }
}

/// The tolerance for rounded sums of squares: 2^-53 of the whole for each of up to a few hundred
/// sums that are added up.
func roundingTolerance(_ sorted: SortedValues, _ minimum: Double) -> Double {
  let squares = (0..<sorted.count).reduce(0) { $0 + sorted.centred($1) * sorted.centred($1) }
  return 1e-12 * minimum + 0x1p-45 * squares
}

/// Least squared error by `ExactPartition` over the distinct values.
func referenceCost(_ sorted: SortedValues, parts: Int) -> Double {
  let starts = ScalarClustering.distinctStarts(sorted, limit: sorted.count)
  let places = (starts + [sorted.count]).map { sorted.moments(before: $0) }
  let cuts = ExactPartition.cuts(places, parts: parts).map { starts[$0] }
  return squaredError(sorted.values, cuts)
}

/// How many values are distinct.
func distinctCount(_ sorted: SortedValues) -> Int {
  ScalarClustering.distinctStarts(sorted, limit: sorted.count).count
}
