extension ModelGraph {
  /// Number of multiplications in a run's matrix products; nearly all of a model's time.
  package var productCount: Double {
    var types = Dictionary(inputs.map { ($0.name, $0.type) }) { first, _ in first }
    var count = 0.0
    for node in nodes {
      types[node.name] = node.type
      let shapes = node.operation.operands.map { ModelGraph.shape(of: $0.operand, types) }
      count += ModelGraph.products(of: node, shapes)
    }
    return count
  }

  private static func shape(of operand: Operand, _ types: [String: ValueType]) -> [Int] {
    switch operand {
    case .value(let name): types[name]?.shape ?? []
    case .weight(let reference): reference.shape
    case .literal(let literal): literal.type.shape
    }
  }

  private static func products(of node: Node, _ shapes: [[Int]]) -> Double {
    let outputs = Double(node.type.elementCount)
    switch node.operation {
    case is Linear: return outputs * Double(shapes[0].last ?? 1)
    case let product as Matmul:
      let inner = product.transposeX ? shapes[0].dropLast().last : shapes[0].last
      return outputs * Double(inner ?? 1)
    case is ScaledDotProductAttention:
      return 2 * outputs * Double(shapes[1].dropLast().last ?? 1)
    case is Conv: return outputs * Double(shapes[1].dropFirst().reduce(1, *))
    default: return 0
    }
  }
}
