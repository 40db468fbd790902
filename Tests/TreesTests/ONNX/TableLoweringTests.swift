import Testing

@testable import Trees

/// What becomes of a graph: steps, or an error that names what no step computes.
struct TableLoweringTests {
  private func table(_ nodes: [ONNXNodeProto], _ change: (inout ONNXModelProto) -> Void = { _ in })
    throws -> Table
  {
    var model = Message.model(nodes)
    change(&model)
    return try TableLowering.table(of: ONNXModel.read(model, path: "m.onnx"))
  }

  private static let scaler = Message.node(
    "Scaler", ["x"], ["s"], [Message.floats("offset", [1, 2]), Message.floats("scale", [3, 4])])
  private static let regressor = Message.node(
    "LinearRegressor", ["s"], ["z"],
    [Message.floats("coefficients", [5, 6]), Message.floats("intercepts", [7])])

  @Test func operatorsBecomeSteps() throws {
    let table = try table([Self.scaler, Self.regressor])
    #expect(table.program.steps.map(\.kind) == [.subtract, .multiply, .linear])
    #expect(table.program.inputs == [TreeFeature("f0"), TreeFeature("f1")])
    #expect(table.program.returned == table.program.steps[2].name)
    #expect(table.program.task == .regression)
    #expect(table.arrays.map(\.values) == [[1, 2], [3, 4], [5, 6], [7]])
    #expect(table.arrays[2].shape == [1, 2])
  }

  /// Shapes and places leave no step.
  @Test func whatOnlyMovesNumbersIsNoStep() throws {
    let table = try table([
      Message.node("Identity", ["x"], ["a"], domain: ""),
      Message.node("Concat", ["a", "x"], ["b"], [Message.integer("axis", 1)], domain: ""),
      Message.node("Transpose", ["b"], ["c"], domain: ""),
      Message.node("ReduceMax", ["c"], ["d"], [Message.integer("keepdims", 0)], domain: ""),
    ])
    #expect(table.program.steps.map(\.kind) == [.columns, .largest])
    #expect(table.program.steps[0].places == [0, 1, 0, 1])
  }

  @Test func textsAreCodesInTheOrderOfTheEncoder() throws {
    let hot = Message.node(
      "OneHotEncoder", ["x"], ["h"], [Message.texts("cats_strings", ["b", "a"])])
    let sum = Message.node(
      "ReduceSum", ["h"], ["y"], [Message.integer("keepdims", 0)], domain: "")
    let table = try table([hot, sum]) { $0.graph.input = [Message.input("x", 8, 1)] }
    #expect(table.program.inputs == [TreeFeature("f0", .category(names: ["b", "a"]))])
    #expect(table.arrays.map(\.values) == [[0, 1]])
  }

  /// A small file does not make millions of numbers: what uses them has weights or nodes for many of them.
  @Test func whatASmallFileMakesIsLimited() throws {
    let hot = Message.node(
      "OneHotEncoder", ["x"], ["h"], [Message.integers("cats_int64s", Array(0..<1000))])
    let sum = Message.node("ReduceMax", ["h"], ["y"], [Message.integer("keepdims", 0)], domain: "")
    func table(_ width: Int64) throws -> Table {
      var graph = try ONNXModel.read(Message.model([hot, sum], width: width), path: "m.onnx")
      graph.byteCount = 3000
      return try TableLowering.table(of: graph)
    }
    #expect(throws: Never.self) { try table(100) }
    let error = #expect(throws: TreeError.self) { try table(4000) }
    #expect(
      error?.description
        == "m.onnx: OneHotEncoder 'n': makes 4000000 numbers for a row, and the steps before it 0; a file of this "
        + "size may make 454144: leave out columns or categories that the model does not use")
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    let words: String
    let nodes: [ONNXNodeProto]
    var testDescription: String { words }
  }

  static let refusals = [
    Refusal(
      words: "Log 'n': no step of a model of tables computes 'Log'",
      nodes: [scaler, Message.node("Log", ["s"], ["y"], domain: "")]),
    Refusal(
      words: "TreeEnsemble 'n': no step of a model of tables computes the 'MIN' of trees",
      nodes: [Message.stumpOfFive([Message.integer("aggregate_function", 2)])]),
    Refusal(
      words: "OneHotEncoder 'n': has the whole number 16777217, numbers of 32 bits are exact up to "
        + "16777216",
      nodes: [
        Message.node("OneHotEncoder", ["x"], ["y"], [Message.integers("cats_int64s", [16_777_217])])
      ]),
    Refusal(
      words: "MatMul 'n': no step of a model of tables computes a product of two values of a row",
      nodes: [
        Message.node("Transpose", ["x"], ["t"], domain: ""),
        Message.node("MatMul", ["x", "t"], ["y"], domain: ""),
      ]),
    Refusal(
      words: "the output: nothing is computed of the features",
      nodes: [Message.node("Identity", ["x"], ["y"], domain: "")]),
    Refusal(
      words: "gives labels without numbers",
      nodes: [
        Message.node("ArgMax", ["x"], ["y"], [Message.integer("axis", 1)], domain: "")
      ]),
  ]

  @Test(arguments: refusals)
  func whatNoStepComputesIsNamed(_ refusal: Refusal) throws {
    let error = #expect(throws: TreeError.self) { try table(refusal.nodes) }
    let words = "\(try #require(error))"
    #expect(words.hasPrefix("m.onnx: \(refusal.words)"), "\(words)")
  }
}
