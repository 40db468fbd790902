/// Thresholds as files keep them: in numbers of 32 bits, all of them finite.
extension TreeEnsemble {
  /// The largest number that a row may hold.
  private static let largest = Double(Float.greatestFiniteMagnitude)

  /// The numbers of `TreeArrays.thresholds`.
  var storedThresholds: [Double] {
    guard branchCount > 0 else { return precision.roundsFeatures ? [0] : [0, 0, 0] }
    let all = (0..<branchCount).map { finite($0).threshold }
    if precision.roundsFeatures { return all }
    let first = all.map { Double(Float($0)) }
    let second = zip(all, first).map { Double(Float($0 - $1)) }
    let third = zip(zip(all, first), second).map { Double(Float($0.0 - $0.1 - $1)) }
    return first + second + third
  }

  /// The thresholds of stored ones.
  ///
  /// - Parameter isWhole: whether each is one number, and not the sum of three.
  static func thresholds(_ stored: [Double], isWhole: Bool) -> [Double] {
    if isWhole { return stored }
    let count = stored.count / 3
    return (0..<count).map { stored[$0] + stored[count + $0] + stored[2 * count + $0] }
  }

  /// Refuses thresholds so near to 0 that three numbers of 32 bits do not add up to them.
  package func requireStorable(_ path: String) throws(TreeError) {
    let stored = TreeEnsemble.thresholds(storedThresholds, isWhole: precision.roundsFeatures)
    for branch in 0..<branchCount where stored[branch] != finite(branch).threshold {
      throw TreeError(
        path: path,
        fault:
          "compares feature \(features[branch]) with \(thresholds[branch]), which is too near to 0 to be "
          + "kept; scale the feature, and train again")
    }
  }

  /// A branch whose threshold rows can have, with the same decision for every row: none holds a number
  /// beyond those of 32 bits.
  func finite(_ branch: Int) -> (threshold: Double, rule: Rule) {
    let (threshold, rule) = (thresholds[branch], rules[branch])
    guard !rule.contains(.isCategory), abs(threshold) > Self.largest else {
      return (threshold, rule)
    }
    // No row is equal to it, and none lies below the least number.
    if rule.contains(.isEqual) {
      return (-Self.largest, rule.subtracting(.isEqual).union(.isStrict))
    }
    // All rows lie at or below the largest number, and none below its negative.
    return threshold > 0
      ? (Self.largest, rule.subtracting(.isStrict)) : (-Self.largest, rule.union(.isStrict))
  }
}
