import Graph
import Weights

/// Findings about the rows of all weights of a model.
struct RowFindings {
  private let isCalibrated: Bool
  /// Which rows of tables the references reach; nil if they reach all.
  private let reached: ReachedRows?
  /// Which lines of a model of features; nil where that is not known.
  private var reachedLines: ReachedLines?
  /// Whether columns of matrices are looked at, too: what one feature is multiplied with. References
  /// may hold only one value of a feature, and then no output tells of its column.
  private let looksAtColumns: Bool
  /// Whether columns are looked at however few they are.
  private let looksAtFew: Bool
  /// One for each weight with rows that moved too far.
  private(set) var faults: [RowFinding] = []
  /// One for each table with rows that moved farther than most.
  private(set) var warnings: [RowFinding] = []
  /// Tables whose typical row moved far.
  private(set) var farTables: [FarTable] = []
  /// Lines that no reference reaches and that pass because others moved far.
  private(set) var excusedLines: [ExcusedLines] = []
  /// Rows that were held to a bound.
  private(set) var compared = 0

  /// Columns from which a typical one can be told, where they or their numbers are not few.
  private static let fewestColumns = 3

  /// - Parameters:
  ///   - looksAtColumns: whether the model takes features.
  ///   - looksAtFew: whether it is linear, so that a column is all that a feature does.
  ///   - isCalibrated: whether the candidate says that it was.
  ///   - reached: which rows of tables the references reach; nil if they reach all.
  ///   - lines: which lines of a model of features they reach; nil where that is not known.
  init(
    looksAtColumns: Bool, looksAtFew: Bool = false, isCalibrated: Bool, reached: ReachedRows?,
    lines: ReachedLines? = nil
  ) {
    reachedLines = lines
    (self.looksAtColumns, self.looksAtFew) = (looksAtColumns, looksAtFew)
    (self.isCalibrated, self.reached) = (isCalibrated, reached)
  }

  /// Looks at the rows of one weight that both models have.
  ///
  /// - Parameters:
  ///   - old: the baseline's values, as many as the candidate has.
  ///   - isExact: whether it is an array of trees or of steps, whose numbers say what is compared with what.
  ///   - thresholds: says which thresholds its numbers are; nil of any other array.
  /// - Returns: the relative error of the whole weight.
  /// - Throws: as `ReachedLines.columns(of:)`.
  mutating func take(
    _ pair: WeightMatching.Pair, old: [Float], new: [Float], isExact: Bool = false,
    thresholds: ThresholdAudit? = nil
  ) throws -> Double {
    let reference = WeightReference(pair.ours.name, pair.theirs.shape, role: pair.ours.role)
    let layout = RunLayout(rowsOf: reference)
    let rows = RowErrors(old: old, new: new, layout)
    let rule = RowRule(reference.role, isCalibrated: isCalibrated, isExact: isExact)
    let reached = reached?.rows(of: reference)
    let typical = TypicalError.value(
      rows, old: old, new: new, layout, reached: reached, fewest: RowRule.fewestRows)
    let audit = RowAudit(
      rows, old: old, new: new, layout, rule, typical: typical, reached: reached)
    compared += audit.compared
    if let far = FarTable(reference, rule, typical: typical, reached: reached) {
      farTables.append(far)
    }
    // Of all else outputs tell.
    if rule == .table, let rows = audit.tolerated(reference.name) { warnings.append(rows) }
    if let rows = audit.refused(reference.name) {
      faults.append(thresholds?.finding(rows, audit.faults, new: new) ?? rows)
    } else if looksAtColumns {
      var finding = try finding(inColumnsOf: reference, old: old, new: new, rule)
      // Calibration fits all of a bias anew.
      if finding == nil, rule != .vector(isFitted: true) {
        finding = try unreached(.row, reference, old: old, new: new) { try $0.rows(of: $1) }
      }
      if let finding { faults.append(finding) }
    }
    return rows.whole
  }

  private mutating func finding(
    inColumnsOf reference: WeightReference, old: [Float], new: [Float], _ rule: RowRule
  ) throws -> RowFinding? {
    guard let layout = RunLayout(columnsOf: reference) else { return nil }
    let columns = RowErrors(old: old, new: new, layout)
    if let finding = finding(columns, reference, old: old, new: new, layout, rule) {
      return finding
    }
    return try unreached(.column, reference, old: old, new: new) { try $0.columns(of: $1) }
  }

  /// Lines that no reference reaches and that are worse than those that one does.
  ///
  /// - Parameter find: says which lines of a weight references reach.
  private mutating func unreached(
    _ line: RowFinding.Line, _ reference: WeightReference, old: [Float], new: [Float],
    _ find: (inout ReachedLines, TensorName) throws -> [Bool]?
  ) throws -> RowFinding? {
    guard var lines = reachedLines,
      let weight = UnreachedWeight(reference, line, old: old, new: new)
    else { return nil }
    let unreached = UnreachedLines(weight)
    // Nothing runs where no line could be at fault.
    guard !unreached.isExplained else { return nil }
    defer { reachedLines = lines }
    guard let reached = try find(&lines, reference.name), reached.count == weight.layout.groups
    else { return nil }
    let finding = unreached.refused(reached: reached, isCalibrated: isCalibrated)
    if finding == nil {
      excusedLines +=
        ExcusedLines(unreached, of: weight, reached: reached, isCalibrated: isCalibrated)
        .map { [$0] } ?? []
    }
    return finding
  }

  /// Columns that are worse than the others explain.
  private func finding(
    _ columns: RowErrors, _ reference: WeightReference, old: [Float], new: [Float],
    _ layout: RunLayout, _ rule: RowRule
  ) -> RowFinding? {
    let areMany =
      layout.groups >= RowFindings.fewestColumns
      && max(layout.groups, layout.groupCount) >= RowRule.fewestRows
    guard areMany || looksAtFew else { return nil }
    let typical = TypicalError.value(
      columns, old: old, new: new, layout, reached: nil, fewest: RowFindings.fewestColumns)
    // Of fewer columns each is held to what compression does to none: it may lose most of itself, no more.
    return RowAudit(
      columns, old: old, new: new, layout, rule, typical: typical ?? (looksAtFew ? 0 : nil),
      hasTypical: typical != nil
    ).refused(reference.name, .column)
  }
}
