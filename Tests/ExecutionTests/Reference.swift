import Graph
import ModelFixtures

@testable import Execution

/// A tensor of the reference: every element as Double, whatever its type.
struct ReferenceTensor {
  var shape: [Int]
  var values: [Double]

  /// The element at an index, axes of length 1 repeated (numpy's rule).
  subscript(index: [Int]) -> Double {
    var place = 0
    let own = index.suffix(shape.count)
    for (length, position) in zip(shape, own) {
      place = place * length + (length == 1 ? 0 : position)
    }
    return values[place]
  }
}

/// Runs a graph the slow, plain way, in Double: what the executor is compared with.
struct Reference {
  /// An input or a value that is not there.
  private struct Missing: Error {}

  let weights: MemoryWeights

  func run(_ graph: ModelGraph, _ inputs: [String: InputValues]) throws -> [Float] {
    try run(graph, from: try Self.tensors(inputs, of: graph)).map { Float($0) }
  }

  /// The inputs of a graph, by name.
  static func tensors(
    _ inputs: [String: InputValues], of graph: ModelGraph
  ) throws -> [String: ReferenceTensor] {
    var values: [String: ReferenceTensor] = [:]
    for input in graph.inputs {
      switch inputs[input.name] {
      case .floats(let floats):
        values[input.name] = ReferenceTensor(
          shape: input.type.shape, values: floats.map(Double.init))
      case .doubles(let doubles):
        values[input.name] = ReferenceTensor(shape: input.type.shape, values: doubles)
      case .integers(let integers):
        values[input.name] = ReferenceTensor(
          shape: input.type.shape, values: integers.map(Double.init))
      case nil: throw Missing()
      }
    }
    return values
  }

  /// The output, in Double.
  func run(_ graph: ModelGraph, from inputs: [String: ReferenceTensor]) throws -> [Double] {
    var values = inputs
    for node in graph.nodes {
      let operands = try node.operation.operands.map { try tensor($0.operand, values) }
      values[node.name] = ReferenceTensor(
        shape: node.type.shape, values: evaluate(node, operands))
    }
    return values[graph.output, default: ReferenceTensor(shape: [], values: [])].values
  }

  private func tensor(
    _ operand: Operand, _ values: [String: ReferenceTensor]
  ) throws -> ReferenceTensor {
    switch operand {
    case .value(let name):
      guard let value = values[name] else { throw Missing() }
      return value
    case .weight(let reference):
      return ReferenceTensor(
        shape: reference.shape, values: try weights.floats(of: reference.name).map(Double.init))
    case .literal(.floats(let floats, let shape)):
      return ReferenceTensor(shape: shape, values: floats.map(Double.init))
    case .literal(.integers(let integers, let shape)):
      return ReferenceTensor(shape: shape, values: integers.map(Double.init))
    }
  }

  /// All indices of a shape, row-major.
  static func indices(_ shape: [Int]) -> [[Int]] {
    shape.reduce([[]]) { found, length in
      found.flatMap { index in (0..<length).map { index + [$0] } }
    }
  }
}
