extension TreeEnsemble {
  /// The same trees with thresholds of 32 bits, each next to what it was, and no other decision of any branch
  /// for any of some rows. None moves by more than a millionth of the range of its feature in the rows: numbers
  /// of 32 bits are too coarse for a feature that is large beside its range, such as a time in seconds.
  ///
  /// - Parameter rows: as many numbers each as there are features; NaN where one is missing.
  /// - Returns: nil where a threshold has no such number, and where features are compared in 32 bits anyway.
  package func roundingThresholds(rows: [[Double]]) -> TreeEnsemble? {
    guard !precision.roundsFeatures, rows.allSatisfy({ $0.count == featureCount }) else {
      return nil
    }
    let values = (0..<featureCount).map { feature in
      rows.map { $0[feature] }.filter { !$0.isNaN }.sorted()
    }
    let steps = values.map { 1e-6 * (($0.last ?? 0) - ($0.first ?? 0)) }
    var result = self
    for branch in 0..<branchCount where !rules[branch].contains(.isCategory) {
      let threshold = thresholds[branch]
      let own = Self.decisions(threshold, rules[branch], values[Int(features[branch])])
      let near = Float(threshold)
      let rounded = [near, near.nextDown, near.nextUp].first {
        $0.isFinite && (Double($0) - threshold).magnitude <= steps[Int(features[branch])]
          && Self.decisions(Double($0), rules[branch], values[Int(features[branch])]) == own
      }
      guard let rounded else { return nil }
      result.thresholds[branch] = Double(rounded)
    }
    return result
  }

  /// The places of sorted values that a rule holds for.
  private static func decisions(
    _ threshold: Double, _ rule: Rule, _ values: [Double]
  ) -> Range<Int> {
    let below = first(of: values) { $0 >= threshold }
    if rule.contains(.isStrict), !rule.contains(.isEqual) { return 0..<below }
    let above = first(of: values) { $0 > threshold }
    guard rule.contains(.isEqual) else { return 0..<above }
    return below == above ? 0..<0 : below..<above
  }

  /// The first place of sorted values from which on a condition holds.
  private static func first(of values: [Double], where holds: (Double) -> Bool) -> Int {
    var (low, high) = (0, values.count)
    while low < high {
      let middle = (low + high) / 2
      if holds(values[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
