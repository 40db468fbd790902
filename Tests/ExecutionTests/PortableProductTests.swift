import Graph
import Testing
import TestSupport

@testable import Execution

/// Products in the order of the inner axis, against sums one by one.
struct PortableProductTests {
  @Test(arguments: [(1, 1, 1), (3, 32, 7), (2, 33, 40), (5, 100, 64)], [false, true])
  func everySumIsTakenInOrder(_ size: (rows: Int, columns: Int, inner: Int), _ isTransposed: Bool) {
    let (rows, columns, inner) = size
    var generator = SeededGenerator(seed: 3)
    let left = generator.floats(rows * inner), right = generator.floats(inner * columns)
    var expected = [Float](repeating: 0, count: rows * columns)
    for row in 0..<rows {
      for column in 0..<columns {
        for place in 0..<inner {
          let a = isTransposed ? left[place * rows + row] : left[row * inner + place]
          let b = isTransposed ? right[column * inner + place] : right[place * columns + column]
          expected[row * columns + column] += a * b
        }
      }
    }
    var found = [Float](repeating: .nan, count: rows * columns)
    left.withUnsafeBufferPointer { left in
      right.withUnsafeBufferPointer { right in
        found.withUnsafeMutableBufferPointer { found in
          PortableProduct.multiply(
            MatrixProduct.Factor(
              left.baseAddress!, rowStride: isTransposed ? rows : inner,
              isTransposed: isTransposed),
            MatrixProduct.Factor(
              right.baseAddress!, rowStride: isTransposed ? inner : columns,
              isTransposed: isTransposed),
            into: found.baseAddress!, rows: rows, columns: columns, inner: inner,
            outputStride: columns)
        }
      }
    }
    // Bit for bit: nothing is reassociated, nothing fused.
    #expect(found == expected)
  }

  @Test func aGraphGivesWhatTheFastestGives() throws {
    let bert = try BertTests.bert(pooling: .mean, activation: "gelu")
    let graph = try bert.graph(batch: 2, length: 4)
    let weights = weights(for: graph, seed: 1)
    let inputs = BertTests.inputs(BertTests.rows([4, 2], seed: 5), length: 4)
    let fastest = try Executor(weights: weights, jobs: 1).run(graph, inputs: inputs)
    let portable = try Executor(weights: weights, jobs: 1, arithmetic: .portable)
      .run(graph, inputs: inputs)
    #expect(difference(fastest, portable) < 1e-5)
    #expect(fastest.contains { $0 != 0 })
    #expect(
      try Executor(weights: weights, jobs: 2, arithmetic: .portable).run(graph, inputs: inputs)
        == portable)
  }
}
