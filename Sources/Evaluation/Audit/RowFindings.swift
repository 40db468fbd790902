import Graph

/// What the rows of all weights of a model say.
struct RowFindings {
  private let isCalibrated: Bool
  /// Which rows of tables the references reach; nil where they reach all.
  private let reached: ReachedRows?
  /// Whether columns of matrices are looked at, too: what one feature is multiplied with. References
  /// may hold one value of a feature alone, and then no output tells of its column.
  private let looksAtColumns: Bool
  /// One sentence for each weight with rows that moved too far.
  private(set) var faults: [String] = []
  /// Rows that were held to a bound.
  private(set) var compared = 0

  /// Columns, and numbers of each, from which a typical column can be told.
  private static let fewestColumns = 3

  /// - Parameters:
  ///   - baseline: what the weights are compared with.
  ///   - isCalibrated: whether the candidate says that it was.
  ///   - reached: which rows of tables the references reach; nil where they reach all.
  init(baseline: Model, isCalibrated: Bool, reached: ReachedRows?) {
    (self.isCalibrated, self.reached) = (isCalibrated, reached)
    if case .features = baseline.architecture.input {
      looksAtColumns = true
    } else {
      looksAtColumns = false
    }
  }

  /// Looks at the rows of one weight that both models have.
  ///
  /// - Parameter old: the baseline's values, as many as the candidate has.
  /// - Returns: the relative error of the whole weight.
  mutating func take(_ pair: Counterparts.Pair, old: [Float], new: [Float]) -> Double {
    let reference = WeightReference(pair.ours.name, pair.theirs.shape, role: pair.ours.role)
    let layout = RowLayout(reference)
    let rows = RowErrors(old: old, new: new, layout)
    let rule = RowRule(reference.role, isCalibrated: isCalibrated)
    let typical = TypicalError.value(
      rows, old: old, new: new, layout, reached: reached?.rows(of: reference),
      fewest: RowRule.fewestRows)
    let audit = RowAudit(rows, old: old, new: new, layout, rule, typical: typical)
    compared += audit.compared
    if let sentence = audit.sentence(reference.name) {
      faults.append(sentence)
    } else if looksAtColumns {
      takeColumns(reference, old: old, new: new, rule)
    }
    return rows.whole
  }

  private mutating func takeColumns(
    _ reference: WeightReference, old: [Float], new: [Float], _ rule: RowRule
  ) {
    guard let layout = RowLayout(columnsOf: reference), layout.rows >= RowFindings.fewestColumns,
      layout.length >= RowRule.fewestRows
    else { return }
    let columns = RowErrors(old: old, new: new, layout)
    let typical = TypicalError.value(
      columns, old: old, new: new, layout, reached: nil, fewest: RowFindings.fewestColumns)
    let audit = RowAudit(columns, old: old, new: new, layout, rule, typical: typical)
    if let sentence = audit.sentence(reference.name, "column") { faults.append(sentence) }
  }
}
