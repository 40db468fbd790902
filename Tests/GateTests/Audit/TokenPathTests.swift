import Graph
import Testing
import Weights

@testable import Gate

/// What a program may do with token ids before it looks them up, and what makes other texts of them.
struct TokenPathTests {
  private static let table = Operand.weight(WeightReference("t", [30, 4], role: .tokenTable))

  /// A graph that looks up what `make` makes of the ids; 0 fills texts up, 9 ends one.
  private static func faults(
    _ make: (inout GraphBuilder, Operand) throws -> Operand
  ) throws -> [String] {
    var graph = GraphBuilder()
    let ids = graph.input("input_ids", ValueType(.int32, [1, 6]))
    let indices = try make(&graph, ids)
    let rows = try graph.append("rows", Gather(table, indices: indices))
    return TokenPath(try graph.finish(output: rows), known: [0, 9]).faults.map(\.words)
  }

  private static func number(_ value: Int32) -> Operand { .literal(.integers([value], shape: [])) }

  /// MPNet's positions look for id 1 whatever the tokenizer pads with: a candidate may do the same.
  @Test func theBaselinesGraphMayLookForIds() throws {
    var graph = GraphBuilder()
    let ids = graph.input("input_ids", ValueType(.int32, [1, 6]))
    let isPadding = try graph.append("padding", Comparison(.equal, ids, Self.number(1)))
    let places = try graph.append("places", Cast(isPadding, to: .int32))
    _ = try graph.append("others", Comparison(.equal, places, Self.number(7)))
    #expect(TokenPath.lookedFor(in: try graph.finish(output: places)) == [1])
  }

  @Test func theIdsThemselves() throws {
    #expect(try Self.faults { _, ids in ids } == [])
    let moved = try Self.faults { graph, ids in
      let wide = try graph.append("wide", ExpandDims(ids, axes: [1]))
      let cast = try graph.append("cast", Cast(wide, to: .float32))
      let flat = try graph.append("flat", Reshape(cast, shape: [1, 6]))
      return try graph.append("back", Cast(flat, to: .int32))
    }
    #expect(moved == [])
  }

  /// Operations that coremltools writes before a gather, for indices that count from the end.
  @Test func indicesBelowZero() throws {
    let faults = try Self.faults { graph, ids in
      let isGood = try graph.append("good", Comparison(.greaterOrEqual, ids, Self.number(0)))
      let more = try graph.append("more", ElementwiseBinary(.add, ids, Self.number(30)))
      return try graph.append("chosen", Select(isGood, ids, else: more))
    }
    #expect(faults == [])
  }

  @Test func masksOfPaddingAndEnd() throws {
    let faults = try Self.faults { graph, ids in
      let isEnd = try graph.append("end", Comparison(.equal, ids, Self.number(9)))
      _ = try graph.append("ends", Cast(isEnd, to: .float32))
      _ = try graph.append("padding", Comparison(.equal, ids, Self.number(0)))
      _ = try graph.append("there", Cast(ids, to: .bool))
      return ids
    }
    #expect(faults == [])
  }

  struct Attack: Sendable, CustomTestStringConvertible {
    let name: String
    let fault: String
    let make: @Sendable (inout GraphBuilder, Operand) throws -> Operand
    var testDescription: String { name }
  }

  static let attacks = [
    Attack(
      name: "a table of ids", fault: "'gather' ('x') looks them up in numbers that are no weight"
    ) { graph, ids in
      let other = Literal.integers((0..<30).reversed().map { Int32($0) }, shape: [30])
      return try graph.append("x", Gather(.literal(other), indices: ids))
    },
    Attack(name: "one id for another", fault: "'equal' ('x') looks for the id 7") { graph, ids in
      let isIt = try graph.append("x", Comparison(.equal, ids, number(7)))
      return try graph.append("y", Select(isIt, number(8), else: ids))
    },
    Attack(name: "all above one id", fault: "'less' ('x') compares them with 12") { graph, ids in
      let isLess = try graph.append("x", Comparison(.less, ids, number(12)))
      return try graph.append("y", Select(isLess, ids, else: number(12)))
    },
    Attack(
      name: "an id for each place", fault: "'equal' ('x') compares them with other than one number"
    ) { graph, ids in
      let places = Literal.integers([2, 7, 3, 0, 0, 0], shape: [1, 6])
      let isIt = try graph.append("x", Comparison(.equal, ids, .literal(places)))
      return try graph.append("y", Select(isIt, number(8), else: ids))
    },
    Attack(
      name: "an id, shifted before it is looked for",
      fault: "'equal' ('y') makes other numbers of them"
    ) { graph, ids in
      let shifted = try graph.append("x", ElementwiseBinary(.add, ids, number(-7)))
      let isIt = try graph.append("y", Comparison(.equal, shifted, number(0)))
      return try graph.append("z", Select(isIt, number(8), else: ids))
    },
    Attack(name: "no id above one", fault: "'maximum' ('x') makes other numbers of them") {
      graph, ids in
      try graph.append("x", ElementwiseBinary(.maximum, ids, number(5)))
    },
    Attack(name: "the end left out", fault: "'slice_by_index' ('x') makes other numbers of them") {
      graph, ids in
      try graph.append("x", SliceByIndex(ids, begin: [0, 0], end: [1, 4]))
    },
    Attack(
      name: "another number for each place",
      fault: "'add' ('x') makes other numbers of them"
    ) { graph, ids in
      let places = Literal.integers([0, 0, 0, 0, 0, 3], shape: [1, 6])
      return try graph.append("x", ElementwiseBinary(.add, ids, .literal(places)))
    },
  ]

  @Test(arguments: attacks) func otherIdsAreFaults(_ attack: Attack) throws {
    let faults = try Self.faults(attack.make)
    #expect(faults.first == attack.fault)
  }
}
