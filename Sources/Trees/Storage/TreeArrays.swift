/// The arrays of an ensemble, as files keep them and graphs name them.
///
/// Order and meaning are those of `TreeEnsemble`. An ensemble without branches has one that no tree reaches,
/// so that no array is empty.
package enum TreeArrays: String, CaseIterable, Sendable {
  /// [branches]
  case features, rules, left, right
  /// [branches]; of trees that compare 64 bits [3, branches]: three numbers of 32 bits that add up to one of 64,
  /// or less of them where all others are 0.
  case thresholds
  /// [trees]
  case roots, outputs
  /// [leafWidth, leaves]: the numbers for one output in a row.
  case leaves
  /// [sets + 1]: where the words of each set begin, and where those of the last end.
  case categoryStarts
  /// [words]: sixteen categories each, the first in the lowest bit; at least one.
  case categoryWords

  /// The name of the tensor of a model of trees alone.
  package var tensorName: String { tensorName(of: "trees") }

  /// The name of the tensor of one of several ensembles.
  package func tensorName(of ensemble: String) -> String { "\(ensemble).\(rawValue)" }

  /// The shape that a header asks for.
  package func shape(_ header: TreeHeader) -> [Int] {
    switch self {
    case .features, .rules, .left, .right: [header.branchCount]
    case .thresholds:
      header.precision.roundsFeatures
        ? [header.branchCount]
        : [header.thresholdCount, header.branchCount]
    case .roots, .outputs: [header.treeCount]
    case .leaves: [header.leafWidth, header.leafCount]
    case .categoryStarts: [header.setCount + 1]
    case .categoryWords: [header.wordCount]
    }
  }
}

/// What the arrays of an ensemble do not hold.
package struct TreeHeader: Equatable, Hashable, Sendable {
  package var featureCount: Int
  package var branchCount: Int
  /// Numbers that add up to a threshold of 64 bits, 1 to 3.
  package var thresholdCount = 3
  package var treeCount: Int
  package var leafCount: Int
  package var leafWidth: Int
  package var setCount: Int
  package var wordCount: Int
  package var base: [Double]
  package var divisor: Double
  package var precision: TreeEnsemble.Precision
  package var transform: TreeEnsemble.Transform

  package var outputCount: Int { base.count }

  package init(
    featureCount: Int, branchCount: Int, treeCount: Int, leafCount: Int, leafWidth: Int,
    setCount: Int, wordCount: Int, base: [Double], divisor: Double,
    precision: TreeEnsemble.Precision, transform: TreeEnsemble.Transform
  ) {
    (self.featureCount, self.branchCount, self.treeCount) = (featureCount, branchCount, treeCount)
    (self.leafCount, self.leafWidth) = (leafCount, leafWidth)
    (self.setCount, self.wordCount) = (setCount, wordCount)
    (self.base, self.divisor) = (base, divisor)
    (self.precision, self.transform) = (precision, transform)
  }
}

extension TreeEnsemble {
  package var header: TreeHeader {
    TreeHeader(
      featureCount: featureCount, branchCount: max(1, branchCount), treeCount: treeCount,
      leafCount: leafCount, leafWidth: leafWidth, setCount: categories.count,
      wordCount: max(1, categories.reduce(0) { $0 + 4 * $1.words.count }), base: base,
      divisor: divisor, precision: precision, transform: transform)
  }

  /// The numbers of an array, in a row.
  package func values(of array: TreeArrays) -> [Double] {
    switch array {
    case .features: filled(features.map(Double.init))
    case .thresholds: storedThresholds
    case .rules: filled((0..<branchCount).map { Double(finite($0).rule.rawValue) })
    case .left: filled(left.map(Double.init), -1)
    case .right: filled(right.map(Double.init), -1)
    case .roots: roots.map(Double.init)
    case .outputs: outputs.map(Double.init)
    case .leaves:
      (0..<leafWidth).flatMap { place in
        stride(from: place, to: leaves.count, by: leafWidth).map { leaves[$0] }
      }
    case .categoryStarts:
      categories.reduce(into: [0.0]) { $0.append($0[$0.count - 1] + Double(4 * $1.words.count)) }
    case .categoryWords:
      filled(
        categories.flatMap { set in
          set.words.flatMap { word in (0..<4).map { Double(word >> UInt64(16 * $0) & 0xFFFF) } }
        })
    }
  }

  private func filled(_ values: [Double], _ value: Double = 0) -> [Double] {
    values.isEmpty ? [value] : values
  }
}

extension TreeEnsemble {
  /// The ensemble of arrays, each checked.
  ///
  /// - Parameters:
  ///   - path: the file, for messages.
  ///   - values: gives the numbers of an array, as many as its shape asks for.
  /// - Throws: `TreeError` that names the array and the number, and the tree and node where it is one's; and
  ///   errors of `values`.
  package init(
    _ header: TreeHeader, path: String, values: (TreeArrays) throws -> [Double]
  ) throws {
    self.init(
      leafWidth: header.leafWidth, featureCount: header.featureCount, base: header.base,
      divisor: header.divisor, precision: header.precision, transform: header.transform)
    func fault(_ array: TreeArrays, _ element: Int, _ words: String) -> TreeError {
      let place = ArrayPlaces(header, values)?.place(of: element, in: array)
      return TreeError(
        path: path, tree: place?.tree, node: place?.node,
        fault: "\(array.tensorName)[\(element)] \(words)")
    }
    func numbers(_ array: TreeArrays, _ range: ClosedRange<Int>) throws -> [Int32] {
      try values(array).enumerated().map { place, value in
        guard let number = Int(exactly: value), range.contains(number) else {
          throw fault(
            array, place,
            "is \(value), expected a whole number in \(range.lowerBound)...\(range.upperBound)")
        }
        return Int32(number)
      }
    }
    let places = -header.leafCount...header.branchCount - 1
    features = try numbers(.features, 0...header.featureCount - 1)
    rules = try numbers(.rules, 0...255).map { Rule(rawValue: UInt8($0)) }
    left = try numbers(.left, places)
    right = try numbers(.right, places)
    roots = try numbers(.roots, places)
    outputs = try numbers(.outputs, 0...header.outputCount - header.leafWidth)
    categories = try TreeEnsemble.sets(
      starts: numbers(.categoryStarts, 0...header.wordCount),
      words: numbers(.categoryWords, 0...0xFFFF), path)
    thresholds = TreeEnsemble.thresholds(
      try values(.thresholds), rows: header.precision.roundsFeatures ? 1 : header.thresholdCount)
    try requireOrder(path, fault)
    try requireThresholds(fault)
    let columns = try values(.leaves)
    if let place = columns.firstIndex(where: { !$0.isFinite }) {
      throw fault(.leaves, place, "is \(columns[place]), expected a finite number")
    }
    leaves =
      leafWidth == 1
      ? columns
      : (0..<columns.count).map { place in
        columns[place % leafWidth * header.leafCount + place / leafWidth]
      }
  }

  /// Children come behind their branch, so that every row comes to an end. Equal branches may be one, with
  /// several parents; with each of these counted for itself there are no more than an ensemble may have.
  private func requireOrder(
    _ path: String, _ fault: (TreeArrays, Int, String) -> TreeError
  ) throws(TreeError) {
    for branch in 0..<branchCount {
      for (child, array) in [(left[branch], TreeArrays.left), (right[branch], .right)]
      where child >= 0 && child <= branch {
        throw fault(array, branch, "is \(child), expected a later branch, or a leaf")
      }
    }
    let limit = TreeEnsemble.placeLimit
    guard let all = unmergedBranchCount, all <= limit else {
      throw TreeError(
        path: path, fault: "its trees have more than \(limit) branches, shared ones counted in each"
      )
    }
  }

  private func requireThresholds(
    _ fault: (TreeArrays, Int, String) -> TreeError
  ) throws(TreeError) {
    for branch in 0..<branchCount {
      let threshold = thresholds[branch]
      let isSound =
        rules[branch].contains(.isCategory)
        ? Int(exactly: threshold).map(categories.indices.contains) ?? false : !threshold.isNaN
      guard isSound else {
        throw fault(
          .thresholds, branch,
          "is \(threshold), expected "
            + (rules[branch].contains(.isCategory)
              ? "one of \(categories.count) sets of categories" : "a number"))
      }
    }
  }

  private static func sets(
    starts: [Int32], words: [Int32], _ path: String
  ) throws(TreeError) -> [CategorySet] {
    var sets: [CategorySet] = []
    for (start, end) in zip(starts, starts.dropFirst()) {
      guard start <= end else {
        throw TreeError(
          path: path,
          fault: "\(TreeArrays.categoryStarts.tensorName) goes back from \(start) to \(end)")
      }
      var set = [UInt64](repeating: 0, count: (Int(end - start) + 3) / 4)
      for (place, word) in words[Int(start)..<Int(end)].enumerated() {
        set[place / 4] |= UInt64(word) << UInt64(16 * (place % 4))
      }
      sets.append(CategorySet(words: set))
    }
    return sets
  }
}
