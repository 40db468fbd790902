import Graph
import Inputs
import StrictJSON
import Weights

/// Looks for rows of one weight that are worse than compression explains beside the other rows.
///
/// Outputs tell of the rows that inputs reach. A row of a table that no reference reaches can be
/// anything, and only its numbers say so.
struct RowAudit {
  /// Rows that were held to a bound; 0 where the weight has too few to tell a typical one.
  let compared: Int
  /// Rows that moved too far, ascending.
  let faults: [RowDistance]
  /// Rows that moved farther than others and may, ascending: some share a scale or a palette with a
  /// row of far larger numbers.
  let unusual: [RowDistance]
  /// Median error of the rows, relative to their lengths.
  let typical: Double

  /// - Parameters:
  ///   - rows: how far they moved from `old` to `new`, both laid out as `layout` says.
  ///   - typical: the error of a typical row, relative to its length; nil if none can be told.
  ///   - reached: whether the references reach a row, one for each; nil if they reach all.
  ///   - excusesUnreached: whether reached rows that moved far explain that others did.
  ///   - hasTypical: whether there are rows enough to tell what one that shares a scale with them may lose.
  init(
    _ rows: RowErrors, old: [Float], new: [Float], _ layout: RunLayout, _ rule: RowRule,
    typical: Double?, reached: [Bool]? = nil, excusesUnreached: Bool = true, hasTypical: Bool = true
  ) {
    self.typical = typical ?? 0
    guard typical != nil || !rule.needsTypical else {
      (compared, faults, unusual) = (0, [], [])
      return
    }
    compared = rows.errors.count
    let bounds = RowBounds(rows, rule, typical: self.typical)
    let far = RowAudit.far(rows, old: old, new: new, layout, rule, bounds)
    if RowAudit.isKept(rows) || RowAudit.areMany(far, reached, excusesUnreached) {
      (faults, unusual) = (far, [])
    } else {
      let shared = SharedLoss(rows, far: far)
      let asksForShare = hasTypical && rule.asksForShare(ofRows: layout.groupCount)
      func mayBe(_ row: RowDistance) -> Bool {
        rule.mayBe(error: row.error) && (!asksForShare || shared.explains(row.row))
      }
      faults = far.filter { !mayBe($0) }
      unusual = far.filter(mayBe)
    }
  }

  /// Rows that moved farther than the others of the weight, and were not rounded to what all share.
  private static func far(
    _ rows: RowErrors, old: [Float], new: [Float], _ layout: RunLayout, _ rule: RowRule,
    _ bounds: RowBounds
  ) -> [RowDistance] {
    let unexplained = rows.errors.indices.filter {
      !bounds.explain($0) && !rule.isRounded(old[$0], to: new[$0])
    }
    guard !unexplained.isEmpty else { return [] }
    // A scale that holds one large number is coarse for all others of its row.
    let crests = layout.crests(of: old, rows.lengths)
    let typicalCrest = Statistics.median(crests.filter { $0 > 0 }) ?? 1
    let levels = rule.needsTypical ? SharedLevels(of: new) : nil
    let pruned = rule.needsTypical ? PrunedNumbers(old: old, new: new) : nil
    return unexplained.compactMap { row in
      let crest = max(1, crests[row] / typicalCrest)
      guard !bounds.explain(row, crest: crest) else { return nil }
      if let levels, levels.explain(layout.elements(of: row, in: old), error: rows.errors[row]) {
        return nil
      }
      // A row is lost if next to nothing of it is left, whatever else was pruned.
      let isLeft = rows.errors[row] < RowRule.lost * rows.lengths[row]
      if isLeft, pruned?.explain(row, layout) == true { return nil }
      return RowDistance(row: row, error: bounds.error(row), bound: bounds.bound(crest: crest))
    }
  }

  /// Whether nearly all rows are as they were, or rounded to 16 bits: nothing was compressed then.
  private static func isKept(_ rows: RowErrors) -> Bool {
    let used = rows.lengths.indices.filter { rows.lengths[$0] > 0 }
    let kept = used.count { rows.errors[$0] <= RowRule.storage * rows.lengths[$0] }
    return Double(kept) >= (1 - share) * Double(used.count)
  }

  /// Share of the rows that no reference reaches which may move far where none that is reached does.
  private static let share = 0.05

  /// Whether far more rows that no reference reaches moved far than of those that references reach:
  /// a scheme knows of no references.
  private static func areMany(
    _ far: [RowDistance], _ reached: [Bool]?, _ excusesUnreached: Bool
  ) -> Bool {
    guard let reached else { return false }
    let all = Double(reached.count), seen = Double(reached.count { $0 })
    guard seen > 0, seen < all else { return false }
    let farSeen = Double(far.count { reached[$0.row] })
    let excuse = excusesUnreached ? 2 * farSeen / seen : 0
    return (Double(far.count) - farSeen) / (all - seen) > share + excuse
  }

  /// The rows that moved too far, of a weight of this name; nil if none did.
  func refused(_ weight: TensorName, _ line: RowFinding.Line = .row) -> RowFinding? {
    finding(faults, weight, line)
  }

  /// The rows that moved farther than others and may; nil if none did.
  func tolerated(_ weight: TensorName) -> RowFinding? { finding(unusual, weight, .row) }

  private func finding(
    _ rows: [RowDistance], _ weight: TensorName, _ line: RowFinding.Line
  ) -> RowFinding? {
    rows.first.map {
      RowFinding(
        weight: weight, line: line, count: rows.count, compared: compared, first: $0,
        typical: typical)
    }
  }
}
