import Inputs
package import StrictJSON

/// How far a candidate's outputs are from the baseline's, over one reference set.
///
/// Every sum is made in Double. Percentiles interpolate linearly between ranks.
package struct DriftMetrics: Equatable, Sendable {
  /// Cosine between the embeddings of each distinct input before and after.
  package struct Cosine: Equatable, Sendable {
    package let mean: Double
    /// First percentile.
    package let p1: Double
    package let min: Double
  }

  /// Mean and largest of absolute changes.
  package struct Spread: Equatable, Sendable {
    package let mean: Double
    package let max: Double
  }

  /// Rank correlation of pair similarities with the labels, for either model.
  package struct Spearman: Equatable, Sendable {
    package let baseline: Double
    package let candidate: Double
  }

  /// The metrics of a model that gives embeddings.
  package struct Embeddings: Equatable, Sendable {
    package let cosine: Cosine
    /// Change of the cosine similarity of each pair.
    package let similarityDrift: Spread
    /// Mean share of the nearest neighbours kept, over all distinct inputs.
    package let neighbourOverlap: Double
    /// Share of distinct inputs whose nearest neighbour stays the same.
    package let topOneAgreement: Double
    /// Nil if the set has no labels, or labels that cannot be ranked.
    package let spearman: Spearman?
    /// Largest relative change of the length of an embedding.
    package let normDrift: Double
  }

  /// The measured metrics, by the model's kind of output.
  package enum Drift: Equatable, Sendable {
    case embeddings(Embeddings)
    /// Change of each output; relative to their range for plain numbers.
    case outputs(Spread)
  }

  package let drift: Drift
  /// Pairs that cross the threshold, or inputs whose label changes.
  package let flips: Int
  /// Distinct inputs.
  package let inputs: Int
  /// Pairs of the reference set; 0 for a set of samples.
  package let pairs: Int
  /// How many of both the models can tell apart, which is what was measured; nil in receipts of
  /// before this was counted.
  var distinct: ReferenceSet.Counts?
  /// Of outputs that are no embeddings: rank correlation of an output before and after, over all inputs, of the
  /// output where it is least. Nil where no output can be ranked; receipts do not have it.
  package internal(set) var rankCorrelation: Double?

  /// By how much the expected calibration error rises, negative where it falls; nil where no limit is
  /// held against it. Receipts have it in their `labels`.
  package internal(set) var calibrationRise: Double?

  /// The metrics under limits, with their names in messages.
  package var limited: [(key: Limits.Key, name: String, value: Double)] {
    let rise: [(key: Limits.Key, name: String, value: Double)] =
      calibrationRise.map { [(.calibrationError, Limits.Key.calibrationError.words, $0)] } ?? []
    return ofDrift + rise
  }

  private var ofDrift: [(key: Limits.Key, name: String, value: Double)] {
    switch drift {
    case .embeddings(let metrics):
      [
        (.cosineMean, "cosine mean", metrics.cosine.mean),
        (.cosineMin, "cosine min", metrics.cosine.min),
        (.similarityDriftMean, "similarity drift mean", metrics.similarityDrift.mean),
        (.similarityDriftMax, "similarity drift max", metrics.similarityDrift.max),
        (.neighbourOverlap, "neighbour overlap", metrics.neighbourOverlap),
      ]
    case .outputs(let drift):
      [
        (.similarityDriftMean, "output drift mean", drift.mean),
        (.similarityDriftMax, "output drift max", drift.max),
      ]
    }
  }

  /// Whether what the models can tell apart was counted.
  package var countsDistinct: Bool { distinct != nil }

  /// Names of metrics that are not finite; a receipt is never made with one.
  var nonFinite: [String] {
    var all = limited.map { ($0.name, $0.value) }
    if case .embeddings(let metrics) = drift {
      all += [
        ("cosine p1", metrics.cosine.p1), ("top-one agreement", metrics.topOneAgreement),
        ("norm drift", metrics.normDrift),
      ]
      if let spearman = metrics.spearman {
        all += [
          ("spearman baseline", spearman.baseline), ("spearman candidate", spearman.candidate),
        ]
      }
    }
    return all.filter { !$0.1.isFinite }.map(\.0)
  }

  /// One line per group of figures, for people.
  var summaryLines: [String] {
    func four(_ value: Double) -> String { Figures.text(value, unlike: 0, fewest: 4) }
    // Nothing less than 1 is shown as 1.
    func share(_ value: Double) -> String { Figures.text(value, unlike: 1, fewest: 4) }
    var lines: [String] = []
    switch drift {
    case .outputs(let drift):
      lines = ["output drift: mean \(four(drift.mean)), max \(four(drift.max))"]
      if let rankCorrelation { lines.append("rank correlation: \(share(rankCorrelation))") }
    case .embeddings(let metrics):
      let cosine = metrics.cosine, drift = metrics.similarityDrift
      lines = [
        "cosine: mean \(share(cosine.mean)), p1 \(share(cosine.p1)), min \(share(cosine.min))",
        "similarity drift: mean \(four(drift.mean)), max \(four(drift.max))",
        "neighbours kept: \(share(metrics.neighbourOverlap)), "
          + "nearest kept: \(share(metrics.topOneAgreement))",
        "norm drift: \(four(metrics.normDrift))",
      ]
      if let spearman = metrics.spearman {
        lines.append("spearman: \(Figures.change(spearman.baseline, spearman.candidate))")
      }
    }
    return lines + ["flips: \(flips); measured on \(subjects)"]
  }

  /// `12 inputs in 6 pairs`, and how many of them are distinct where those are fewer.
  private var subjects: String {
    let all = ReferenceSet.Counts(inputs: inputs, pairs: pairs)
    guard let distinct, distinct != all else { return all.words }
    return "\(distinct.words) that are distinct, of \(all.words)"
  }

  /// The metrics as `ingot check --json` prints them, numbers as JSON numbers.
  package var json: JSONValue {
    json(rankCorrelation.map { ["rankCorrelation": .double($0)] } ?? [:]) { .double($0) }
  }

  /// The metrics with every decimal written by `number`.
  ///
  /// - Parameter further: what is there besides.
  func json(
    _ further: [String: JSONValue] = [:], _ number: (Double) -> JSONValue
  ) -> JSONValue {
    func spread(_ spread: Spread) -> JSONValue {
      ["mean": number(spread.mean), "max": number(spread.max)]
    }
    var members: [String: JSONValue] = [
      "flips": .integer(flips), "inputs": .integer(inputs), "pairs": .integer(pairs),
    ]
    for (key, value) in further { members[key] = value }
    if let distinct {
      members["distinct"] = [
        "inputs": .integer(distinct.inputs), "pairs": .integer(distinct.pairs),
      ]
    }
    switch drift {
    case .outputs(let drift): members["outputDrift"] = spread(drift)
    case .embeddings(let metrics):
      members["cosine"] = [
        "mean": number(metrics.cosine.mean), "p1": number(metrics.cosine.p1),
        "min": number(metrics.cosine.min),
      ]
      members["similarityDrift"] = spread(metrics.similarityDrift)
      members["neighbourOverlap"] = number(metrics.neighbourOverlap)
      members["topOneAgreement"] = number(metrics.topOneAgreement)
      members["normDrift"] = number(metrics.normDrift)
      if let spearman = metrics.spearman {
        members["spearman"] = [
          "baseline": number(spearman.baseline), "candidate": number(spearman.candidate),
        ]
      }
    }
    return .object(members)
  }
}

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
