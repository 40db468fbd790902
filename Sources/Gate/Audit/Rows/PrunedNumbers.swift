import Graph

/// Numbers of a weight that became zero because they are the smallest of it, while all others stayed.
///
/// A row of few large numbers loses little then, one of small numbers much, and no typical row tells which. But a
/// number that is kept is at least as large as each that is pruned: that can be seen of each.
struct PrunedNumbers {
  /// 1 for each number that was kept or pruned, 0 for any other.
  private let explained: [Float]

  /// - Returns: nil where nothing became zero, or everything.
  init?(old: [Float], new: [Float]) {
    var least = Float.infinity
    var isPruned = false
    for (value, other) in zip(old, new) where value != 0 {
      if other == 0 { isPruned = true } else { least = min(least, value.magnitude) }
    }
    guard isPruned, least.isFinite else { return nil }
    explained = zip(old, new).map { value, other in
      let isKept = (other - value).magnitude <= Float(RowRule.storage) * value.magnitude
      return isKept || other == 0 && value.magnitude <= least ? 1 : 0
    }
  }

  /// Whether each number of a row was kept or pruned.
  func explain(_ row: Int, _ layout: RunLayout) -> Bool {
    layout.elements(of: row, in: explained).allSatisfy { $0 == 1 }
  }
}
