package import Graph
package import WeightCompression
import Weights

extension CoreMLOptions {
  /// Bytes of the numbers that a package stores of each planned weight: of integers the offsets that
  /// opsets want, and of a table of positions only the rows are there that inputs reach.
  ///
  /// - Throws: `CoreMLError.sequenceLength`, and the graph's faults.
  package func storedBytes(of planned: [PlannedTensor], _ model: Model) throws -> [Int] {
    let rows = try graphs(of: model).leadingRows
    return planned.map { tensor in
      if let rows = rows[tensor.name], let all = tensor.shape.first, all > 0 {
        return tensor.byteCount / all * rows
      }
      return tensor.byteCount + tensor.extraBytes
    }
  }

  /// The graphs a package is written from.
  ///
  /// - Throws: `CoreMLError.sequenceLength` and `.notFinite`, and the graph's faults.
  func graphs(of model: Model) throws -> GraphsOfLengths {
    try CoreMLPackage.requireFinite(model)
    let lengths = try lengths(of: model)
    return try ModelError.placing(model.origin) { () throws(GraphError) in
      try GraphsOfLengths(model.architecture, lengths: lengths)
    }
  }
}

/// The graphs of a package of one or several input lengths.
struct GraphsOfLengths {
  /// Ascending; [1] for features.
  let lengths: [Int]
  /// The graph for the longest input.
  let longest: ModelGraph
  /// Which lengths of its values follow the input's.
  let shapes: FlexibleShapes

  init(_ architecture: any Architecture, lengths: [Int]) throws(GraphError) {
    self.lengths = lengths
    longest = try architecture.graph(batch: 1, length: lengths[lengths.count - 1])
    let shortest = lengths.count > 1 ? try architecture.graph(batch: 1, length: lengths[0]) : nil
    if let shortest { try GraphsOfLengths.requireFlexible(longest, shortest) }
    shapes = FlexibleShapes(longest, comparedWith: shortest)
  }

  /// Refuses graphs with numbers of their own that depend on the length, such as a causal mask.
  private static func requireFlexible(
    _ longest: ModelGraph, _ shortest: ModelGraph
  ) throws(GraphError) {
    guard let (node, literal) = fixed(longest, shortest) else { return }
    throw GraphError(
      value: node.name, operation: node.operation.milName,
      reason: "needs numbers of shape \(literal.type.shape) for the longest input; "
        + "give one sequence length")
  }

  /// A node with numbers of its own that are others in the graph of another length; nil if only
  /// shapes differ.
  static func fixed(
    _ longest: ModelGraph, _ shortest: ModelGraph
  ) -> (node: ModelGraph.Node, literal: Literal)? {
    for (long, short) in zip(longest.nodes, shortest.nodes) {
      for (one, other) in zip(long.operation.operands, short.operation.operands) {
        guard case .literal(let literal) = one.operand, one.operand != other.operand else {
          continue
        }
        return (long, literal)
      }
    }
    return nil
  }

  /// How many rows are stored of the tables that are cut to what inputs reach, by name.
  var leadingRows: [TensorName: Int] { longest.leadingRows(shapes) }
}

extension ModelGraph {
  /// How many rows are stored of the tables that are cut to what inputs reach, by name.
  ///
  /// - Parameter shapes: which lengths follow the input's.
  func leadingRows(_ shapes: FlexibleShapes) -> [TensorName: Int] {
    var rows: [TensorName: Int] = [:]
    for node in nodes where !shapes.shape(of: node.name).contains(nil) {
      guard let slice = node.operation as? SliceByIndex, let cut = slice.cutTable else { continue }
      rows[cut.table.name] = cut.rows
    }
    return rows
  }

  /// Refuses a table in two parts that anything but a lookup of computed rows reads.
  ///
  /// - Throws: `CoreMLError.splitTable` naming the weight and what reads it.
  func requireLookups(of planned: [PlannedTensor], origin: String) throws(CoreMLError) {
    let split = Set(planned.filter(\.isSplit).map(\.name))
    guard !split.isEmpty else { return }
    for node in nodes {
      for case (let parameter, .weight(let table)) in node.operation.operands
      where split.contains(table.name) {
        if parameter == "x", let gather = node.operation as? Gather, case .value = gather.indices {
          continue
        }
        throw .splitTable(
          origin: origin, name: table.name, operation: node.operation.milName, value: node.name)
      }
    }
  }
}

extension PlannedTensor {
  /// Whether it is a table in two parts.
  var isSplit: Bool { scheme?.isSplit == true }
}
