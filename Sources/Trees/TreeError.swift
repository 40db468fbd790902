/// Why trees cannot be read: the file, and the tree and node as the file numbers them.
package struct TreeError: Error, Equatable, CustomStringConvertible {
  /// The file.
  package let path: String
  /// The tree, from 0; nil where the fault is of none in particular.
  package let tree: Int?
  /// The node of the tree, from 0.
  package let node: Int?
  /// The fault, in words that follow the place.
  package let fault: String

  package init(path: String, tree: Int? = nil, node: Int? = nil, fault: String) {
    self.path = path
    self.tree = tree
    self.node = node
    self.fault = fault
  }

  package var description: String {
    let place = [tree.map { "tree \($0)" }, node.map { "node \($0)" }].compactMap { $0 }
    return "\(path): \(place.joined(separator: ", "))\(place.isEmpty ? "" : ": ")\(fault)"
  }
}
