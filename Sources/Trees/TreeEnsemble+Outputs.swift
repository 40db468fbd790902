#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension TreeEnsemble {
  /// The outputs of one row, one node after another: what faster ways of running are compared with.
  ///
  /// - Parameter row: as many numbers as there are features; NaN where one is missing.
  package func outputs(of row: [Double]) -> [Double] { transform.apply(to: sums(of: row)) }

  /// The sums of a row, before the transform.
  package func sums(of row: [Double]) -> [Double] {
    let sums = undividedSums(of: row)
    return divisor == 1 ? sums : sums.map { $0 / divisor }
  }

  /// The sums of a row, before they are divided.
  package func undividedSums(of row: [Double]) -> [Double] {
    precondition(row.count == featureCount, "a number for each feature")
    let row = precision.roundsFeatures ? row.map { Double(Float($0)) } : row
    var sums = base
    for tree in 0..<treeCount {
      let leaf = leaf(of: row, tree)
      for place in 0..<leafWidth {
        let output = Int(outputs[tree]) + place
        let value = leaves[leaf * leafWidth + place]
        sums[output] =
          precision.addsFloats
          ? Double(Float(sums[output]) + Float(value)) : sums[output] + value
      }
    }
    return sums
  }

  /// The leaf that a row reaches in a tree.
  package func leaf(of row: [Double], _ tree: Int) -> Int {
    var node = roots[tree]
    while node >= 0 {
      let branch = Int(node)
      node = goesLeft(row[Int(features[branch])], branch) ? left[branch] : right[branch]
    }
    return -1 - Int(node)
  }

  /// Whether a row goes left at a branch.
  ///
  /// - Parameter row: as many numbers as there are features, rounded where the ensemble rounds them.
  package func goesLeft(_ row: [Double], at branch: Int) -> Bool {
    goesLeft(row[Int(features[branch])], branch)
  }

  /// What is taken for 0, as LightGBM does: the number of 32 bits next to 1e-35.
  private static let zero = Double(1e-35 as Float)

  private func goesLeft(_ value: Double, _ branch: Int) -> Bool {
    let (rule, threshold) = (rules[branch], thresholds[branch])
    var value = value
    if rule.contains(.readsMissingAsZero) {
      if value.isNaN { value = 0 }
    } else if value.isNaN || (rule.contains(.zeroIsMissing) && abs(value) <= Self.zero) {
      return rule.contains(.missingGoesLeft)
    }
    if rule.contains(.isCategory) {
      guard value > -1, value < 1e9 else { return false }
      if rule.contains(.negativeIsNoCategory), value < 0 { return false }
      if rule.contains(.isWhole), value != value.rounded(.towardZero) { return false }
      return categories[Int(threshold)].contains(Int(value))
    }
    if rule.contains(.isEqual) { return value == threshold }
    return rule.contains(.isStrict) ? value < threshold : value <= threshold
  }
}

extension TreeEnsemble.Transform {
  /// Applied to the sums of a row.
  package func apply(to sums: [Double]) -> [Double] {
    switch self {
    case .identity: sums
    case .sigmoid: sums.map(Self.sigmoid)
    case .softmax: Self.softmax(sums)
    case .exponential: sums.map { exp($0) }
    case .oneVersusRest: Self.shares(sums.map(Self.sigmoid))
    case .share: Self.shares(sums)
    case .isolation: sums.map { -exp2(-$0) }
    }
  }

  private static func softmax(_ sums: [Double]) -> [Double] {
    let largest = sums.max() ?? 0
    return shares(sums.map { exp($0 - largest) })
  }

  private static func sigmoid(_ value: Double) -> Double { 1 / (1 + exp(-value)) }

  private static func shares(_ values: [Double]) -> [Double] {
    let sum = values.reduce(0, +)
    return values.map { $0 / sum }
  }
}
