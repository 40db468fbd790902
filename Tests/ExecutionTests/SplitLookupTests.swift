import Graph
import ModelFixtures
import Testing
import Weights

@testable import Execution

/// Looking rows up in a table of two parts, operation by operation as packages hold it, gives what one
/// lookup in one table gives, and refuses the same ids.
struct SplitLookupTests {
  private static let rows = 8, count = 24, width = 4
  private static let values = (0..<count * width).map { Float($0) * 0.25 - 3 }
  private static let weights = MemoryWeights(tensors: [
    "table": ([count, width], values),
    "first": ([rows, width], Array(values[..<(rows * width)])),
    "rest": ([count - rows, width], Array(values[(rows * width)...])),
  ])

  private static func table(_ name: TensorName, _ rows: Int) -> Operand {
    .weight(WeightReference(name, [rows, width], role: .tokenTable))
  }

  private static func number(_ value: Int) -> Operand {
    .literal(.integers([Int32(value)], shape: []))
  }

  private static func whole(_ shape: [Int]) throws -> ModelGraph {
    var graph = GraphBuilder()
    let ids = graph.input("ids", ValueType(.int32, shape))
    let result = try graph.append("result", Gather(table("table", count), indices: ids))
    return try graph.finish(output: result)
  }

  private static func split(_ shape: [Int]) throws -> ModelGraph {
    var graph = GraphBuilder()
    let ids = graph.input("ids", ValueType(.int32, shape))
    let isFirst = try graph.append("is_first", Comparison(.less, ids, number(rows)))
    let firstIDs = try graph.append("first_ids", Select(isFirst, ids, else: number(rows - 1)))
    let behind = try graph.append("behind", ElementwiseBinary(.sub, ids, number(rows)))
    let restIDs = try graph.append("rest_ids", ElementwiseBinary(.maximum, behind, number(0)))
    let first = try graph.append("first_rows", Gather(table("first", rows), indices: firstIDs))
    let rest = try graph.append(
      "rest_rows", Gather(table("rest", count - rows), indices: restIDs))
    let choice = try graph.append("choice", ExpandDims(isFirst, axes: [shape.count]))
    let result = try graph.append("result", Select(choice, first, else: rest))
    return try graph.finish(output: result)
  }

  private func run(_ graph: ModelGraph, _ ids: [Int32]) throws -> [Float] {
    try Executor(weights: Self.weights, jobs: 1).run(graph, inputs: ["ids": .integers(ids)])
  }

  @Test(arguments: [[24], [1, 24], [4, 6], [2, 3, 4]]) func everyRow(_ shape: [Int]) throws {
    let ids = (0..<24).map { Int32($0 * 7 % 24) }
    let found = try run(Self.split(shape), ids)
    #expect(try found == run(Self.whole(shape), ids))
    #expect(found.count == 24 * Self.width)
  }

  /// Ids that no row has, the least and the greatest integers among them.
  @Test(arguments: [-1, -9, .min, 24, 32, .max] as [Int32]) func idsWithoutRow(_ id: Int32) throws {
    for graph in [try Self.split([1]), try Self.whole([1])] {
      #expect(throws: ExecutionError.self) { try run(graph, [id]) }
    }
  }
}
