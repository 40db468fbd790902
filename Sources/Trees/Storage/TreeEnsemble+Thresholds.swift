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
    let rests = zip(all, first).map { ($0 - $1) * Self.scale(of: $1) }
    let second = rests.map { Double(Float($0)) }
    return first + second + zip(rests, second).map { Double(Float($0 - $1)) }
  }

  /// The thresholds of stored ones.
  ///
  /// - Parameter rows: how many numbers add up to each.
  package static func thresholds(_ stored: [Double], rows: Int) -> [Double] {
    if rows == 1 { return stored }
    let count = stored.count / rows
    return (0..<count).map { place in
      let rest = (1..<rows).reduce(0) { $0 + stored[$1 * count + place] }
      return stored[place] + rest / scale(of: stored[place])
    }
  }

  /// What the second and third number are multiplied with: those of small ones would be too near to 0.
  private static func scale(of first: Double) -> Double { abs(first) < 1 ? 0x1p100 : 1 }

  /// Whole numbers up to it are numbers of 32 bits.
  static let placeLimit = 1 << 24

  /// Refuses more branches or leaves than numbers of 32 bits count, and thresholds so near to 0 that three
  /// of them do not add up to it.
  package func requireStorable(_ path: String) throws(TreeError) {
    guard max(branchCount, leafCount, treeCount) <= Self.placeLimit else {
      throw TreeError(
        path: path,
        fault:
          "has \(branchCount) branches and \(leafCount) leaves, at most \(Self.placeLimit) are kept"
      )
    }
    let stored = TreeEnsemble.thresholds(storedThresholds, rows: precision.roundsFeatures ? 1 : 3)
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
    let isFloat = !precision.roundsFeatures || Double(Float(threshold)) == threshold
    guard !rule.contains(.isCategory), abs(threshold) > Self.largest || !isFloat else {
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
