import Graph
import ModelFixtures
import TestSupport
import Testing

@testable import Execution

/// Memory of plans: what is alive together never shares, what is not does.
struct ExecutionPlanTests {
  /// A random graph of element-by-element operations, views and copies over [4, 6] and its parts.
  private static func randomGraph(seed: UInt64) throws -> ModelGraph {
    var generator = SeededGenerator(seed: seed)
    var builder = GraphBuilder()
    var values = (0..<2).map { builder.input("x\($0)", ValueType(.float32, [4, 6])) }
    for index in 0..<30 {
      let recent = values.suffix(5)
      guard let x = recent.randomElement(using: &generator),
        let y = recent.randomElement(using: &generator)
      else { continue }
      let name = "v\(index)"
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: values.append(try builder.append(name, ElementwiseBinary(.add, x, y)))
      case 1: values.append(try builder.append(name, ElementwiseBinary(.sub, x, y)))
      case 2: values.append(try builder.append(name, ElementwiseBinary(.maximum, x, y)))
      case 3: values.append(try builder.append(name, ElementwiseUnary(.tanh, x)))
      case 4:
        // A row of x against all of x: the sum must not be written over the row it reads.
        let row = try builder.append(
          "\(name)_row", SliceByIndex(x, begin: [1, 0], end: [2, 6]))
        values.append(try builder.append(name, ElementwiseBinary(.sub, x, row)))
      case 5:
        let view = try builder.append("\(name)_view", Reshape(x, shape: [6, 4]))
        values.append(try builder.append(name, Transpose(view, permutation: [1, 0])))
      case 6:
        let view = try builder.append("\(name)_view", Reshape(x, shape: [1, 24]))
        values.append(try builder.append(name, Reshape(view, shape: [4, 6])))
      default:
        let sum = try builder.append("\(name)_sum", Reduce(.max, y, axis: 1, keepsAxis: true))
        values.append(try builder.append(name, ElementwiseBinary(.sub, x, sum)))
      }
    }
    return try builder.finish(output: values[values.count - 1])
  }

  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func sharedMemoryChangesNothing(_ seed: UInt64) throws {
    let graph = try Self.randomGraph(seed: seed)
    let values = inputs(for: graph, seed: seed)
    let expected = try Reference(weights: MemoryWeights()).run(graph, values)
    let found = try Executor(weights: MemoryWeights(), jobs: 1).run(graph, inputs: values)
    #expect(difference(found, expected) <= 1e-4)
  }

  @Test func aChainNeedsTheMemoryOfOneValue() throws {
    var builder = GraphBuilder()
    var value = builder.input("x", ValueType(.float32, [1000]))
    for index in 0..<20 { value = try builder.append("v\(index)", ElementwiseUnary(.tanh, value)) }
    let plan = try ExecutionPlanBuilder(weights: WeightStore(MemoryWeights()), fuses: true)
      .plan(builder.finish(output: value))
    // And the empty scratch memory of each step.
    #expect(plan.workspaceCount == 1008 + 16)
  }

  @Test func whatNoOneReadsIsNotRun() throws {
    var builder = GraphBuilder()
    let x = builder.input("x", ValueType(.float32, [4]))
    _ = try builder.append("unused", ElementwiseUnary(.tanh, x))
    let y = try builder.append("used", ElementwiseUnary(.relu, x))
    let plan = try ExecutionPlanBuilder(weights: WeightStore(MemoryWeights()), fuses: true)
      .plan(builder.finish(output: y))
    #expect(plan.steps.map(\.place.value) == ["used"])
  }

  @Test func layoutReusesTheFirstGapThatFits() {
    var layout = WorkspaceLayout()
    let first = layout.take(20), second = layout.take(5), third = layout.take(0)
    #expect([first, second, third] == [0, 32, 48])
    layout.give(first)
    #expect(layout.take(33) == 64)
    #expect(layout.take(10) == 0)
    #expect(layout.take(16) == 16)
    #expect(layout.count == 112)
  }
}
