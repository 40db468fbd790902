import StrictJSON

/// Opens the arrays of `trees` and checks shapes and whole numbers.
struct TreeColumns {
  private let trees: JSONObject

  init(_ trees: JSONObject) { self.trees = trees }

  /// An array of one axis.
  ///
  /// - Parameter count: its elements; nil for any number but none.
  func column(
    _ key: String, count: Int? = nil, _ array: (String) throws -> TreeArray
  ) throws -> [Double] {
    try elements(of: openColumn(key, count: count, array), key)
  }

  /// The same array, not read.
  private func openColumn(
    _ key: String, count: Int?, _ array: (String) throws -> TreeArray
  ) throws -> TreeArray {
    let found = try open(key, array)
    guard found.shape.count == 1, found.shape[0] == count ?? max(1, found.shape[0]) else {
      throw try shapeFault(key, found, count.map { "[\($0)]" } ?? "one axis that is not empty")
    }
    return found
  }

  /// An array of two axes, or of one, which stands for a second of size 1.
  ///
  /// - Returns: the elements and the size of the second axis, at least 1.
  func matrix(
    _ key: String, rows: Int?, _ array: (String) throws -> TreeArray
  ) throws -> (values: [Double], width: Int) {
    let (found, width) = try openMatrix(key, rows: rows, array)
    return (try elements(of: found, key), width)
  }

  private func openMatrix(
    _ key: String, rows: Int?, _ array: (String) throws -> TreeArray
  ) throws -> (array: TreeArray, width: Int) {
    let found = try open(key, array)
    let width = found.shape.count == 1 ? 1 : found.shape.last ?? 0
    guard (1...2).contains(found.shape.count), width > 0,
      found.shape[0] == rows ?? found.shape[0]
    else {
      throw try shapeFault(key, found, "[\(rows.map { "\($0)" } ?? "sets"), 1 or more]")
    }
    return (found, width)
  }

  /// Checks the shapes of the arrays that have an element for each node, before any of them is read.
  ///
  /// - Parameter columns: keys of arrays of one axis; those that are not there are passed over.
  /// - Returns: the number of nodes, and of numbers in a leaf.
  /// - Throws: `JSONError` with the array and both shapes.
  func nodes(
    _ columns: [String], values: String, _ array: (String) throws -> TreeArray
  ) throws -> (count: Int, width: Int) {
    let count = try openColumn("threshold", count: nil, array).shape[0]
    guard count <= TreeEnsembleBuilder.nodeLimit else {
      throw trees.error(
        "there \(Figures.are(count, "node")), at most \(TreeEnsembleBuilder.nodeLimit) are read",
        at: trees.position)
    }
    for key in columns where trees[key] != nil { _ = try openColumn(key, count: count, array) }
    return (count, try openMatrix(values, rows: count, array).width)
  }

  /// Whole numbers of a range.
  ///
  /// - Parameter starts: of each tree its first row, if there is an element for each node.
  func integers(
    _ key: String, count: Int?, _ range: ClosedRange<Int32>, _ starts: [Int32]?,
    _ array: (String) throws -> TreeArray
  ) throws -> [Int32] {
    let values = try column(key, count: count, array)
    return try convert(key, values, range) { row in
      guard let starts else { return "element \(row)" }
      let tree = (starts.firstIndex { $0 > row } ?? starts.count) - 1
      return "tree \(tree), node \(row - Int(starts[tree]))"
    }
  }

  /// Of each tree its first row, and after the last the number of rows.
  func starts(nodes: Int, _ array: (String) throws -> TreeArray) throws -> [Int32] {
    let starts = try integers("starts", count: nil, 0...Int32(nodes - 1), nil, array)
    let position = try trees.required("starts").position
    guard starts[0] == 0 else {
      throw trees.error("'starts' begins with \(starts[0]), expected 0", at: position)
    }
    if let tree = (1..<max(1, starts.count)).first(where: { starts[$0] <= starts[$0 - 1] }) {
      throw trees.error(
        "'starts' has \(starts[tree]) for tree \(tree) after \(starts[tree - 1]); every tree needs "
          + "a node", at: position)
    }
    return starts + [Int32(nodes)]
  }

  /// Sets of categories: 1 where a set holds a category.
  func sets(
    _ key: String, _ array: (String) throws -> TreeArray
  ) throws -> (sets: [Int32], width: Int) {
    let found = try open(key, array)
    guard found.shape.count == 2, found.shape[1] > 0 else {
      throw try shapeFault(key, found, "[sets, categories]")
    }
    let width = found.shape[1]
    let sets = try convert(key, elements(of: found, key), 0...1) {
      "set \($0 / width), category \($0 % width)"
    }
    return (sets, width)
  }

  private func open(_ key: String, _ array: (String) throws -> TreeArray) throws -> TreeArray {
    let found = try array(trees.string(key))
    guard found.elementCount != nil else {
      throw try shapeFault(key, found, "sizes from 0 whose product a file can have")
    }
    return found
  }

  /// The elements of an array whose shape is right.
  private func elements(of found: TreeArray, _ key: String) throws -> [Double] {
    let elements = try found.elements()
    guard elements.count == found.elementCount else {
      throw try shapeFault(key, found, "a shape of \(Figures.count(elements.count, "element"))")
    }
    return elements
  }

  private func convert(
    _ key: String, _ values: [Double], _ range: ClosedRange<Int32>, place: (Int) -> String
  ) throws(JSONError) -> [Int32] {
    var integers: [Int32] = []
    integers.reserveCapacity(values.count)
    for (row, value) in values.enumerated() {
      guard let integer = Int32(exactly: value), range.contains(integer) else {
        throw trees.error(
          "'\(key)' has \(value) for \(place(row)), expected a whole number from "
            + "\(range.lowerBound) to \(range.upperBound)", at: try trees.required(key).position)
      }
      integers.append(integer)
    }
    return integers
  }

  private func shapeFault(
    _ key: String, _ found: TreeArray, _ expected: String
  ) throws(JSONError) -> JSONError {
    trees.error(
      "the array of '\(key)' has the shape \(found.shape), expected \(expected)",
      at: try trees.required(key).position)
  }
}
