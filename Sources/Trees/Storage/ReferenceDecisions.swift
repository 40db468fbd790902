/// What branches decide on the numbers of some rows, each branch looked at for itself: a row counts at every
/// branch of a feature, whether it comes there or not.
package struct ReferenceDecisions {
  private let ensemble: TreeEnsemble
  /// Of each feature its numbers, ascending.
  private let values: [[Double]]
  /// The same of branches that read a missing value as 0.
  private let filled: [[Double]]
  /// Of each feature its largest number less its least; without rows those of its thresholds.
  private let ranges: [Double]

  /// - Parameter rows: as many numbers each as there are features, NaN where one is missing; others do not count.
  package init(_ ensemble: TreeEnsemble, rows: [[Double]]) {
    self.ensemble = ensemble
    let rows = rows.filter { $0.count == ensemble.featureCount }
    let columns = (0..<ensemble.featureCount).map { feature in
      rows.map { row in
        ensemble.precision.roundsFeatures ? Double(Float(row[feature])) : row[feature]
      }
    }
    values = columns.map { $0.filter { !$0.isNaN }.sorted() }
    filled = columns.map { $0.map { $0.isNaN ? 0 : $0 }.sorted() }
    ranges =
      rows.isEmpty
      ? Self.rangesOfThresholds(ensemble) : values.map { ($0.last ?? 0) - ($0.first ?? 0) }
  }

  private static func rangesOfThresholds(_ ensemble: TreeEnsemble) -> [Double] {
    var ends = [(least: Double, largest: Double)?](repeating: nil, count: ensemble.featureCount)
    for branch in 0..<ensemble.branchCount where ensemble.mayBeCoarser(branch) {
      let (feature, threshold) = (Int(ensemble.features[branch]), ensemble.thresholds[branch])
      let known = ends[feature] ?? (threshold, threshold)
      ends[feature] = (min(known.least, threshold), max(known.largest, threshold))
    }
    return ends.map { $0.map { $0.largest - $0.least } ?? 0 }
  }

  private func numbers(of branch: Int) -> [Double] {
    let feature = Int(ensemble.features[branch])
    return ensemble.rules[branch].contains(.readsMissingAsZero) ? filled[feature] : values[feature]
  }

  /// The range of the feature of a branch: its largest number in the rows less its least.
  package func range(of branch: Int) -> Double { ranges[Int(ensemble.features[branch])] }

  /// The places of a branch's sorted numbers for which its rule holds, if it compares with some threshold.
  private func decisions(of branch: Int, _ threshold: Double) -> Range<Int> {
    let rule = ensemble.rules[branch]
    let values = numbers(of: branch)
    let below = Self.first(of: values) { $0 >= threshold }
    if rule.contains(.isStrict), !rule.contains(.isEqual) { return 0..<below }
    let above = Self.first(of: values) { $0 > threshold }
    guard rule.contains(.isEqual) else { return 0..<above }
    return below == above ? 0..<0 : below..<above
  }

  /// Rows that a branch would send another way, if it compared with another threshold.
  package func turned(by threshold: Double, at branch: Int) -> Int {
    let own = decisions(of: branch, ensemble.thresholds[branch])
    let other = decisions(of: branch, threshold)
    let common = own.clamped(to: other)
    return own.count + other.count - 2 * (own.overlaps(other) ? common.count : 0)
  }

  /// Whether a branch may compare with another threshold: no row goes another way, and it has not moved farther
  /// than a share of its feature's range.
  package func allows(_ threshold: Double, at branch: Int, moving share: Double) -> Bool {
    let own = ensemble.thresholds[branch]
    return threshold == own
      || (threshold - own).magnitude <= share * range(of: branch)
        && turned(by: threshold, at: branch) == 0
  }

  /// The largest number of 32 bits at or below a branch's threshold, and the least at or above it.
  package func around(_ branch: Int) -> ClosedRange<Float> {
    let threshold = ensemble.thresholds[branch]
    return Float.atMost(threshold)...Float.atLeast(threshold)
  }

  /// Whether a branch's threshold becomes a number when it is rounded to 32 bits (`roundingThresholds`): what these
  /// rows make of it, or what others may, which is one of the two numbers around it. No row goes another way. A
  /// threshold that 32 bits hold stays.
  package func isRounding(_ threshold: Double, at branch: Int) -> Bool {
    let around = around(branch)
    guard around.lowerBound < around.upperBound else {
      return threshold == Double(around.lowerBound)
    }
    return rounded(branch, moving: 1e-6) == threshold
      || [around.lowerBound, around.upperBound].contains { Double($0) == threshold }
        && turned(by: threshold, at: branch) == 0
  }

  /// The number of 32 bits at a branch's threshold, or next to it, that it may have; nil if it may have none
  /// of them.
  func rounded(_ branch: Int, moving share: Double) -> Double? {
    let near = Float(ensemble.thresholds[branch])
    return [near, near.nextDown, near.nextUp].first {
      $0.isFinite && allows(Double($0), at: branch, moving: share)
    }.map(Double.init)
  }

  /// The numbers of 32 bits that a branch may have for its threshold, which it does not compare for being
  /// equal; nil if there are none.
  func room(of branch: Int, moving share: Double) -> ClosedRange<Float>? {
    let threshold = ensemble.thresholds[branch]
    let isStrict = ensemble.rules[branch].contains(.isStrict)
    let (values, kept) = (numbers(of: branch), decisions(of: branch, threshold).upperBound)
    let reach = share * range(of: branch)
    var (least, largest) = (threshold - reach, threshold + reach)
    if kept > 0 { least = max(least, isStrict ? values[kept - 1].nextUp : values[kept - 1]) }
    if kept < values.count {
      largest = min(largest, isStrict ? values[kept] : values[kept].nextDown)
    }
    let lower = Float.atLeast(least), upper = Float.atMost(largest)
    return lower <= upper && lower.isFinite && upper.isFinite ? lower...upper : nil
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

extension TreeEnsemble {
  /// Whether a branch compares with a number that may be another: no set of categories, none that a value must
  /// equal, and none that means infinity.
  package func mayBeCoarser(_ branch: Int) -> Bool {
    !rules[branch].contains(.isCategory) && !rules[branch].contains(.isEqual)
      && abs(thresholds[branch]) < Double(Float.greatestFiniteMagnitude)
  }
}

extension Float {
  /// The least number of 32 bits that is not below another.
  static func atLeast(_ number: Double) -> Float {
    let near = Float(number)
    return Double(near) < number ? near.nextUp : near
  }

  /// The largest number of 32 bits that is not above another.
  static func atMost(_ number: Double) -> Float {
    let near = Float(number)
    return Double(near) > number ? near.nextDown : near
  }
}
