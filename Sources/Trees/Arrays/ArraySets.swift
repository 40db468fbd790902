/// Makes the nodes of trees, with sets of categories as branches ask for them.
///
/// A category that its feature does not know is missing. A branch has one way for what its set does not
/// hold; where missing values go left, the branch is turned: its set holds the known categories that
/// went right, and what is missing or unknown goes the other way with the rest.
struct ArraySets {
  private let table: TreeTable
  private let path: String
  /// Of each feature the number of its categories; nil where it is a number or a boolean.
  private let known: [Int?]
  /// Thresholds of the sets that are made, by row, turned or not, and the number of categories.
  private var made: [Made: Double] = [:]

  private struct Made: Hashable {
    let row: Int32
    let isTurned: Bool
    let known: Int
  }

  init(_ table: TreeTable, _ features: [TreeFeature], path: String) {
    self.table = table
    self.path = path
    known = features.map { feature in
      guard case .category(let names) = feature.kind else { return nil }
      return names.isEmpty ? table.setWidth : names.count
    }
  }

  /// The nodes of a tree.
  ///
  /// - Throws: if a node asks for categories of what is none.
  mutating func nodes(
    of tree: Int, isStrict: Bool, _ builder: inout TreeEnsembleBuilder
  ) throws(TreeError) -> TreeNodes {
    let rows = table.rows(of: tree)
    var sets: [Int: Double] = [:]
    if let setOf = table.setOf {
      for row in rows where setOf[row] >= 0 && !table.isLeaf(row) {
        sets[row] = try set(row, tree, &builder)
      }
    }
    let (table, made) = (table, sets)
    return TreeNodes(count: rows.count) { node in
      table.node(rows.lowerBound + node, set: made[rows.lowerBound + node], isStrict: isStrict)
    }
  }

  private mutating func set(
    _ row: Int, _ tree: Int, _ builder: inout TreeEnsembleBuilder
  ) throws(TreeError) -> Double {
    func fault(_ text: String) -> TreeError {
      TreeError(path: path, tree: tree, node: row - table.rows(of: tree).lowerBound, fault: text)
    }
    let (feature, number) = (Int(table.features[row]), table.setOf?[row] ?? 0)
    guard known.indices.contains(feature) else {
      throw fault("looks at feature \(feature), there are \(known.count)")
    }
    guard let count = known[feature] else {
      throw fault("asks for set \(number) of categories, feature \(feature) has none")
    }
    let key = Made(row: number, isTurned: table.isTurned(row), known: count)
    if let threshold = made[key] { return threshold }
    guard count <= table.setWidth else {
      throw fault(
        "asks for a set of \(table.setWidth) categories, feature \(feature) has \(count)")
    }
    if let other = (count..<table.setWidth).first(where: { table.holds(number, $0) }) {
      throw fault(
        "asks for set \(number) with category \(other), feature \(feature) has \(count)")
    }
    let categories = (0..<count).filter { table.holds(number, $0) != key.isTurned }
    let threshold = builder.add(TreeEnsemble.CategorySet(categories))
    made[key] = threshold
    return threshold
  }
}

extension TreeTable {
  func isLeaf(_ row: Int) -> Bool { left[row] == -1 && right[row] == -1 }

  /// Whether what a set does not hold goes left.
  func isTurned(_ row: Int) -> Bool { missingGoesLeft?[row] == 1 }

  /// Whether a set holds a category.
  func holds(_ set: Int32, _ category: Int) -> Bool {
    sets[Int(set) * setWidth + category] == 1
  }

  /// - Parameter set: the threshold of a branch that asks for categories.
  func node(_ row: Int, set: Double?, isStrict: Bool) -> TreeNodes.Node {
    if isLeaf(row) { return .leaf(Array(values[row * leafWidth..<(row + 1) * leafWidth])) }
    let (feature, left, right) = (Int(features[row]), Int(left[row]), Int(right[row]))
    if let set {
      let isTurned = isTurned(row)
      return .branch(
        feature: feature, threshold: set, rule: .isCategory, left: isTurned ? right : left,
        right: isTurned ? left : right)
    }
    var rule: TreeEnsemble.Rule = isStrict ? .isStrict : []
    if missingGoesLeft?[row] == 1 { rule.insert(.missingGoesLeft) }
    return .branch(
      feature: feature, threshold: thresholds[row], rule: rule, left: left, right: right)
  }
}
