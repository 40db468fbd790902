import Inputs

/// Measures scores, probabilities and numbers: one row per distinct input, before and after.
struct SampleDrift {
  let spread: DriftMetrics.Spread
  /// Largest change of each distinct input's outputs.
  let changes: [Double]

  /// - Parameter unit: the unit of changes.
  init(baseline: OutputMatrix, candidate: OutputMatrix, unit: DriftUnit) {
    let units = unit.sizes(of: baseline)
    let all = (0..<baseline.rowCount).map { row in
      zip(zip(baseline[row], candidate[row]), units).map { pair, unit in
        DriftUnit.measure(
          (Double(pair.1) - Double(pair.0)).magnitude, unit: unit, size: Double(pair.0))
      }
    }
    spread = Statistics.spread(all.flatMap { $0 })
    changes = all.map { Statistics.max($0) }
  }
}

/// The decision of a classifier from one row of outputs.
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
