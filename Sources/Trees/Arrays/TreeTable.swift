import Files
import StrictJSON

/// The `trees` of `model.json`: a row for each node, tree after tree.
struct TreeTable: Sendable {
  /// Of each tree its first row, and after the last the number of rows.
  let starts: [Int32]
  /// Rows of the children counted from the first of their tree; −1 of leaves.
  let left: [Int32]
  let right: [Int32]
  let features: [Int32]
  let thresholds: [Double]
  /// [nodes, leafWidth].
  let values: [Double]
  let leafWidth: Int
  /// Whether a missing value goes left; none goes where this is nil.
  let missingGoesLeft: [Int32]?
  /// Of each node the row of `sets`, −1 where it compares with a threshold.
  let setOf: [Int32]?
  /// Sets of categories: 1 where a set holds a category, [sets, setWidth].
  let sets: [Int32]
  let setWidth: Int
  /// Of each tree the first output that its leaves add to.
  let outputs: [Int32]?

  /// Looks at shapes and memory before any array is read.
  private static func checkSizes(
    _ columns: TreeColumns, _ trees: JSONObject, _ array: (String) throws -> TreeArray
  ) throws {
    let (count, width) = try columns.nodes(
      ["children_left", "children_right", "feature", "missing_go_to_left", "category_set"],
      values: "value", array)
    // Thresholds, leaves, six columns of whole numbers, and one array as it is read.
    let (leaves, overflow) = count.multipliedReportingOverflow(by: 8 * width)
    guard !overflow, leaves < Int.max / 2 else {
      throw trees.error(
        "there are \(count) nodes of \(width) numbers, more than memory holds", at: trees.position)
    }
    try Memory.require(
      leaves + 40 * count, for: "its \(count) nodes of \(width) numbers", of: trees.origin)
  }

  var treeCount: Int { starts.count - 1 }

  /// Rows of a tree.
  func rows(of tree: Int) -> Range<Int> { Int(starts[tree])..<Int(starts[tree + 1]) }

  init(_ trees: JSONObject, _ array: (String) throws -> TreeArray) throws {
    try trees.allowOnly([
      "starts", "children_left", "children_right", "feature", "threshold", "value",
      "missing_go_to_left", "category_set", "category_sets", "tree_outputs",
    ])
    let columns = TreeColumns(trees)
    try TreeTable.checkSizes(columns, trees, array)
    thresholds = try columns.column("threshold", array)
    let count = thresholds.count
    let starts = try columns.starts(nodes: count, array)
    self.starts = starts
    func numbers(_ key: String, _ range: ClosedRange<Int32>) throws -> [Int32] {
      try columns.integers(key, count: count, range, starts, array)
    }
    func optional(_ key: String, _ range: ClosedRange<Int32>) throws -> [Int32]? {
      trees[key] == nil ? nil : try numbers(key, range)
    }
    left = try numbers("children_left", -1...Int32.max)
    right = try numbers("children_right", -1...Int32.max)
    features = try numbers("feature", Int32.min...Int32.max)
    (values, leafWidth) = try columns.matrix("value", rows: count, array)
    missingGoesLeft = try optional("missing_go_to_left", 0...1)
    outputs =
      trees["tree_outputs"] == nil
      ? nil
      : try columns.integers(
        "tree_outputs", count: starts.count - 1, 0...Int32.max, nil, array)
    let hasSets = trees["category_set"] != nil || trees["category_sets"] != nil
    let found = hasSets ? try columns.sets("category_sets", array) : ([], 1)
    (sets, setWidth) = (found.0, found.1)
    let last = Int32(clamping: found.0.count / found.1 - 1)
    setOf = hasSets ? try numbers("category_set", -1...max(-1, last)) : nil
  }
}
