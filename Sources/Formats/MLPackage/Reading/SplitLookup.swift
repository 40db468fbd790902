import Graph
import Weights

/// One lookup in a table of two parts, told by all its operations:
///
///     is_first = less(ids, rows)
///     first = gather(first rows, select(is_first, ids, rows − 1))
///     rest = gather(other rows, maximum(sub(ids, rows), 0))
///     result = select(expand_dims(is_first), first, rest)
///
/// An id below `rows` gives row `id` of the first part, any other row `id − rows` of the other: row
/// `id` of both together. An id below zero, or behind the last row, is asked of a part that does not
/// have it either.
struct SplitLookup {
  /// The two parts of a table.
  struct Parts: Hashable {
    let first: WeightReference
    let rest: WeightReference

    /// Of both together.
    var shape: [Int] { [first.shape[0] + rest.shape[0], first.shape[1]] }
  }

  /// Name of the result.
  let name: String
  /// Name of the ids.
  let ids: String
  let parts: Parts
  /// Names of the values that only the lookup reads.
  let steps: [String]

  /// - Returns: nil for anything but such a lookup.
  init?(_ node: ModelGraph.Node, in values: ValueReaders) {
    guard let choice = node.operation as? Select,
      let first = values.only(Gather.self, choice.a),
      let rest = values.only(Gather.self, choice.b),
      let parts = SplitLookup.parts(first.x, rest.x),
      let spread = values.only(ExpandDims.self, choice.condition),
      let comparison = values.only(Comparison.self, spread.x, readers: 2),
      case .value(let name) = comparison.x, let rank = values.rank(of: name)
    else { return nil }
    let ids = comparison.x
    let rows = Operand.literal(.split(parts.first.shape[0]))
    guard spread.axes == [rank], comparison.kind == .less, comparison.y == rows,
      let firstIDs = values.only(Select.self, first.indices), firstIDs.condition == spread.x,
      firstIDs.a == ids, firstIDs.b == .literal(.split(parts.first.shape[0] - 1)),
      let restIDs = values.only(ElementwiseBinary.self, rest.indices), restIDs.kind == .maximum,
      restIDs.y == .literal(.split(0)),
      let behind = values.only(ElementwiseBinary.self, restIDs.x), behind.kind == .sub,
      behind.x == ids, behind.y == rows
    else { return nil }
    self.name = node.name
    self.ids = name
    self.parts = parts
    steps = [
      choice.a, choice.b, choice.condition, spread.x, first.indices, rest.indices, restIDs.x,
    ].compactMap { if case .value(let name) = $0 { name } else { nil } }
  }

  /// Tables [rows, width] of one width, each with rows; the first with fewer than ids can tell.
  private static func parts(_ first: Operand, _ rest: Operand) -> Parts? {
    guard case .weight(let first) = first, case .weight(let rest) = rest, first.name != rest.name,
      first.shape.count == 2, rest.shape.count == 2, first.shape[1] == rest.shape[1],
      first.shape[1] > 0, (1...Int(Int32.max)).contains(first.shape[0]),
      (1...Int(Int32.max)).contains(rest.shape[0])
    else { return nil }
    return Parts(first: first, rest: rest)
  }

  /// The same lookup in one table.
  func gather(of table: WeightConstant) -> Gather {
    Gather(
      .weight(WeightReference(TensorName(table.name), table.shape, role: parts.first.role)),
      indices: .value(ids))
  }
}

/// What makes the values of a graph, and how often each is read.
struct ValueReaders {
  private let nodes: [String: ModelGraph.Node]
  private let ranks: [String: Int]
  private var readers: [String: Int] = [:]

  init(_ graph: ModelGraph) {
    nodes = Dictionary(graph.nodes.map { ($0.name, $0) }) { first, _ in first }
    ranks = Dictionary(
      graph.inputs.map { ($0.name, $0.type.shape.count) }
        + graph.nodes.map { ($0.name, $0.type.shape.count) }
    ) { first, _ in first }
    for node in graph.nodes {
      for case (_, .value(let name)) in node.operation.operands { readers[name, default: 0] += 1 }
    }
    readers[graph.output, default: 0] += 1
  }

  /// The operation of one kind that makes a value, where the value is read so often.
  func only<Kind: Operation>(_ kind: Kind.Type, _ operand: Operand, readers count: Int = 1) -> Kind?
  {
    guard case .value(let name) = operand, readers[name] == count else { return nil }
    return nodes[name]?.operation as? Kind
  }

  /// Axes of a value.
  func rank(of name: String) -> Int? { ranks[name] }
}
