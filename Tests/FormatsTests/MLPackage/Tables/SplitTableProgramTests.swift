import Graph
import Testing
import WeightCompression
import Weights

@testable import Formats

/// Lookups in split tables as operations of a program.
struct SplitTableProgramTests {
  /// One list, one text, and several at once.
  static let shapes = [[6], [1, 6], [2, 3], [4, 4]]

  @Test(arguments: shapes, DeploymentTarget.allCases)
  func readsBackAsOneLookup(_ shape: [Int], _ target: DeploymentTarget) throws {
    let trip = try SplitLookups.program(shape, target: target)
    #expect(
      trip.operations.map(\.type).filter { $0 != "const" } == [
        "constexpr_lut_to_dense", "constexpr_lut_to_dense", "less", "select", "sub", "maximum",
        "gather", "gather", "expand_dims", "select", "cast", "identity",
      ])
    #expect(ProgramRoundTripTests.lines(trip.read.graph) == [SplitLookups.line(shape)])
    #expect(trip.read.graph.inputs.map(\.name) == ["ids", "others"])
    #expect(trip.read.float16Values == ["words"])
    #expect(trip.read.constants.keys.sorted() == ["word_embeddings_weight"])
  }

  /// What is written of the rows 0 … 7 and 8 … 23, operation by operation.
  @Test func everyOperation() throws {
    let trip = try SplitLookups.program([1, 6])
    let words = ["less", "select", "sub", "maximum", "gather", "expand_dims"].flatMap { type in
      trip.operations.filter { $0.type == type }.map { $0.words.joined(separator: "; ") }
    }
    // Both are zero.
    let others = "input axis: words_first_axis; input batch_dims: words_first_axis"
    let validates = "input validate_indices: words_first_validate_indices"
    #expect(
      words == [
        "less; input x: ids; input y: integers; words_is_first: bool [1, 6]",
        "select; input a: ids; input b: integers_1; input cond: words_is_first; "
          + "words_first_ids: int32 [1, 6]",
        "select; input a: words_first; input b: words_rest; input cond: words_choice; "
          + "words: fp16 [1, 6, 4]",
        "sub; input x: ids; input y: integers; words_behind: int32 [1, 6]",
        "maximum; input x: words_behind; input y: integers_2; words_rest_ids: int32 [1, 6]",
        "gather; \(others); input indices: words_first_ids; \(validates); "
          + "input x: word_embeddings_weight_first; words_first: fp16 [1, 6, 4]",
        "gather; \(others); input indices: words_rest_ids; \(validates); "
          + "input x: word_embeddings_weight_rest; words_rest: fp16 [1, 6, 4]",
        "expand_dims; input axes: words_choice_axes; input x: words_is_first; "
          + "words_choice: bool [1, 6, 1]",
      ])
    func number(_ name: String) -> [Int32] {
      trip.operations[name].attributes["val"]?.immediateValue.tensor.ints.values ?? []
    }
    #expect(["integers", "integers_1", "integers_2"].map(number) == [[8], [7], [0]])
    #expect(number("words_choice_axes") == [2])
  }

  /// Schemes of both parts, and the oldest system that can hold both.
  static let schemes: [(SplitScheme, DeploymentTarget)] = [
    (SplitLookups.palettes, .iOS16),
    (SplitScheme(rows: 8, first: .int8(.perChannel), rest: .palette(bits: 1, .perTensor)), .iOS16),
    (
      SplitScheme(
        rows: 10, first: .linear(LinearScheme(.uint8, mode: .asymmetric, granularity: .perTensor)),
        rest: .palette(bits: 3, .perTensor)), .iOS18
    ),
    (
      SplitScheme(
        rows: 8, first: .palette(bits: 4, .perGroup(size: 4)),
        rest: .palette(PaletteScheme(bits: 2, granularity: .perGroup(size: 8), entries: .int8))),
      .iOS18
    ),
    (
      SplitScheme(
        rows: 12, first: .palette(PaletteScheme(bits: 4, granularity: .perTensor, width: 2)),
        rest: .linear(LinearScheme(.int4, granularity: .perBlock(size: 2)))), .iOS18
    ),
    (
      SplitScheme(
        rows: 2, first: .linear(LinearScheme(.uint4, mode: .asymmetric, granularity: .perChannel)),
        rest: .linear(LinearScheme(.uint4, granularity: .perChannel))), .iOS18
    ),
  ]

  /// Values, bytes, bits and words of the table are those of its parts.
  @Test(arguments: schemes) func aTableOfTwoParts(
    _ scheme: SplitScheme, _ lowest: DeploymentTarget
  ) throws {
    #expect(DeploymentTarget.lowest(for: .split(scheme)) == lowest)
    let trip = try SplitLookups.program([1, 6], scheme, target: lowest)
    let constant = try #require(trip.read.constants["word_embeddings_weight"])
    let tensor = trip.weights.tensors[0], planned = trip.weights.planned[0]
    #expect(constant.shape == [24, 4])
    #expect(try constant.floats() == tensor.dequantized())
    #expect(constant.byteCount == planned.byteCount + planned.extraBytes)
    guard case .split(let first, let rest) = constant.form else {
      Issue.record("no parts")
      return
    }
    #expect(first.shape == [scheme.rows, 4] && rest.shape == [24 - scheme.rows, 4])
    #expect(try constant.floats() == first.floats() + rest.floats())
    #expect(constant.byteCount == first.byteCount + rest.byteCount)
    #expect(constant.bits == max(first.bits, rest.bits) && constant.bits == tensor.bits)
    #expect(
      constant.label == "\(scheme.rows) rows in \(first.label), others in \(rest.label)")
  }

  @Test func wordsOfListings() throws {
    let constant = try #require(
      try SplitLookups.program().read.constants["word_embeddings_weight"])
    #expect(
      constant.label == "8 rows in palette 4 bits, one table, others in palette 2 bits, one table")
    #expect(constant.bits == 4)
    // 32 indices of four bits, 64 of two, and the numbers of both tables.
    #expect(constant.byteCount == 16 + 32 + 16 + 8)
  }

  /// A table that is read twice is stored once, and stays one table.
  @Test func twoLookups() throws {
    var builder = GraphBuilder()
    let ids = builder.input("ids", ValueType(.int32, [2, 3]))
    let others = builder.input("others", ValueType(.int32, [2, 3]))
    let table = Operand.weight(SplitLookups.table)
    let first = try builder.append("first", Gather(table, indices: ids))
    let second = try builder.append("second", Gather(table, indices: others))
    let result = try builder.append("sum", ElementwiseBinary(.add, first, second))
    let trip = try RoundTrip(
      try builder.finish(output: result), target: .iOS18, options: SplitLookups.options())
    #expect(trip.operations.count { $0.type == "constexpr_lut_to_dense" } == 2)
    #expect(
      trip.read.graph.nodes.map { "\($0.name) \($0.operation.milName)" }
        == ["first gather", "second gather", "sum add"])
    #expect(trip.read.constants.keys.sorted() == ["word_embeddings_weight"])
    // Where one of them is no lookup, neither is read as one: the parts would be there twice.
    var operations = trip.operations
    operations["second_behind"].inputs["y"] = .value(.int(7))
    let read = try trip.reading(operations)
    #expect(read.graph.nodes.count == 17)
    #expect(
      read.constants.keys.sorted()
        == ["word_embeddings_weight_first", "word_embeddings_weight_rest"])
  }

  /// Names of parts that are taken get a number, and the table keeps its own.
  @Test func namesThatAreTaken() throws {
    let names = TablePartNames(of: "t", avoiding: ["t_rest", "t_first_1"])
    #expect(names.first == "t_first_2" && names.rest == "t_rest_2")
    #expect(TablePartNames.table(first: names.first, rest: names.rest) == "t")
    let inner = TablePartNames(of: "a_first", avoiding: [])
    #expect(TablePartNames.table(first: inner.first, rest: inner.rest) == "a_first")
    let pairs = [
      ("t_first", "t_rest_1"), ("t_first_1", "t_rest"), ("t_first", "u_rest"),
      ("t_rest", "t_first"), ("t_first_x", "t_rest_x"), ("t_first_", "t_rest_"),
      ("t_firsts", "t_rests"), ("t", "t"), ("", ""),
    ]
    #expect(pairs.allSatisfy { TablePartNames.table(first: $0.0, rest: $0.1) == nil })
  }

  /// A value of the graph that is called like a part.
  @Test func aValueCalledLikeAPart() throws {
    var builder = GraphBuilder()
    let ids = builder.input("word_embeddings_weight_rest", ValueType(.int32, [2, 3]))
    let result = try builder.append(
      "words", Gather(.weight(SplitLookups.table), indices: ids))
    let trip = try RoundTrip(
      try builder.finish(output: result), options: SplitLookups.options())
    #expect(
      trip.operations.flatMap(\.outputs).contains { $0.name == "word_embeddings_weight_rest_1" })
    #expect(trip.read.graph.nodes.map(\.operation.milName) == ["gather"])
    #expect(trip.read.constants.keys.sorted() == ["word_embeddings_weight"])
  }
}
