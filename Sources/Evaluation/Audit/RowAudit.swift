import Graph

/// Looks for rows of one weight that are worse than compression explains beside the other rows.
///
/// Outputs tell of the rows that inputs reach. A row of a table that no reference reaches can be
/// anything, and only its numbers say so.
struct RowAudit {
  /// A row that moved too far.
  struct Fault: Equatable {
    let row: Int
    /// ‖w − ŵ‖, relative to the row's length or a typical row's, whichever is longer.
    let error: Double
    let bound: Double
  }

  /// Rows that were held to a bound; 0 where the weight has too few to tell a typical one.
  let compared: Int
  /// Rows that moved too far, ascending.
  let faults: [Fault]
  /// Median error of the rows, relative to their lengths.
  let typical: Double

  /// - Parameters:
  ///   - rows: how far they moved from `old` to `new`, both in the shape of `reference`.
  ///   - reached: whether the references reach a row, one for each; nil where they reach all. What
  ///     is typical is never taken from the others alone, because nobody judged those.
  init(
    _ rows: RowErrors, old: [Float], new: [Float], _ reference: WeightReference,
    reached: [Bool]?, isCalibrated: Bool
  ) {
    let layout = RowLayout(reference)
    guard let typical = RowAudit.typicalError(rows, reached),
      let typicalLength = RowAudit.median(rows.lengths.filter { $0 > 0 })
    else {
      (compared, faults, self.typical) = (0, [], 0)
      return
    }
    let rule = RowRule(reference.role, isCalibrated: isCalibrated)
    func error(_ row: Int) -> Double { rows.errors[row] / max(rows.lengths[row], typicalLength) }
    let bound = rule.bound(typical: typical)
    let suspects = rows.errors.indices.filter { !(error($0) <= bound) }
    compared = rows.errors.count
    self.typical = typical
    guard !suspects.isEmpty else {
      faults = []
      return
    }
    // A scale that holds one large number is coarse for all others of its row.
    let crests = layout.crests(of: old, rows.lengths)
    let typicalCrest = RowAudit.median(crests.filter { $0 > 0 }) ?? 1
    let levels = SharedLevels(of: new)
    faults = suspects.compactMap { row in
      let bound = rule.bound(typical: typical * max(1, crests[row] / typicalCrest))
      guard !(error(row) <= bound) else { return nil }
      if let levels, levels.explain(layout.values(row, of: old), error: rows.errors[row]) {
        return nil
      }
      return Fault(row: row, error: error(row), bound: bound)
    }
  }

  /// The median error of rows that are not zero: of all, or of those that are reached where theirs
  /// is less. Nil where there are too few rows.
  private static func typicalError(_ rows: RowErrors, _ reached: [Bool]?) -> Double? {
    let used = rows.lengths.indices.filter { rows.lengths[$0] > 0 }
    guard used.count >= RowRule.fewestRows else { return nil }
    func error(_ row: Int) -> Double { rows.errors[row] / rows.lengths[row] }
    guard let all = median(used.map(error)) else { return nil }
    guard let reached, let judged = median(used.filter { reached[$0] }.map(error)) else {
      return all
    }
    return min(all, judged)
  }

  private static func median(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : Statistics.percentile(values, 0.5)
  }

  /// The faults as a sentence; nil where there are none.
  func sentence(_ name: String) -> String? {
    guard let first = faults.first else { return nil }
    func figure(_ value: Double) -> String { Figures.text(value, decimals: 4) }
    let rows =
      faults.count == 1
      ? "row \(first.row) of the candidate's weight '\(name)' is"
      : "\(faults.count) of \(compared) rows of the candidate's weight '\(name)' are"
    return "\(rows) worse than its compression explains"
      + (faults.count == 1 ? "" : ", the first row \(first.row)")
      + ": relative error \(figure(first.error)), where \(figure(first.bound)) is the bound and "
      + "\(figure(typical)) typical"
  }
}

/// What the rows of all weights of a model say.
struct RowFindings {
  let isCalibrated: Bool
  /// Which rows of tables the references reach; nil where they reach all.
  let reached: ReachedRows?
  /// One sentence for each weight with rows that moved too far.
  private(set) var faults: [String] = []
  /// Rows that were held to a bound.
  private(set) var compared = 0

  /// Looks at the rows of one weight that both models have.
  ///
  /// - Parameter old: the baseline's values, as many as the candidate has.
  /// - Returns: the relative error of the whole weight.
  mutating func take(_ pair: Counterparts.Pair, old: [Float], new: [Float]) -> Double {
    let reference = WeightReference(pair.ours.name, pair.theirs.shape, role: pair.ours.role)
    let rows = RowErrors(old: old, new: new, RowLayout(reference))
    let audit = RowAudit(
      rows, old: old, new: new, reference, reached: reached?.rows(of: reference),
      isCalibrated: isCalibrated)
    compared += audit.compared
    if let sentence = audit.sentence(reference.name) { faults.append(sentence) }
    return rows.whole
  }

  init(isCalibrated: Bool, reached: ReachedRows?) {
    (self.isCalibrated, self.reached) = (isCalibrated, reached)
  }
}
