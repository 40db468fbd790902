extension TreeEnsemble {
  /// The same trees with thresholds of 32 bits, each next to what it was, and no other decision of any branch
  /// for any of some rows. None moves by more than a millionth of the range of its feature in the rows: numbers
  /// of 32 bits are too coarse for a feature that is large beside its range, such as a time in seconds.
  ///
  /// - Parameter rows: as many numbers each as there are features; NaN where one is missing.
  /// - Returns: nil where a threshold has no such number, and where features are compared in 32 bits anyway.
  package func roundingThresholds(rows: [[Double]]) -> TreeEnsemble? {
    guard !precision.roundsFeatures, !rows.isEmpty,
      rows.allSatisfy({ $0.count == featureCount })
    else { return nil }
    let references = ReferenceDecisions(self, rows: rows)
    var result = self
    for branch in 0..<branchCount where !rules[branch].contains(.isCategory) {
      guard let rounded = references.rounded(branch, moving: 1e-6) else { return nil }
      result.thresholds[branch] = rounded
    }
    return result
  }
}
