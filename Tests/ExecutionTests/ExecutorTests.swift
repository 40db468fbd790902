import Graph
import ModelFixtures
import Files
import Testing
import Weights

@testable import Execution

struct ExecutorTests {
  struct Failure: Error, Equatable { let index: Int }

  private static func sum(_ width: Int) throws -> ModelGraph {
    try graph(of: [ValueType(.float32, [width]), ValueType(.float32, [width])]) {
      ElementwiseBinary(.add, $0[0], $0[1])
    }
  }

  @Test(arguments: [1, 2, 5], [0, 1, 2, 17])
  func resultsAreInTheOrderOfTheItems(_ jobs: Int, _ count: Int) throws {
    let executor = Executor(weights: MemoryWeights(), jobs: jobs)
    let results = try executor.runAll(count: count) { index in
      let values = Array(repeating: Float(index), count: index + 1)
      return (try Self.sum(index + 1), ["x0": .floats(values), "x1": .floats(values)])
    }
    #expect(
      results == (0..<count).map { Array(repeating: 2 * Float($0), count: $0 + 1) })
  }

  @Test(arguments: [1, 2, 4])
  func throwsTheErrorOfTheFirstItem(_ jobs: Int) throws {
    let executor = Executor(weights: MemoryWeights(), jobs: jobs)
    #expect(throws: Failure(index: 5)) {
      _ = try executor.runAll(count: 40) { index in
        if index >= 5 { throw Failure(index: index) }
        return (try Self.sum(1), ["x0": .floats([1]), "x1": .floats([1])])
      }
    }
  }

  @Test func fewerThanOneJobIsOne() throws {
    let executor = Executor(weights: MemoryWeights(), jobs: 0)
    let values: [String: InputValues] = ["x0": .floats([1]), "x1": .floats([2])]
    #expect(try executor.run(Self.sum(1), inputs: values) == [3])
  }

  /// Counts how often each tensor is read.
  final class CountingWeights: WeightSource {
    let held: MemoryWeights
    let reads = Mutex<[TensorName: Int]>([:])
    init(_ held: MemoryWeights) { self.held = held }
    var names: [TensorName] { held.names }
    func shape(of name: TensorName) -> [Int]? { held.shape(of: name) }
    func floats(of name: TensorName) throws -> [Float] {
      reads.withLock { $0[name, default: 0] += 1 }
      return try held.floats(of: name)
    }
  }

  @Test func eachWeightIsReadOnce() throws {
    let bert = try BertTests.bert(pooling: .mean, activation: "gelu")
    let graph = try bert.graph(batch: 1, length: 4)
    let counting = CountingWeights(weights(for: graph, seed: 1))
    let executor = Executor(weights: counting, jobs: 2)
    _ = try executor.runAll(count: 6) { index in
      let rows = BertTests.rows([4, 2], seed: UInt64(index))
      return (try bert.graph(batch: 2, length: 4), BertTests.inputs(rows, length: 4))
    }
    let reads = counting.reads.withLock { $0 }
    #expect(reads.keys.sorted() == graph.weights.map(\.name).sorted())
    #expect(!reads.values.contains { $0 != 1 })
  }

  /// A runner may be kept longer than the memory of its weights.
  @Test func forgottenWeightsAreReadAnew() throws {
    let bert = try BertTests.bert(pooling: .mean, activation: "gelu")
    let graph = try bert.graph(batch: 1, length: 4)
    let counting = CountingWeights(weights(for: graph, seed: 1))
    let executor = Executor(weights: counting, jobs: 1)
    let inputs = BertTests.inputs(BertTests.rows([4], seed: 3), length: 4)
    let first = try executor.run(graph, inputs: inputs)
    executor.forgetWeights()
    #expect(try executor.run(graph, inputs: inputs) == first)
    let reads = counting.reads.withLock { $0 }
    #expect(reads.keys.sorted() == graph.weights.map(\.name).sorted())
    #expect(!reads.values.contains { $0 != 2 })
  }

  @Test func namesThatLookAlikeAreTwoWeights() throws {
    // Precomposed and decomposed: equal as String, different as names.
    let names: [TensorName] = ["caf\u{e9}", "cafe\u{301}"]
    var builder = GraphBuilder()
    let x = builder.input("x", ValueType(.float32, [1]))
    let weights = names.map { Operand.weight(WeightReference($0, [1], role: .bias)) }
    let first = try builder.append("a", ElementwiseBinary(.mul, x, weights[0]))
    let both = try builder.append("b", ElementwiseBinary(.add, first, weights[1]))
    let graph = try builder.finish(output: both)
    let held = MemoryWeights(tensors: [names[0]: ([1], [5]), names[1]: ([1], [6])])
    let executor = Executor(weights: held, jobs: 1)
    #expect(try executor.run(graph, inputs: ["x": .floats([10])]) == [56])
  }

  @Test func storedShapesMayLeaveOutLeadingOnes() throws {
    var builder = GraphBuilder()
    let x = builder.input("x", ValueType(.float32, [2, 3]))
    let weight = Operand.weight(
      WeightReference("w", [1, 3], role: .matrix(outputAxis: 0)))
    let y = try builder.append("y", Linear(x, weight: weight, bias: nil))
    let graph = try builder.finish(output: y)
    let held = MemoryWeights(tensors: ["w": ([3], [1, 10, 100])])
    let found = try Executor(weights: held, jobs: 1).run(
      graph, inputs: ["x": .floats([1, 2, 3, 4, 5, 6])])
    #expect(found == [321, 654])
  }

  @Test func theOutputMayBeAnInputOrAViewOfIt() throws {
    var builder = GraphBuilder()
    let x = builder.input("x", ValueType(.int32, [2, 3]))
    let row = try builder.append("row", SliceByIndex(x, begin: [1, 0], end: [2, 3]))
    let executor = Executor(weights: MemoryWeights(), jobs: 1)
    let values: [String: InputValues] = ["x": .integers([1, 2, 3, 4, 5, 6])]
    #expect(try executor.run(builder.finish(output: row), inputs: values) == [4, 5, 6])
    #expect(try executor.run(builder.finish(output: x), inputs: values) == [1, 2, 3, 4, 5, 6])
  }

  @Test func theOutputMayBeAWeight() throws {
    var builder = GraphBuilder()
    let weight = Operand.weight(WeightReference("w", [3], role: .bias))
    let y = try builder.append("y", Reshape(weight, shape: [1, 3]))
    let held = MemoryWeights(tensors: ["w": ([3], [1, 2, 3])])
    let found = try Executor(weights: held, jobs: 1).run(builder.finish(output: y), inputs: [:])
    #expect(found == [1, 2, 3])
  }
}
