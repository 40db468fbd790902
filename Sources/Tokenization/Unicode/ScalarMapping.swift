/// A mapping of scalars to one or more scalars, read from a generated table.
struct ScalarMapping: Sendable {
  /// Full canonical decompositions, without those of Hangul syllables.
  static let canonicalDecomposition = ScalarMapping(DecompositionTable.canonical)
  /// Lower case of single scalars, whatever their neighbours.
  static let lowercase = ScalarMapping(LowercaseTable.lowercase)
  /// Canonical combining classes other than 0; the same for a whole range.
  static let combiningClass = ScalarMapping(CharacterClassTables.combiningClass)

  private struct Entry {
    let first: UInt32
    let last: UInt32
    let step: UInt32
    let targets: Range<Int32>
  }

  /// In ascending order, without overlap.
  private var entries: [Entry] = []
  private var targets: [UInt32] = []

  init(_ table: String) {
    for item in TableReader(table) {
      let start = Int32(targets.count)
      targets += item.targets
      entries.append(
        Entry(
          first: item.first, last: item.last, step: item.step,
          targets: start..<Int32(targets.count)))
    }
  }

  var isEmpty: Bool { entries.isEmpty }

  /// Appends a scalar's mapping; the scalar itself if the table does not name it.
  func append(_ scalar: UInt32, to result: inout [UInt32]) {
    guard let entry = entry(of: scalar), (scalar - entry.first) % entry.step == 0 else {
      result.append(scalar)
      return
    }
    let start = Int(entry.targets.lowerBound)
    if entry.targets.count == 1 {
      result.append(targets[start] + (scalar - entry.first))
    } else {
      result += targets[start..<start + entry.targets.count]
    }
  }

  /// A scalar's mapping, or nil if the table does not name it.
  func exact(_ scalar: UInt32) -> [UInt32]? {
    guard let entry = entry(of: scalar), (scalar - entry.first) % entry.step == 0 else {
      return nil
    }
    var result: [UInt32] = []
    append(scalar, to: &result)
    return result
  }

  /// The value that a range of scalars shares, or nil outside of all ranges.
  func value(of scalar: UInt32) -> UInt32? {
    entry(of: scalar).map { targets[Int($0.targets.lowerBound)] }
  }

  private func entry(of scalar: UInt32) -> Entry? {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].last < scalar { low = middle + 1 } else { high = middle }
    }
    guard low < entries.count, entries[low].first <= scalar else { return nil }
    return entries[low]
  }
}
