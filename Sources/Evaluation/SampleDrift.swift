import Graph

/// Measures scores, probabilities and numbers: one row per distinct input, before and after.
struct SampleDrift {
  let spread: DriftMetrics.Spread
  /// Largest change of each distinct input's outputs.
  let changes: [Double]

  /// - Parameters:
  ///   - isRelative: whether changes are taken relative to the range of the baseline's outputs, as
  ///     for plain numbers, or as they are, as for probabilities.
  init(baseline: OutputMatrix, candidate: OutputMatrix, isRelative: Bool) {
    let units =
      isRelative
      ? (0..<baseline.width).map { SampleDrift.range(baseline, column: $0) }
      : [Double](repeating: 1, count: baseline.width)
    let all = (0..<baseline.rowCount).map { row in
      zip(zip(baseline[row], candidate[row]), units).map { pair, unit in
        // Outputs that are all the same have no range; their own size takes its place.
        let unit = unit > 0 ? unit : max(Double(pair.0).magnitude, 1e-12)
        return (Double(pair.1) - Double(pair.0)).magnitude / unit
      }
    }
    spread = Statistics.spread(all.flatMap { $0 })
    changes = all.map { Statistics.max($0) }
  }

  /// Range of the baseline's outputs in one column, over all inputs: largest minus smallest, but
  /// at most four times the distance between the tenth and the ninetieth percentile.
  ///
  /// Without that bound one extreme input would make every drift look small. Evenly or normally
  /// spread outputs stay below it.
  static func range(_ matrix: OutputMatrix, column: Int) -> Double {
    let values = (0..<matrix.rowCount).map { Double(matrix.values[$0 * matrix.width + column]) }
    let whole = Statistics.max(values) - Statistics.min(values)
    let middle =
      Statistics.percentile(values, 0.9) - Statistics.percentile(values, 0.1)
    return middle > 0 ? min(whole, 4 * middle) : whole
  }
}

/// What a classifier decides from one row of outputs.
struct Decision: Equatable {
  let label: Int
  /// How much outputs must change at least for another label: half the distance between the two
  /// largest, or the distance of a single output to its threshold.
  let margin: Double

  /// - Parameter threshold: from which a single output means the second label.
  init(_ outputs: ArraySlice<Float>, threshold: Double) {
    let values = outputs.map { Double($0) }
    if values.count == 1 {
      label = values[0] >= threshold ? 1 : 0
      margin = (values[0] - threshold).magnitude
      return
    }
    let order = values.indices.sorted { (values[$1], $0) < (values[$0], $1) }
    label = order[0]
    margin = (values[order[0]] - values[order[1]]) / 2
  }
}
