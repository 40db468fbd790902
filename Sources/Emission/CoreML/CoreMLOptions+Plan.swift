package import Graph
package import WeightCompression

extension CoreMLOptions {
  /// Bytes of the numbers that a package stores of each planned weight: integers have a zero point
  /// for each scale, and of a table of positions only the rows are there that inputs reach.
  ///
  /// - Throws: `CoreMLError.sequenceLength`, and the graph's faults.
  package func storedBytes(of planned: [PlannedTensor], _ model: Model) throws -> [Int] {
    let rows = try leadingRows(of: model)
    return planned.map { tensor in
      if let rows = rows[tensor.name], let all = tensor.shape.first, all > 0 {
        return tensor.byteCount / all * rows
      }
      guard case .int8 = tensor.scheme else { return tensor.byteCount }
      let scales = (tensor.byteCount - tensor.reference.elementCount) / tensor.floats.byteCount
      return tensor.byteCount + scales
    }
  }

  // Rows of the weights that are cut to their first ones; with several lengths none is.
  private func leadingRows(of model: Model) throws -> [String: Int] {
    let lengths = try lengths(of: model)
    let graph = try model.architecture.graph(batch: 1, length: lengths[lengths.count - 1])
    let other =
      lengths.count > 1 ? try model.architecture.graph(batch: 1, length: lengths[0]) : nil
    let shapes = FlexibleShapes(graph, comparedWith: other)
    var rows: [String: Int] = [:]
    for node in graph.nodes where !shapes.shape(of: node.name).contains(nil) {
      guard let slice = node.operation as? SliceByIndex, case .weight(let weight) = slice.x,
        !weight.role.isCompressible
      else { continue }
      rows[weight.name] = slice.leadingRows
    }
    return rows
  }
}
