package import Trees
package import Weights

/// The trees of a model: all that it is, or a step of a pipeline.
package struct PlacedTrees: Sendable {
  /// What the names of their arrays begin with.
  package let name: String
  package let header: TreeHeader

  /// Those of a model, in the order in which they run; none of a model that has no trees.
  ///
  /// - Throws: `GraphError` as the model's graph does.
  package static func all(of architecture: any Architecture) throws(GraphError) -> [PlacedTrees] {
    guard architecture.isMergedWhenWritten else { return [] }
    return try architecture.graph(batch: 1, length: 1).nodes.compactMap { node in
      (node.operation as? TreeSum).map { PlacedTrees(name: node.name, header: $0.header) }
    }
  }

  /// The name of one of their arrays.
  package func tensorName(_ array: TreeArrays) -> TensorName {
    TensorName(array.tensorName(of: name))
  }

  /// The names of all their arrays.
  package var tensorNames: [TensorName] { TreeArrays.allCases.map(tensorName) }

  /// The trees of these arrays.
  ///
  /// - Parameters:
  ///   - path: the file, for messages.
  ///   - numbers: of an array by its name.
  /// - Throws: `TreeError` where they make none, and what `numbers` throws.
  package func ensemble(
    path: String, _ numbers: (TensorName) throws -> [Double]
  ) throws -> TreeEnsemble {
    try TreeEnsemble(header, path: path) { try numbers(tensorName($0)) }
  }
}
