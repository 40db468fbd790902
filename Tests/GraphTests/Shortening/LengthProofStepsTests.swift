import Testing
import Weights

@testable import Graph

/// Operations that jump: rounding must not decide them, and rows of tables must be found at padding, too.
struct LengthProofStepsTests {
  typealias Pair = LengthProofNumbersTests.Pair

  private static let zero = Operand.literal(.float(0))

  /// Sums of fewer tokens may be rounded otherwise.
  static let rounded: [Pair] = [
    Pair("comparison of tokens", proven: .present, refused: .context) { place in
      SmallGraph(changes: [place: compared])
    },
    Pair("comparison of the output", proven: .present, refused: .output) { place in
      SmallGraph(changes: [place: compared], pooling: place == .output ? .first : .masked)
    },
    Pair("integers of numbers", proven: .present, refused: .context) { place in
      SmallGraph(
        changes: [place: SmallGraph.steps({ Cast($0, to: .int32) }, { Cast($0, to: .float32) })])
    },
    Pair("truth of numbers", proven: .present, refused: .output) { place in
      SmallGraph(
        changes: [place: SmallGraph.steps({ Cast($0, to: .bool) }, { Cast($0, to: .float32) })],
        pooling: place == .output ? .first : .masked)
    },
  ]

  // 1 of a mask's 1, 0 of its 0.
  private static let compared = SmallGraph.steps(
    { Comparison(.less, zero, $0) }, { Cast($0, to: .float32) })

  /// The table has five rows; ids are rows of it.
  static let places: [Pair] = [
    Pair("rows at padding", proven: 4, refused: 5) { (row: Int32) in
      SmallGraph(
        changes: [
          .ids: { graph, ids in
            let mask = Operand.value("attention_mask")
            let kept = try graph.append("kept_ids", ElementwiseBinary(.mul, ids, mask))
            let missing = try graph.append(
              "no_token", ElementwiseBinary(.sub, integer(1), mask))
            let other = try graph.append(
              "other_ids", ElementwiseBinary(.mul, missing, integer(row)))
            return try graph.append("all_ids", ElementwiseBinary(.maximum, kept, other))
          }
        ])
    },
    // Ids below zero, of which there are none, are counted from the table's end.
    Pair("ids from the end", proven: 0, refused: 1) { (first: Int32) in
      SmallGraph(
        changes: [
          .ids: { graph, ids in
            let isMeant = try graph.append(
              "is_meant", Comparison(.greaterOrEqual, ids, integer(first)))
            let counted = try graph.append("counted", ElementwiseBinary(.add, ids, integer(5)))
            return try graph.append("chosen", Select(isMeant, ids, else: counted))
          }
        ])
    },
    Pair("numbers of tokens", proven: 4, refused: 3) { (skipped: Int32) in
      SmallGraph(
        changes: [
          .ids: { graph, _ in
            let count = try graph.append(
              "count", CumulativeSum(.value("attention_mask"), axis: 1))
            let behind = try graph.append(
              "behind", ElementwiseBinary(.sub, count, integer(skipped)))
            return try graph.append("from_zero", ElementwiseBinary(.maximum, behind, integer(0)))
          }
        ])
    },
    mapped(proven: 4, refused: 5), mapped(proven: 0, refused: -1), mapped(proven: 0, refused: .nan),
  ]

  // Ids are looked up in a table of row numbers first.
  private static func mapped(proven: Float, refused: Float) -> Pair {
    Pair("row number \(refused)", proven: proven, refused: refused) { number in
      SmallGraph(
        changes: [
          .ids: SmallGraph.steps(
            { Gather(SmallGraph.weight("row_numbers", [7]), indices: $0) },
            { Cast($0, to: .int32) })
        ], numbers: ["row_numbers": number])
    }
  }

  private static func integer(_ number: Int32) -> Operand {
    .literal(.integers([number], shape: []))
  }

  @Test(arguments: rounded + places)
  func jumpOnlyWhereTheyAlwaysDo(_ pair: Pair) throws {
    #expect(try pair.proven.proof() != nil)
    #expect(try pair.refused.proof() == nil)
  }
}
