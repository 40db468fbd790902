import ModelFixtures
import TestSupport
import Testing
import Weights

@testable import Graph

/// A graph of one head with a table of positions, which the cases of a test change; width 4, and a text
/// has 8 places.
struct SmallGraph: CustomTestStringConvertible, Sendable {
  enum Pooling: Sendable { case masked, product, all, mean, first, third, none, maximum }

  /// Where operations may be put in.
  enum Place: Sendable {
    /// The words' ids; their vectors, normalised; what attention weighs of these.
    case ids, states, values
    /// Before the mask is added.
    case scores
    /// The mask that pools, as integers and as floats.
    case mask, present
    /// What is pooled; the same, less by 0.45 where the mask is 0, which the maximum adds to it; and
    /// the output.
    case context, hidden, output
  }

  typealias Change = @Sendable (inout GraphBuilder, Operand) throws -> Operand

  var hiding: Float = -10000
  var masksScores = true
  /// Of the norm's: scores are at most 4 · gain² then, as a normalised row has the length 2.
  var gain: Float = 1
  var changes: [Place: Change] = [:]
  /// One number for all of a weight.
  var numbers: [TensorName: Float] = [:]
  var pooling = Pooling.masked
  var testDescription = ""

  func graph() throws -> ModelGraph {
    var graph = GraphBuilder()
    let type = ValueType(.int32, [1, 8])
    let ids = graph.input("input_ids", type), mask = graph.input("attention_mask", type)
    let words = try graph.append(
      "words", Gather(Self.weight("table", [5, 4]), indices: try changed(.ids, ids, &graph)))
    let placed = try graph.append(
      "placed", ElementwiseBinary(.add, words, Self.weight("positions", [8, 4])))
    var even = try graph.append(
      "even",
      LayerNorm(
        placed, gamma: Self.weight("gain", [4]), beta: Self.weight("shift", [4]), epsilon: 1e-12))
    even = try changed(.states, even, &graph)
    let present = try graph.append("present", Cast(mask, to: .float32))
    let missing = try graph.append(
      "missing", ElementwiseBinary(.sub, .literal(.float(1)), present))
    let hidden = try graph.append(
      "hidden", ElementwiseBinary(.mul, missing, .literal(.float(hiding))))
    let scores = try scores(even, hidden, &graph)
    let shares = try graph.append("shares", Softmax(scores))
    let values = try changed(.values, even, &graph)
    let context = try graph.append("context", Matmul(shares, values))
    let pooled = try pool(try changed(.context, context, &graph), mask, missing, &graph)
    let output = try changed(.output, pooled, &graph)
    return try graph.finish(output: output)
  }

  private func scores(
    _ even: Operand, _ hidden: Operand, _ graph: inout GraphBuilder
  ) throws -> Operand {
    let products = try graph.append("scores", Matmul(even, even, transposeY: true))
    let scores = try changed(.scores, products, &graph)
    guard masksScores else { return scores }
    let wide = try graph.append("hidden_wide", ExpandDims(hidden, axes: [1]))
    return try graph.append("masked", ElementwiseBinary(.add, scores, wide))
  }

  private func pool(
    _ context: Operand, _ mask: Operand, _ missing: Operand, _ graph: inout GraphBuilder
  ) throws -> Operand {
    func place(_ number: Int) throws(GraphError) -> Operand {
      try graph.append(
        "row",
        SliceByIndex(context, begin: [0, number, 0], end: [1, number + 1, 4], squeezedAxes: [1]))
    }
    switch pooling {
    case .first: return try place(0)
    case .third: return try place(2)
    case .none: return context
    case .all: return try graph.append("sum", Reduce(.sum, context, axis: 1, keepsAxis: false))
    case .mean:
      return try graph.append("mean", Reduce(.mean, context, axis: 1, keepsAxis: false))
    case .masked, .product:
      let shown = try graph.append("shown", Cast(try changed(.mask, mask, &graph), to: .float32))
      let wide = try graph.append(
        "mask_wide", ExpandDims(try changed(.present, shown, &graph), axes: [2]))
      if pooling == .product {
        return try graph.append("product", Matmul(context, wide, transposeX: true))
      }
      let kept = try graph.append("kept", ElementwiseBinary(.mul, context, wide))
      return try graph.append("sum", Reduce(.sum, kept, axis: 1, keepsAxis: false))
    case .maximum:
      let wide = try graph.append("missing_wide", ExpandDims(missing, axes: [2]))
      let lower = try graph.append(
        "lower", ElementwiseBinary(.mul, wide, .literal(.float(-0.45))))
      let low = try graph.append("low", ElementwiseBinary(.add, context, lower))
      let scaled = try changed(.hidden, low, &graph)
      let sum = try graph.append("raised", ElementwiseBinary(.add, scaled, context))
      return try graph.append("maximum", Reduce(.max, sum, axis: 1, keepsAxis: false))
    }
  }

  private func changed(
    _ place: Place, _ value: Operand, _ graph: inout GraphBuilder
  ) throws -> Operand {
    try changes[place].map { try $0(&graph, value) } ?? value
  }

  func weights() throws -> MemoryWeights {
    var generator = SeededGenerator(seed: 11)
    var weights = MemoryWeights(for: try graph().weights) { reference in
      (0..<reference.elementCount).map { _ in Float.random(in: -1...1, using: &generator) }
    }
    weights.change("gain") { _ in gain }
    weights.change("shift") { _ in 0 }
    for (name, number) in numbers { weights.change(name) { _ in number } }
    return weights
  }

  func proof() throws -> LengthProof? { try LengthProof(try graph(), weights: try weights()) }
}

extension SmallGraph {
  static func weight(_ name: TensorName, _ shape: [Int]) -> Operand {
    .weight(WeightReference(name, shape, role: .positionTable))
  }

  /// One operation after the other.
  static func steps(_ operations: (@Sendable (Operand) -> any Operation)...) -> Change {
    steps(operations)
  }

  /// Multiplied by one number after the other.
  static func scales(_ factors: Float...) -> Change {
    steps(
      factors.map { factor in { ElementwiseBinary(.mul, $0, .literal(.float(factor))) } })
  }

  private static func steps(_ operations: [@Sendable (Operand) -> any Operation]) -> Change {
    { graph, operand in
      var operand = operand
      for operation in operations {
        var name = "changed"
        while graph.type(of: .value(name)) != nil { name += "_" }
        operand = try graph.append(name, operation(operand))
      }
      return operand
    }
  }
}
