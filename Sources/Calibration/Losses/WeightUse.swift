import Graph
import WeightCompression
import Weights

/// A place of a graph where the loss of a weight begins: a product with it, or a table's lookup.
enum WeightUse: Sendable {
  case product(CalibratedLayer)
  /// Rows of a table [rows, width], by the values that hold their numbers.
  case lookup(WeightReference, indices: String, output: String)

  var weight: WeightReference {
    switch self {
    case .product(let layer): layer.weight
    case .lookup(let weight, _, _): weight
    }
  }

  /// The value by whose gradient the loss counts.
  var output: String {
    switch self {
    case .product(let layer): layer.output
    case .lookup(_, _, let output): output
    }
  }

  /// The value that is read.
  var input: String {
    switch self {
    case .product(let layer): layer.input
    case .lookup(_, let indices, _): indices
    }
  }

  /// All uses of the compressible weights of a graph, in the order they run.
  ///
  /// - Returns: nothing of a weight that is also used in a way whose loss is not understood.
  static func all(in graph: ModelGraph) -> [WeightUse] {
    let layers = CalibratedLayer.all(in: graph) { reference in
      reference.role.isCompressible ? .int8(.perChannel) : nil
    }
    let products = layers.flatMap { [$0] + $0.laterUses }.map(WeightUse.product)
    let lookups = graph.nodes.compactMap(WeightUse.init)
    let found = Dictionary(grouping: products + lookups, by: \.weight.name)
    let uses = graph.weightUses.reduce(into: [TensorName: Int]()) { $0[$1.name, default: 0] += 1 }
    return (lookups + products).filter { found[$0.weight.name]?.count == uses[$0.weight.name] }
  }

  private init?(_ node: ModelGraph.Node) {
    guard let gather = node.operation as? Gather, case .weight(let weight) = gather.x,
      weight.role.isCompressible, weight.shape.count == 2, case .value(let indices) = gather.indices
    else { return nil }
    self = .lookup(weight, indices: indices, output: node.name)
  }

  /// Numbers that are kept for each row of inputs, and for each direction.
  func count(in graph: ModelGraph) -> (values: Int, gradients: Int) {
    let types = Dictionary(
      graph.nodes.map { ($0.name, $0.type.elementCount) }
        + graph.inputs.map { ($0.name, $0.type.elementCount) }
    ) { first, _ in first }
    return (types[input] ?? 0, types[output] ?? 0)
  }
}
