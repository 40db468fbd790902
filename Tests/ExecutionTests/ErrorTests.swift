import Graph
import ModelFixtures
import TestSupport
import Testing
import Weights

@testable import Execution

/// Every error's exact text.
struct ErrorTests {
  /// An operation nobody can run.
  struct Erfinv: Operation {
    let x: Operand
    var milName: String { "erfinv" }
    var operands: [(parameter: String, operand: Operand)] { [("x", x)] }
    func inferType(_ inputs: [ValueType]) throws(ShapeFault) -> ValueType { inputs[0] }
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let expected: String
    var weights = MemoryWeights()
    var inputs: [String: InputValues] = ["x": .floats([1, 2, 3])]
    let build: @Sendable (inout GraphBuilder) throws -> Operand
    var testDescription: String { name }
  }

  static func x(_ builder: inout GraphBuilder) -> Operand {
    builder.input("x", ValueType(.float32, [3]))
  }

  static func addWeight(_ builder: inout GraphBuilder) throws -> Operand {
    let x = x(&builder)
    let weight = Operand.weight(WeightReference("w", [3], role: .bias))
    return try builder.append("sum", ElementwiseBinary(.add, x, weight))
  }

  static func gather(_ builder: inout GraphBuilder) throws -> Operand {
    let x = x(&builder)
    let ids = builder.input("ids", ValueType(.int32, [2, 2]))
    return try builder.append("words", Gather(x, indices: ids))
  }

  static let cases: [Case] = [
    Case(name: "unknown operation", expected: "operation 'erfinv' ('strange') cannot be run") {
      try $0.append("strange", Erfinv(x: x(&$0)))
    },
    Case(name: "missing weight", expected: "add 'sum': weight 'w' is missing", build: addWeight),
    Case(
      name: "shape of a weight",
      expected: "add 'sum': weight 'w' has shape [2], the graph needs [3]",
      weights: MemoryWeights(tensors: ["w": ([2], [1, 2])]), build: addWeight),
    Case(
      name: "shape of a weight with a one too many",
      expected: "add 'sum': weight 'w' has shape [1, 3], the graph needs [3]",
      weights: MemoryWeights(tensors: ["w": ([1, 3], [1, 2, 3])]), build: addWeight),
    Case(
      name: "count of a weight",
      expected: "add 'sum': weight 'w' gave 2 values, its shape [3] has 3",
      weights: MemoryWeights(tensors: ["w": ([3], [1, 2])]), build: addWeight),
    Case(
      name: "index too large", expected: "gather 'words': index 3 at position 2 is outside 0..<3",
      inputs: ["x": .floats([1, 2, 3]), "ids": .integers([0, 2, 3, 9])], build: gather),
    Case(
      name: "index below zero",
      expected: "gather 'words': index -1 at position 0 is outside 0..<3",
      inputs: ["x": .floats([1, 2, 3]), "ids": .integers([-1, 2, 3, 9])], build: gather),
    Case(
      name: "division of integers",
      expected: "real_div 'ratio': division of an integer by zero at position 1",
      inputs: ["a": .integers([6, 7]), "b": .integers([3, 0])]
    ) {
      let a = $0.input("a", ValueType(.int32, [2])), b = $0.input("b", ValueType(.int32, [2]))
      return try $0.append("ratio", ElementwiseBinary(.realDivision, a, b))
    },
    Case(
      name: "missing input", expected: "input 'x' (fp32 [3]) is missing", inputs: [:],
      build: { x(&$0) }),
    Case(
      name: "unknown input", expected: "'y' is not an input of the graph",
      inputs: ["x": .floats([1, 2, 3]), "y": .floats([])], build: { x(&$0) }),
    Case(
      name: "kind of an input", expected: "input 'x' is integers, the graph takes fp32 [3]",
      inputs: ["x": .integers([1, 2, 3])], build: { x(&$0) }),
    Case(
      name: "floats for integers", expected: "input 'ids' is floats, the graph takes int32 [2, 2]",
      inputs: ["x": .floats([1, 2, 3]), "ids": .floats([0, 1, 2, 0])], build: gather),
    Case(
      name: "count of an input", expected: "input 'x' has 2 values, fp32 [3] has 3",
      inputs: ["x": .floats([1, 2])], build: { x(&$0) }),
    Case(
      name: "count of integers", expected: "input 'ids' has 0 values, int32 [2, 2] has 4",
      inputs: ["x": .floats([1, 2, 3]), "ids": .integers([])], build: gather),
  ]

  @Test(arguments: cases)
  func saysWhatIsWrong(_ test: Case) throws {
    var builder = GraphBuilder()
    let output = try test.build(&builder)
    let graph = try builder.finish(output: output)
    let executor = Executor(weights: test.weights, jobs: 1)
    #expect(message { _ = try executor.run(graph, inputs: test.inputs) } == test.expected)
  }

  @Test func joinedWeightsAreCheckedToo() throws {
    var builder = GraphBuilder()
    let output = try FusionTests.attentionBlock(&builder)
    let graph = try builder.finish(output: output)
    var held = weights(for: graph, seed: 1)
    held.tensors["k.w"] = ([30, 29], Array(repeating: 0, count: 870))
    let executor = Executor(weights: held, jobs: 1)
    #expect(
      message { _ = try executor.run(graph, inputs: inputs(for: graph, seed: 1)) }
        == "linear 'q': weight 'k.w' has shape [30, 29], the graph needs [30, 30]")
  }

  @Test func errorsOfTheSourceArePassedOn() throws {
    var broken = MemoryWeights(tensors: ["w": ([3], [1, 2, 3])])
    broken.unreadable = ["w"]
    var builder = GraphBuilder()
    let output = try Self.addWeight(&builder)
    let graph = try builder.finish(output: output)
    #expect(throws: MemoryWeights.Unreadable(name: "w")) {
      _ = try Executor(weights: broken, jobs: 1).run(graph, inputs: ["x": .floats([1, 2, 3])])
    }
  }
}
