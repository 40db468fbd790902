import Graph
import Testing
import Weights

@testable import Formats

/// Masks of −∞ in programs: made finite where that is the same, and nowhere else.
struct MaskMendingTests {
  /// scores [1, 4] and condition [1, 4]; makes the operations between them and the output.
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    /// The message about a constant that is not a mask; nil where it is made finite.
    var fault: String?
    let build: @Sendable (inout GraphBuilder, Operand, Operand) throws -> Operand
    var testDescription: String { name }

    func graph() throws -> ModelGraph {
      var builder = GraphBuilder()
      let scores = builder.input("scores", ValueType(.float32, [1, 4]))
      let hidden = builder.input("hidden", ValueType(.bool, [1, 4]))
      let output = try build(&builder, scores, hidden)
      return try builder.finish(output: output)
    }
  }

  static let infinity = Operand.literal(.float(-.infinity))

  static let cases: [Case] = [
    Case(name: "chosen right before a softmax") { graph, scores, hidden in
      let masked = try graph.append("masked", Select(hidden, infinity, else: scores))
      return try graph.append("shares", Softmax(masked))
    },
    Case(name: "as the other choice") { graph, scores, hidden in
      let masked = try graph.append("masked", Select(hidden, scores, else: infinity))
      return try graph.append("shares", Softmax(masked))
    },
    Case(name: "added to scores by way of changes of shape") { graph, scores, hidden in
      let mask = try graph.append(
        "mask", Select(hidden, infinity, else: .literal(.float(0))))
      let tiled = try graph.append("tiled", Tile(mask, repetitions: [2, 1]))
      let row = try graph.append("row", SliceByIndex(tiled, begin: [0, 0], end: [1, 4]))
      let sum = try graph.append("sum", ElementwiseBinary(.add, scores, row))
      return try graph.append("shares", Softmax(sum))
    },
    Case(
      name: "that is multiplied",
      fault: "the constant 'c' is -inf, read by mul 'product', and 0 · -inf is NaN"
    ) { graph, scores, _ in
      let product = try graph.append("product", ElementwiseBinary(.mul, scores, infinity))
      return try graph.append("shares", Softmax(product))
    },
    Case(
      name: "that the model puts out", fault: "the constant 'c' is -inf, read by select 'masked'"
    ) { graph, scores, hidden in try graph.append("masked", Select(hidden, infinity, else: scores))
    },
    Case(
      name: "that something else reads too",
      fault: "the constant 'c' is -inf, read by select 'masked'"
    ) { graph, scores, hidden in
      let masked = try graph.append("masked", Select(hidden, infinity, else: scores))
      let shares = try graph.append("shares", Softmax(masked))
      return try graph.append("both", ElementwiseBinary(.add, shares, masked))
    },
    Case(
      name: "that is subtracted", fault: "the constant 'c' is -inf, read by sub 'rest'"
    ) { graph, scores, _ in
      let rest = try graph.append("rest", ElementwiseBinary(.sub, scores, infinity))
      return try graph.append("shares", Softmax(rest))
    },
  ]

  @Test(arguments: cases)
  func numbers(_ test: Case) throws {
    let graph = try test.graph()
    let places = graph.nodes.flatMap { node in
      node.operation.operands.filter { $0.operand == Self.infinity }.map {
        (ConstantPlace(value: node.name, parameter: $0.parameter, number: -.infinity), "c")
      }
    }
    #expect(places.count == 1)
    let mending = try MaskMending(
      graph, numbers: Dictionary(uniqueKeysWithValues: places), constants: [:])
    #expect(mending.faults.map(\.description) == (test.fault.map { [$0] } ?? []))
    #expect(mending.mended == (test.fault == nil ? ["c"] : []))
    let left = mending.graph.nodes.flatMap(\.operation.operands).count {
      $0.operand == Self.infinity
    }
    #expect(left == (test.fault == nil ? 0 : 1))
    #expect(mending.graph.nodes.map(\.name) == graph.nodes.map(\.name))
  }

  /// A stored mask is part of the graph from then on, and no weight that could be compressed.
  @Test(arguments: [false, true])
  func storedMasks(isReadElsewhere: Bool) throws {
    var builder = GraphBuilder()
    let scores = builder.input("scores", ValueType(.float32, [2, 2]))
    let mask = Operand.weight(WeightReference("mask", [2, 2], role: .positionTable))
    let sum = try builder.append("sum", ElementwiseBinary(.add, scores, mask))
    var output = try builder.append("shares", Softmax(sum))
    if isReadElsewhere {
      output = try builder.append("product", ElementwiseBinary(.mul, output, mask))
    }
    let graph = try builder.finish(output: output)
    let values: [Float] = [0, -.infinity, 0.5, 0]
    let stored = WeightConstant(
      name: "mask", operation: "const", type: .float32, shape: [2, 2],
      form: .plain(try TensorData(.floats(values, [2, 2]), ConstantFolder().blobs(of: []))))
    let mending = try MaskMending(graph, numbers: [:], constants: ["mask": stored])
    #expect(mending.mended == (isReadElsewhere ? [] : ["mask"]))
    #expect(mending.graph.weights.map(\.name) == (isReadElsewhere ? ["mask"] : []))
    guard !isReadElsewhere else { return }
    #expect(
      mending.graph.nodes[0].operation.operands[1].operand
        == .literal(.floats([0, -10000, 0.5, 0], shape: [2, 2])))
  }
}
