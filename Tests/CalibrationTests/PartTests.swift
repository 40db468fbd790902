import Execution
import Graph
import TestSupport
import Testing

@testable import Calibration

/// Parts of a graph make the values that the whole makes.
@Suite struct PartTests {
  private let inputs: [String: InputValues] = [
    "input_ids": .integers([2, 5, 9, 3, 2, 30, 6, 3]),
    "attention_mask": .integers(Array(repeating: 1, count: 8)),
  ]

  @Test func partsMadeOneAfterTheOtherGiveTheOutput() throws {
    let model = try TinyBert.model()
    let graph = try model.architecture.graph(batch: 2, length: 4)
    let executor = Executor(weights: model.weights, jobs: 1)
    let whole = try executor.run(graph, inputs: inputs)
    var known: [String: InputValues] = [:]
    for name in ["layer0_query", "layer0_wide", "layer0_output", "layer1_value", graph.output] {
      let part = try graph.part(making: name, from: Set(known.keys))
      let given = inputs.merging(known) { _, new in new }
        .filter { input in part.inputs.contains { $0.name == input.key } }
      known[name] = .floats(try executor.run(part, inputs: given))
    }
    guard case .floats(let values) = known[graph.output] else { return }
    #expect(values.count == whole.count)
    #expect(zip(values, whole).allSatisfy { abs($0 - $1) < 1e-5 })
  }

  @Test func partsRunNoMoreThanTheyNeed() throws {
    let graph = try TinyBert.model().architecture.graph(batch: 1, length: 3)
    let part = try graph.part(making: "layer0_wide", from: ["layer0_middle", "layer1_query"])
    #expect(part.nodes.map(\.name) == ["layer0_wide"])
    #expect(part.inputs.map(\.name) == ["layer0_middle"])
    let reach = graph.reach(of: ["layer0_middle"], from: ["layer0_middle"])
    #expect(reach.sources == ["layer0_middle"] && reach.made.isEmpty)
  }

  @Test func namesAValueThatNothingMakes() throws {
    let graph = try TinyBert.model().architecture.graph(batch: 1, length: 3)
    for name in ["no_such", "input_ids"] {
      #expect(
        refusal { _ = try graph.part(making: name, from: []) }
          == "graph '\(name)': no operation makes a value of this name")
    }
  }
}
