import Graph
import Inputs

/// Measures scores, probabilities and numbers: one row per distinct input, before and after.
struct SampleDrift {
  let spread: DriftMetrics.Spread
  /// Largest change of each distinct input's outputs.
  let changes: [Double]
  /// Rank correlation of an output before and after, the least of all; nil where none can be ranked.
  let rankCorrelation: Double?

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
    func column(_ place: Int, of matrix: OutputMatrix) -> [Double] {
      (0..<matrix.rowCount).map { Double(matrix.values[$0 * matrix.width + place]) }
    }
    rankCorrelation = (0..<baseline.width).compactMap {
      Statistics.spearman(column($0, of: baseline), column($0, of: candidate))
    }.min()
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

/// The unit of changes of outputs.
enum DriftUnit {
  /// As they are: probabilities of any model are between 0 and 1.
  case absolute
  /// The range of the baseline's outputs in the same column: plain numbers mean what they mean, each
  /// column for itself.
  case ownRange
  /// The widest range of all columns: scores of one input are compared with each other, so all have
  /// one unit; a column that hardly changes does not make its drift look large.
  case widestRange

  /// - Parameter meaning: the meaning of the outputs; nil if it is unknown.
  init(_ meaning: ModelOutput?) {
    switch meaning {
    case .classes(_, _, .probabilities), .tokenClasses: self = .absolute
    case .classes(_, _, .scores): self = .widestRange
    case .embedding, .numbers, nil: self = .ownRange
    }
  }

  /// The unit of each column; 0 where the baseline's outputs are all the same.
  func sizes(of baseline: OutputMatrix) -> [Double] {
    if case .absolute = self { return [Double](repeating: 1, count: baseline.width) }
    let ranges = (0..<baseline.width).map { DriftUnit.range(baseline, column: $0) }
    guard case .widestRange = self else { return ranges }
    return [Double](repeating: Statistics.max(ranges), count: baseline.width)
  }

  /// A change in units: of outputs without a range, relative to their own size.
  static func measure(_ change: Double, unit: Double, size: Double) -> Double {
    change / (unit > 0 ? unit : max(size.magnitude, 1e-12))
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
