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
  ///   - rows: how far they moved from `old` to `new`, both laid out as `layout` says.
  ///   - typical: the error of a typical row, relative to its length; nil where none can be told.
  init(
    _ rows: RowErrors, old: [Float], new: [Float], _ layout: RowLayout, _ rule: RowRule,
    typical: Double?
  ) {
    self.typical = typical ?? 0
    guard typical != nil || !rule.needsTypical else {
      (compared, faults) = (0, [])
      return
    }
    compared = rows.errors.count
    let bounds = RowBounds(rows, rule, typical: self.typical, length: layout.length)
    let suspects = rows.errors.indices.filter { !bounds.explain($0) }
    guard !suspects.isEmpty else {
      faults = []
      return
    }
    // A scale that holds one large number is coarse for all others of its row.
    let crests = layout.crests(of: old, rows.lengths)
    let typicalCrest = Statistics.median(crests.filter { $0 > 0 }) ?? 1
    let levels = rule.needsTypical ? SharedLevels(of: new) : nil
    faults = suspects.compactMap { row in
      let crest = max(1, crests[row] / typicalCrest)
      guard !bounds.explain(row, crest: crest) else { return nil }
      if let levels, levels.explain(layout.values(row, of: old), error: rows.errors[row]) {
        return nil
      }
      return Fault(row: row, error: bounds.error(row), bound: bounds.bound(crest: crest))
    }
  }

  /// The faults as a sentence; nil where there are none.
  ///
  /// - Parameter line: `row`, or `column`.
  func sentence(_ name: String, _ line: String = "row") -> String? {
    guard let first = faults.first else { return nil }
    func figure(_ value: Double) -> String { Figures.text(value, decimals: 4) }
    let rows =
      faults.count == 1
      ? "\(line) \(first.row) of the candidate's weight '\(name)' is"
      : "\(faults.count) of \(compared) \(line)s of the candidate's weight '\(name)' are"
    return "\(rows) worse than its compression explains"
      + (faults.count == 1 ? "" : ", the first \(line) \(first.row)")
      + ": relative error \(figure(first.error)), where \(figure(first.bound)) is the bound and "
      + "\(figure(typical)) typical"
  }
}
