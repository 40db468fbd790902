import Graph
import ModelFixtures
import TestSupport
import Testing
import Weights

@testable import Execution

/// Gradients against differences of the plain reference, in Double.
struct TapeTests {
  private typealias Case = OperationTests.Case

  @Test(
    arguments: OperationTests.binary + OperationTests.unary + OperationTests.rows
      + OperationTests.reductions + OperationTests.shaping + OperationTests.products
      + OperationTests.attention + OperationTests.joined + OperationTests.images
      + OperationTests.bounds + OperationTests.tiles + OperationTests.sums)
  func gradientsAreTheSlopesOfEveryOperation(_ test: OperationTests.Case) throws {
    let graph = try graph(of: test.types, test.operation)
    let isFixed = ["conv", "batch_norm"].contains(graph.nodes[0].operation.milName)
    let names = graph.inputs.prefix(isFixed ? 1 : graph.inputs.count)
      .filter { $0.type.scalar == .float32 }.map(\.name)
    guard graph.outputType.scalar == .float32, !names.isEmpty else { return }
    var values = inputs(for: graph, seed: 4, integers: test.integers)
    if graph.nodes[0].operation.milName == "sqrt", case .floats(let floats) = values["x0"] {
      values["x0"] = .floats(floats.map { 0.1 + abs($0) })
    }
    try compare(graph, values, MemoryWeights(), names)
  }

  @Test func aWholeModelIsTheChainOfItsOperations() throws {
    let bert = try BertTests.bert(pooling: .mean, activation: "gelu")
    let rows = BertTests.rows([4, 2], seed: 3)
    let graph = try bert.graph(batch: 2, length: 4)
    let linear = graph.nodes.filter { $0.operation is Linear }.map(\.name)
    let weights = weights(for: graph, seed: 5)
    let inputs = BertTests.inputs(rows, length: 4)
    let tape = try Executor(weights: weights, jobs: 1).tape(graph, inputs: inputs)
    #expect(
      difference(tape.result, try Executor(weights: weights, jobs: 1).run(graph, inputs: inputs))
        <= 2e-6)
    for name in [linear[0], linear[linear.count / 2], linear[linear.count - 1]] {
      // From the value on, as an input of the rest.
      let rest = try graph.part(making: graph.output, from: [name])
      let known = inputs.filter { input in rest.inputs.contains { $0.name == input.key } }
      let given = known.merging([name: .floats(tape[name])]) { first, _ in first }
      try compare(rest, given, weights, [name], of: tape, graph)
    }
  }

  @Test func aGradientThatIsNotKnownIsAnError() throws {
    let graph = try graph(of: [
      ValueType(.float32, [1, 1, 2, 2]), ValueType(.float32, [1, 1, 1, 1]),
    ]) {
      Conv($0[0], weight: $0[1], strides: [1, 1])
    }
    let tape = try Executor(weights: MemoryWeights(), jobs: 1).tape(
      graph, inputs: ["x0": .floats([1, 2, 3, 4]), "x1": .floats([1])])
    #expect(
      throws: ExecutionError.irreversible(
        ExecutionError.Place(operation: "conv", value: "result"), parameter: "weight")
    ) {
      _ = try tape.gradients(of: ["x1"], seed: [1, 1, 1, 1])
    }
  }

  /// Compares gradients by inputs of a graph with central differences.
  ///
  /// - Parameters:
  ///   - tape: of the whole graph, which gives the gradients; nil to make one of `graph`.
  private func compare(
    _ graph: ModelGraph, _ values: [String: InputValues], _ weights: MemoryWeights,
    _ names: [String], of tape: Tape? = nil, _ whole: ModelGraph? = nil
  ) throws {
    var generator = SeededGenerator(seed: 9)
    let seed = generator.floats((whole ?? graph).outputType.elementCount)
    let tape =
      try tape ?? Executor(weights: weights, jobs: 1).tape(graph, inputs: values)
    let found = try tape.gradients(of: Set(names), seed: seed)
    let inputs = try Reference.tensors(values, of: graph)
    let reference = Reference(weights: weights)
    func sum(_ inputs: [String: ReferenceTensor]) throws -> Double {
      zip(try reference.run(graph, from: inputs), seed).reduce(0) { $0 + $1.0 * Double($1.1) }
    }
    for name in names {
      let gradient = try #require(found[name])
      let count = inputs[name]?.values.count ?? 0
      #expect(gradient.count == count)
      for place in Set((0..<min(count, 12)).map { $0 * count / min(count, 12) }) {
        var (less, more) = (inputs, inputs)
        less[name]?.values[place] -= 1e-5
        more[name]?.values[place] += 1e-5
        let slope = (try sum(more) - sum(less)) / 2e-5
        let scale = max(1, gradient.reduce(0) { max($0, abs(Double($1))) })
        #expect(abs(Double(gradient[place]) - slope) <= 2e-4 * scale, "\(name)[\(place)]")
      }
    }
  }
}
