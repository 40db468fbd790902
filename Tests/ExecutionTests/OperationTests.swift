import Graph
import ModelFixtures
import Testing

@testable import Execution

/// Every operation against the plain reference, over shapes of all kinds.
struct OperationTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let types: [ValueType]
    var integers: ClosedRange<Int32> = -3...3
    let operation: @Sendable ([Operand]) -> any Operation
    var testDescription: String { name }

    init(
      _ name: String, _ shapes: [[Int]], scalar: ScalarType = .float32,
      _ operation: @escaping @Sendable ([Operand]) -> any Operation
    ) {
      self.name = name
      types = shapes.map { ValueType(scalar, $0) }
      self.operation = operation
    }

    init(
      _ name: String, types: [ValueType], integers: ClosedRange<Int32> = -3...3,
      _ operation: @escaping @Sendable ([Operand]) -> any Operation
    ) {
      self.name = name
      self.types = types
      self.integers = integers
      self.operation = operation
    }
  }

  @Test(
    arguments: binary + integerBinary + unary + rows + reductions + shaping + lookups + products
      + attention + joined + images + bounds + comparisons + tiles + sums)
  func equalsTheReference(_ test: Case) throws {
    let graph = try graph(of: test.types, test.operation)
    for seed in 1...3 as ClosedRange<UInt64> {
      let values = inputs(for: graph, seed: seed, integers: test.integers)
      let expected = try Reference(weights: MemoryWeights()).run(graph, values)
      for fuses in [true, false] {
        let executor = Executor(weights: MemoryWeights(), jobs: 1, fuses: fuses)
        let found = try executor.run(graph, inputs: values)
        // Relative for quotients, which may be large.
        let scale = max(1, expected.reduce(0) { $1.isFinite ? max($0, abs($1)) : $0 })
        #expect(difference(found, expected) <= 3e-6 * scale, "seed \(seed), fused \(fuses)")
      }
    }
  }

  @Test(arguments: [
    [[2, 3], [2, 3], [2, 3]], [[2, 1], [3], []], [[4], [1], [4]], [[0], [1], []],
  ])
  func selectsByTheCondition(_ shapes: [[Int]]) throws {
    var builder = GraphBuilder()
    let condition = builder.input("c", ValueType(.int32, shapes[0]))
    let a = builder.input("a", ValueType(.float32, shapes[1]))
    let b = builder.input("b", ValueType(.float32, shapes[2]))
    let bool = try builder.append("bool", Cast(condition, to: .bool))
    let chosen = try builder.append("s", Select(bool, a, else: b))
    let graph = try builder.finish(output: chosen)
    let values = inputs(for: graph, seed: 5)
    let found = try Executor(weights: MemoryWeights(), jobs: 1).run(graph, inputs: values)
    #expect(found == (try Reference(weights: MemoryWeights()).run(graph, values)))
  }

  @Test func castingWhatNoIntegerHoldsGivesTheLeast() throws {
    let graph = try graph(of: [ValueType(.float32, [5])]) { Cast($0[0], to: .int32) }
    let found = try Executor(weights: MemoryWeights(), jobs: 1).run(
      graph, inputs: ["x0": .floats([.nan, .infinity, -.infinity, 3e9, -2_147_483_648])])
    #expect(found == Array(repeating: -2_147_483_648, count: 5))
  }

  @Test func clippingKeepsWhatIsNoNumber() throws {
    let graph = try graph(of: [ValueType(.float32, [4])]) { Clip($0[0], lowest: -1, highest: 2) }
    let found = try Executor(weights: MemoryWeights(), jobs: 1).run(
      graph, inputs: ["x0": .floats([.nan, .infinity, -.infinity, -0.0])])
    #expect(found[0].isNaN)
    #expect(Array(found[1...]) == [2, -1, 0])
  }

  @Test(
    arguments: [(.equal, [0, 1, 0, 1]), (.less, [0, 0, 1, 0]), (.greaterOrEqual, [0, 1, 0, 1])]
      as [(Comparison.Kind, [Float])])
  func comparingWhatIsNoNumber(_ kind: Comparison.Kind, _ expected: [Float]) throws {
    let type = ValueType(.float32, [4])
    let graph = try graph(of: [type, type]) { Comparison(kind, $0[0], $0[1]) }
    let found = try Executor(weights: MemoryWeights(), jobs: 1).run(
      graph,
      inputs: [
        "x0": .floats([.nan, .infinity, -.infinity, -0.0]),
        "x1": .floats([.nan, .infinity, .infinity, 0]),
      ])
    #expect(found == expected)
  }
}
