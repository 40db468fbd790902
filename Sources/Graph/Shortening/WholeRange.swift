/// Whole numbers that all of a value's numbers lie between, both included; at every place, padding
/// included.
struct WholeRange: Equatable {
  let lowest: Int
  let highest: Int

  /// - Returns: nil for numbers that integers of 32 bits do not hold: they would wrap around.
  init?(_ lowest: Int, _ highest: Int) {
    guard lowest <= highest, lowest >= Int(Int32.min), highest <= Int(Int32.max) else { return nil }
    (self.lowest, self.highest) = (lowest, highest)
  }

  /// Around some numbers.
  init?(around numbers: [Int]) {
    guard let lowest = numbers.min(), let highest = numbers.max() else { return nil }
    self.init(lowest, highest)
  }

  /// Around all numbers of two values.
  func union(_ other: WholeRange) -> WholeRange? {
    WholeRange(min(lowest, other.lowest), max(highest, other.highest))
  }

  /// Of what an operation makes of two integers.
  func combined(with other: WholeRange, _ kind: ElementwiseBinary.Kind) -> WholeRange? {
    switch kind {
    case .add: WholeRange(lowest + other.lowest, highest + other.highest)
    case .sub: WholeRange(lowest - other.highest, highest - other.lowest)
    case .maximum: WholeRange(max(lowest, other.lowest), max(highest, other.highest))
    case .mul:
      WholeRange(
        around: [lowest, highest].flatMap { [$0 * other.lowest, $0 * other.highest] })
    case .realDivision: nil
    }
  }

  /// Of sums of one to so many integers.
  func summed(_ count: Int) -> WholeRange? {
    let (low, isTooLow) = lowest.multipliedReportingOverflow(by: count)
    let (high, isTooHigh) = highest.multipliedReportingOverflow(by: count)
    return isTooLow || isTooHigh ? nil : WholeRange(min(lowest, low), max(highest, high))
  }

  /// Whether a comparison with numbers of another range holds; nil if it depends on the numbers.
  func holds(_ kind: Comparison.Kind, _ other: WholeRange) -> Bool? {
    let isBelow = highest < other.lowest, isNeverBelow = lowest >= other.highest
    switch kind {
    case .less: return isBelow ? true : isNeverBelow ? false : nil
    case .greaterOrEqual: return isNeverBelow ? true : isBelow ? false : nil
    case .equal: return isBelow || other.highest < lowest ? false : nil
    }
  }
}

extension ModelGraph {
  /// Rows of the tables that an input of integers, or integers made of it, are looked up in.
  package func rowsOfTables(of input: String) -> [Int] {
    var derived: Set<String> = [input]
    var rows: [Int] = []
    for node in nodes {
      if let gather = node.operation as? Gather, case .weight(let table) = gather.x,
        case .value(let name) = gather.indices, derived.contains(name)
      {
        rows.append(table.shape[0])
      }
      let isDerived = node.operation.operands.contains { _, operand in
        if case .value(let name) = operand { derived.contains(name) } else { false }
      }
      if isDerived && node.type.scalar == .int32 { derived.insert(node.name) }
    }
    return rows
  }
}
