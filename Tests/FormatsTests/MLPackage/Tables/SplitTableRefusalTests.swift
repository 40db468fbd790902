import Files
import Graph
import ModelFixtures
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Formats

/// Split tables that no package can hold, and packages that are made to do harm.
struct SplitTableRefusalTests {
  /// A model of one graph.
  private struct Reader: Architecture {
    static let name = "reader"
    let describingFiles: [String] = []
    let input = ModelInput.tokens(maximumLength: 4, vocabulary: 24)
    let output: ModelOutput
    let outputName = "embedding"
    let made: @Sendable (inout GraphBuilder, Operand) throws(GraphError) -> Operand

    func graph(batch: Int, length: Int) throws(GraphError) -> ModelGraph {
      var builder = GraphBuilder()
      let ids = builder.input("input_ids", ValueType(.int32, [batch, length]))
      let result = try made(&builder, ids)
      return try builder.finish(output: result)
    }
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func model(
    width: Int,
    _ made: @escaping @Sendable (inout GraphBuilder, Operand) throws(GraphError) -> Operand
  ) throws -> Model {
    let reader = Reader(output: .embedding(width: width), made: made)
    return try Model(
      origin: "small", architecture: reader, files: MLPackageParts.noFiles,
      weights: heldWeights(for: try reader.graph(batch: 1, length: 1).weights))
  }

  private func expectRefusal(_ model: Model, _ words: String) throws {
    let weights = try WeightCompressor.compress(
      weights: try model.usedWeights(), from: model.weights, options: SplitLookups.options(),
      jobs: 1)
    let format = CoreMLPackage()
    let path = folder.path("X.mlpackage")
    let fault =
      "small: tensor 'word.embeddings.weight' is split into rows of two schemes, and \(words) "
      + "reads it otherwise than by rows that are computed; give it one scheme"
    #expect(message { try format.check(model, weights.planned) } == fault)
    #expect(
      message { try format.writeUnproven(weights, of: model, recipe: "split", to: path) } == fault)
    #expect(try Folder.names(in: folder.path).isEmpty)
    // In one part it is what it was.
    let kept = try model.compressed()
    #expect(message { try format.check(model, kept.planned) } == nil)
  }

  /// A product with the table that is looked up, too.
  @Test func aTableThatMultiplies() throws {
    let table = Operand.weight(SplitLookups.table)
    let model = try model(width: 24) { (graph, ids) throws(GraphError) in
      let words = try graph.append("words", Gather(table, indices: ids))
      let scores = try graph.append("scores", Matmul(words, table, transposeY: true))
      return try graph.append("sum", Reduce(.max, scores, axis: 1, keepsAxis: false))
    }
    try expectRefusal(model, "matmul 'scores'")
  }

  /// Rows that are known before anything runs.
  @Test func rowsThatAreKnown() throws {
    let table = Operand.weight(SplitLookups.table)
    let model = try model(width: 4) { (graph, ids) throws(GraphError) in
      let words = try graph.append("words", Gather(table, indices: ids))
      let first = try graph.append(
        "start", Gather(table, indices: .literal(.integers([3], shape: [1]))))
      let sum = try graph.append("sum", ElementwiseBinary(.add, words, first))
      return try graph.append("top", Reduce(.max, sum, axis: 1, keepsAxis: false))
    }
    try expectRefusal(model, "gather 'start'")
  }

  /// A program has no single constant for it.
  @Test func noConstantOfBoth() throws {
    var builder = GraphBuilder()
    let x = builder.input("x", ValueType(.float32, [2, 4]))
    let result = try builder.append(
      "result", Matmul(x, .weight(SplitLookups.table), transposeY: true))
    let graph = try builder.finish(output: result)
    #expect(
      message { _ = try RoundTrip(graph, options: SplitLookups.options()) }
        == "split table 'word.embeddings.weight' cannot be written into an ML Program")
  }

  /// Both parts in the shape of a table without any numbers, with the numbers that tell them apart.
  private func emptied(
    _ first: [Int], _ rest: [Int], rows: Int
  ) throws -> Result<ModelGraph, any Error> {
    let trip = try SplitLookups.program()
    var operations = trip.operations
    for (part, shape) in [("first", first), ("rest", rest)] {
      operations["word_embeddings_weight_\(part)"] = MILOperation(
        "constexpr_lut_to_dense",
        inputs: [
          ("indices", .value(.bytes([], .uint2, shape))),
          ("lut", .value(.bytes([UInt8](repeating: 0, count: 8), .float16, [1, 1, 4, 1]))),
        ], outputs: [("word_embeddings_weight_\(part)", .tensor(.float16, shape))])
      operations["words_\(part)"].outputs[0].type = .tensor(.float16, [4, 4, shape[1]])
    }
    operations["words"].outputs[0].type = .tensor(.float16, [4, 4, first[1]])
    if let place = operations.firstIndex(where: { $0.type == "cast" }) {
      operations[place].outputs[0].type = .tensor(.float32, [4, 4, first[1]])
    }
    operations["output"].outputs[0].type = .tensor(.float32, [4, 4, first[1]])
    operations["words_is_first"].inputs["y"] = .value(.int(rows))
    operations["words_behind"].inputs["y"] = .value(.int(rows))
    operations["words_first_ids"].inputs["b"] = .value(.int(rows - 1))
    return Result { try trip.reading(operations).graph }
  }

  /// Tables without rows or width, however long they say they are.
  @Test(
    arguments: [
      ([0, 4], [0, 4], 0), ([8, 0], [16, 0], 8), ([1 << 31, 0], [1 << 31, 0], 1 << 31),
      ([1 << 40, 0], [1 << 40, 0], 1 << 40), ([Int(Int32.max), 0], [1 << 40, 0], Int(Int32.max)),
    ] as [([Int], [Int], Int)])
  func emptyTables(_ first: [Int], _ rest: [Int], _ rows: Int) throws {
    let graph = try emptied(first, rest, rows: rows).get()
    #expect(graph.nodes.first { $0.name == "words" }?.operation is Select)
  }

  /// Parts that say they have more rows than their numbers.
  @Test(
    arguments: ["first", "rest"], [[1 << 40, 4], [Int(Int32.max), 4], [9, 4], [1 << 62, 4]])
  func hugeParts(_ part: String, _ shape: [Int]) throws {
    let trip = try SplitLookups.program()
    var operations = trip.operations
    let name = "word_embeddings_weight_\(part)"
    operations[name].inputs["indices"]?.arguments[0].value.type.tensorType.dimensions =
      MILValueType.tensor(.uint4, shape.map { $0 }).tensorType.dimensions
    operations[name].outputs[0].type = .tensor(.float16, shape)
    #expect(throws: (any Error).self) { try trip.reading(operations) }
  }

  /// Both parts name the numbers of one.
  @Test func overlappingParts() throws {
    let trip = try SplitLookups.program()
    var operations = trip.operations
    let name = "word_embeddings_weight"
    operations["\(name)_rest"].inputs = operations["\(name)_first"].inputs
    #expect(
      message { _ = try trip.reading(operations) }
        == "constexpr_lut_to_dense '\(name)_rest': is declared as fp16 [16, 4], "
        + "its parts make fp16 [8, 4]")
    // Of as many rows it is a table whose rows are there twice, and reads as that.
    operations["\(name)_rest"].outputs[0].type = .tensor(.float16, [8, 4])
    let table = try #require(try trip.reading(operations).constants[name])
    let values = try table.floats()
    #expect(table.shape == [16, 4] && Array(values[..<32]) == Array(values[32...]))
  }
}
