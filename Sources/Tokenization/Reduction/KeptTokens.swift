/// The tokens of a vocabulary that stay in a smaller one. They keep their order: a token's new id is
/// the number of kept tokens before it.
package struct KeptTokens: Hashable, Sendable {
  /// The old ids, ascending, by the new ones.
  package let ids: [Int32]
  /// Rows of the table before.
  package let rowsBefore: Int

  /// Tokens that were dropped.
  package var dropped: Int { rowsBefore - ids.count }

  /// - Returns: nil unless the ids ascend and lie in the table.
  package init?(ids: [Int32], rowsBefore: Int) {
    guard let first = ids.first, let last = ids.last, first >= 0, Int(last) < rowsBefore,
      zip(ids, ids.dropFirst()).allSatisfy({ $0 < $1 })
    else { return nil }
    self.ids = ids
    self.rowsBefore = rowsBefore
  }

  /// The id of a kept token in the smaller vocabulary; nil for one that was dropped.
  package func newID(of old: Int32) -> Int32? {
    var low = 0, high = ids.count
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] < old { low = middle + 1 } else { high = middle }
    }
    return low < ids.count && ids[low] == old ? Int32(low) : nil
  }
}
