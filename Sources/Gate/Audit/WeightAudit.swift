import Files
import Graph
import Inputs
import StrictJSON
import Trees
import Weights

/// How one weight of the candidate differs from the baseline's.
struct WeightDifference: Equatable, Sendable {
  /// The baseline's name.
  let name: TensorName
  /// ‖w − ŵ‖ ÷ ‖w‖; infinite where w is all zero and ŵ is not.
  let relativeError: Double
}

/// Looks at the weights of both models before anything runs.
struct WeightAudit {
  /// Why the candidate must not even be run; empty when it may.
  let faults: [WeightFault]
  /// One for each weight the graph uses, in order of first use.
  let differences: [WeightDifference]
  /// Rows that are worse than compression explains, one for each weight; empty when none is.
  let rowFaults: [RowFinding]
  /// Rows that moved farther than most and may, one for each weight.
  let rowWarnings: [RowFinding]
  /// Tables whose typical row moved far.
  let farTables: [FarTable]
  /// Lines that no reference reaches and that pass because others moved far.
  let excusedLines: [ExcusedLines]
  /// Rows that were held to a bound.
  let comparedRows: Int
  /// Thresholds of trees that are coarser and may be.
  let coarseMoves: [CoarseMoves]

  /// Compares every weight the graphs use.
  ///
  /// - Parameters:
  ///   - matching: which weights belong together; all are looked at alone where names do not say.
  ///   - reached: which rows of tables the references reach; nil if they reach all.
  ///   - rows: the references of a model of features.
  ///   - lines: which lines of weights they reach.
  ///   - progress: told how many weights were compared, of how many.
  /// - Throws: the weight source's own error when a weight cannot be read; `FileError.noMemory` where
  ///   two weights cannot be held together.
  init(
    baseline: Model, candidate: Model, _ matching: WeightMatching, reached: ReachedRows? = nil,
    rows references: [[Double]] = [], lines: ReachedLines? = nil,
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws {
    var faults = matching.faults
    if matching.areUnrelated {
      faults +=
        try WeightAudit.faults(of: baseline, side: .baseline)
        + WeightAudit.faults(of: candidate, side: .candidate)
    }
    var zeros: [TensorName] = []
    var differences: [WeightDifference] = []
    var rows = RowFindings(
      looksAtColumns: baseline.kind == .values, looksAtFew: matching.layers?.isLinear == true,
      isCalibrated: candidate.calibration != nil, reached: reached, lines: lines)
    let trees = try PlacedTrees.all(of: baseline.architecture)
    let arrays = Set(trees.flatMap { trees in TreeArrays.allCases.map { trees.tensorName($0) } })
    var coarseMoves: [CoarseMoves] = []
    let matched = MatchedWeights(matching, baseline: baseline, candidate: candidate)
    for (place, pair) in matching.pairs.enumerated() {
      defer { progress(place + 1, matching.pairs.count) }
      let reference = pair.ours
      try Memory.require(
        8 * reference.elementCount + RowErrors.byteCount(of: RunLayout(rowsOf: reference)),
        for: "comparing weight \(quoted(reference.name))", of: candidate.origin)
      let whole = try baseline.weights.floats(of: reference.name)
      let new =
        try matching.trees.isEmpty && matching.layers == nil
        ? matched.floats(of: pair) : matched.floats(of: pair.ours.name)
      let found =
        WeightAudit.fault(whole, of: .baseline, reference)
        + WeightAudit.fault(new, of: .candidate, pair.theirs)
      if !matching.areUnrelated { faults += found }
      guard found.isEmpty else { continue }
      let old = new.count < whole.count ? Array(whole.prefix(new.count)) : whole
      if WeightAudit.isZero(new) && !WeightAudit.isZero(old) { zeros.append(reference.name) }
      var audit: ThresholdAudit?
      var judged = new
      if let own = trees.first(where: { $0.tensorName(.thresholds) == reference.name }), old != new
      {
        let thresholds = try ThresholdAudit(own, of: baseline, candidate, rows: references)
        let remaining = thresholds.remaining(old: old, new: new)
        judged = remaining.numbers
        coarseMoves += remaining.moves.map { [$0] } ?? []
        audit = thresholds
      }
      let error = try rows.take(
        pair, old: old, new: judged,
        isExact: arrays.contains(reference.name) || baseline.architecture is TableModel,
        thresholds: audit)
      differences.append(
        WeightDifference(
          name: reference.name,
          relativeError: judged == new ? error : WeightAudit.relativeError(of: new, from: old)))
    }
    if !zeros.isEmpty { faults.append(.zero(zeros)) }
    self.faults = faults
    self.differences = differences
    (rowFaults, rowWarnings) = (rows.faults, rows.warnings)
    (farTables, excusedLines) = (rows.farTables, rows.excusedLines)
    comparedRows = rows.compared
    self.coarseMoves = coarseMoves
  }

  /// Faults of the weights of one model, compared with no other.
  static func faults(of model: Model, side: JudgedSide) throws -> [WeightFault] {
    try model.usedWeights().flatMap {
      fault(try model.weights.floats(of: $0.name), of: side, $0)
    }
  }

  // Names the tensor, how many values are not finite, and the first of them.
  private static func fault(
    _ values: [Float], of side: JudgedSide, _ reference: WeightReference
  ) -> [WeightFault] {
    guard values.count == reference.elementCount else {
      return [
        .count(
          reference.name, side, values: values.count, shape: reference.shape,
          needed: reference.elementCount)
      ]
    }
    var bad = 0
    var first = 0
    for index in values.indices where !values[index].isFinite {
      if bad == 0 { first = index }
      bad += 1
    }
    guard bad > 0 else { return [] }
    return [
      .notFinite(
        reference.name, side, count: bad, first: values[first],
        place: place(first, in: reference.shape))
    ]
  }

  // The index along each axis: [3, 17].
  private static func place(_ offset: Int, in shape: [Int]) -> [Int] {
    var rest = offset
    var place: [Int] = []
    for length in shape.reversed() {
      place.append(rest % length)
      rest /= length
    }
    return place.reversed()
  }

  private static func isZero(_ values: [Float]) -> Bool { values.allSatisfy { $0 == 0 } }

  /// ‖old − new‖ ÷ ‖old‖ in Double.
  static func relativeError(of new: [Float], from old: [Float]) -> Double {
    var error = 0.0, size = 0.0
    for index in old.indices {
      let value = Double(old[index]), difference = value - Double(new[index])
      error += difference * difference
      size += value * value
    }
    return error == 0 ? 0 : (error / size).squareRoot()
  }
}
