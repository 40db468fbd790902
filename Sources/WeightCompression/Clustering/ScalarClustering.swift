/// How far the search for clusters goes.
package enum ClusteringEffort: Sendable {
  /// To clusters of a small error, for what is only compared with others.
  case little
  /// To those of the least error.
  case least
}

/// The best palette of a group of values: one-dimensional k-means, solved exactly.
///
/// "Best" is least squared error, weighted if weights are given, computed in Double with centroids
/// in Double. Clusters of the best partition are runs of the sorted values.
struct ScalarClustering {
  /// Means of the clusters, rounded to Float, ascending; as many as there are clusters.
  let centroids: [Float]
  /// The lowest value of each cluster but the first, ascending; without weightless values.
  let lowerBounds: [Float]
  /// The sum of the weights of each cluster's values.
  let weights: [Double]

  /// Clusters finite values into `entries` clusters, or fewer where fewer values are distinct.
  init(_ values: [Float], weights: [Float]? = nil, entries: Int) {
    self.init(SortedValues(sorting: values, weights: weights), entries: entries)
  }

  init(_ sorted: SortedValues, entries: Int, effort: ClusteringEffort = .least) {
    let cuts = Self.cuts(sorted, entries: entries, effort: effort)
    let edges = [0] + cuts + [sorted.count]
    lowerBounds = cuts.map { sorted.values[$0] }
    weights = zip(edges, edges.dropFirst()).map { start, end in
      (sorted.moments(before: end).weight - sorted.moments(before: start).weight)
        / sorted.weightUnit
    }
    centroids =
      sorted.count == 0
      ? []
      : (0...cuts.count).map { part in
        Self.centroid(sorted, edges[part]..<edges[part + 1])
      }
  }

  /// Mean of a run; of equal values, the value itself.
  private static func centroid(_ sorted: SortedValues, _ run: Range<Int>) -> Float {
    let low = sorted.values[run.lowerBound]
    let high = sorted.values[run.upperBound - 1]
    if low == high { return low }
    let mean = sorted.moments(before: run.upperBound)
      .mean(since: sorted.moments(before: run.lowerBound))
    return min(max(Float(mean + sorted.offset), low), high)
  }

  /// Positions where clusters start, without the first.
  static func cuts(
    _ sorted: SortedValues, entries: Int, effort: ClusteringEffort = .least
  ) -> [Int] {
    guard entries > 1, sorted.count > 0 else { return [] }
    let starts = distinctStarts(sorted, limit: max(entries, fewValues))
    if starts.count <= entries { return Array(starts.dropFirst()) }
    if starts.count > fewValues {
      return CertifiedPartition(sorted, parts: entries, effort: effort).cuts
    }
    let places = (starts + [sorted.count]).map { sorted.moments(before: $0) }
    return ExactPartition.cuts(places, parts: entries).map { starts[$0] }
  }

  /// The most distinct values for which the plain algorithm is faster.
  private static let fewValues = 64

  /// Positions of the first of each distinct value, at most `limit` + 1.
  static func distinctStarts(_ sorted: SortedValues, limit: Int) -> [Int] {
    var starts = [0]
    while starts.count <= limit {
      let start = starts[starts.count - 1]
      let next = sorted.firstPosition(
        notBelow: sorted.values[start].nextUp, in: start..<sorted.count)
      guard next < sorted.count else { break }
      starts.append(next)
    }
    return starts
  }
}
