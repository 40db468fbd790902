// Sets of categories.
extension XGBoostTree {
  /// Categories are less than this: 32-bit floats count no further.
  private static let categoryLimit: Int32 = 1 << 24

  /// Of each branch that asks for a category: those that go right.
  ///
  /// - Parameters:
  ///   - tree: its number, for messages.
  ///   - room: bytes that sets may still take; what these take is subtracted.
  func sets(_ tree: Int, path: String, room: inout Int) throws(TreeError) -> [Int: [Int]] {
    func fault(_ node: Int?, _ text: String) -> TreeError {
      TreeError(path: path, tree: tree, node: node, fault: text)
    }
    let count = categoryNodes.count
    guard categoryStarts.count == count, categoryCounts.count == count else {
      throw fault(
        nil,
        "has \(count) 'categories_nodes', \(categoryStarts.count) 'categories_segments' and "
          + "\(categoryCounts.count) 'categories_sizes'")
    }
    var sets: [Int: [Int]] = [:]
    for (place, node) in categoryNodes.enumerated() {
      let node = Int(node)
      guard isCategory.indices.contains(node), isCategory[node], sets[node] == nil else {
        throw fault(node, "is in 'categories_nodes', and asks for no category, or is in it twice")
      }
      let (start, size) = (Int(categoryStarts[place]), Int(categoryCounts[place]))
      guard start >= 0, size > 0, start + size <= categories.count else {
        throw fault(
          node, "has \(size) categories from \(start) on, 'categories' has \(categories.count)")
      }
      let set = categories[start..<start + size]
      for category in set where category < 0 || category >= Self.categoryLimit {
        throw fault(node, "asks for category \(category), expected 0..<\(Self.categoryLimit)")
      }
      room -= Int(set.max() ?? 0) / 64 * 8 + 8
      guard room >= 0 else {
        throw fault(
          node, "asks for category \(set.max() ?? 0); the sets take more memory than fits")
      }
      sets[node] = set.map(Int.init)
    }
    for node in isCategory.indices where isCategory[node] && sets[node] == nil {
      throw fault(node, "asks for a category, and is not in 'categories_nodes'")
    }
    return sets
  }
}
