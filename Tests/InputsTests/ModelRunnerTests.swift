import Graph
import ModelFixtures
import TestSupport
import Testing

@testable import Inputs

struct ModelRunnerTests {
  @Test func rowsComeBackInOrder() throws {
    let model = try denseModel([[1, 2, 3], [0, 0, 1]])
    let inputs = (0..<1000).map { Input.values([Double($0), 0, 1]) }
    let outputs = try ModelRunner(model: model, jobs: 2).outputs(for: inputs)
    #expect(outputs.rowCount == 1000 && outputs.width == 2)
    for row in 0..<1000 { #expect(Array(outputs[row]) == [Float(row) + 3, 1]) }
  }

  @Test func noInputsGiveNoRows() throws {
    let outputs = try ModelRunner(model: try denseModel([[1]]), jobs: 1).outputs(for: [Input]())
    #expect(outputs == OutputMatrix(rowCount: 0, width: 1, values: []))
  }

  @Test(
    arguments: [
      (
        .text("hello"),
        #"input 2 ("hello"): is a text of 5 characters, "# + "the model takes 2 values ('x0', 'x1')"
      ),
      (.values([]), "input 2 ([]): has 0 values, the model takes 2 ('x0', 'x1')"),
      (.values([1]), "input 2 ([1.0]): has 1 value, the model takes 2 ('x0', 'x1')"),
      (
        .values([1, 2, 3]),
        "input 2 ([1.0, 2.0, 3.0]): has 3 values, the model takes 2 ('x0', 'x1')"
      ),
      (
        .values([1, .nan]),
        "input 2 ([1.0, null]): the value of 'x1' is missing, expected a finite number of 32 bits"
      ),
      (
        .values([-.infinity, 2]),
        "input 2 ([-inf, 2.0]): the value of 'x0' is -inf, expected a finite number of 32 bits"
      ),
    ] as [(Input, String)])
  func unusableInputsAreNamed(_ test: (input: Input, fault: String)) throws {
    let runner = try ModelRunner(model: try denseModel([[1, 2]]), jobs: 1)
    #expect(
      refusal { _ = try runner.outputs(for: [.values([1, 2]), test.input]) } == test.fault)
  }

  @Test func unusableLinesAreNamed() throws {
    let runner = try ModelRunner(model: try denseModel([[1, 2]]), jobs: 1)
    let lines = try InputLines(
      bytes: Array("{\"values\": [1, 2]}\n\"hello\"\n".utf8), origin: "in.jsonl")
    #expect(
      refusal { _ = try runner.outputs(for: lines) }
        == #"in.jsonl:2: "hello": is a text of 5 characters, "#
        + "the model takes 2 values ('x0', 'x1')")
  }

  @Test func aTextModelNeedsItsTokenizer() throws {
    let model = try textModel(vocabulary: 5, tokenizer: nil)
    #expect(
      refusal { _ = try ModelRunner(model: model, jobs: 1) }
        == "text: 'tokenizer.json' is missing; a model that takes text needs it")
  }

  @Test func aTokenizerLargerThanTheTableIsRefused() throws {
    let model = try textModel(vocabulary: 4, tokenizer: tokenizer)
    #expect(
      refusal { _ = try ModelRunner(model: model, jobs: 1) }
        == "text: 'tokenizer.json' knows 5 tokens, the token table has 4 rows")
  }

  @Test func valuesForATextModelAreRefused() throws {
    let runner = try ModelRunner(model: try textModel(vocabulary: 5, tokenizer: tokenizer), jobs: 1)
    #expect(
      refusal { _ = try runner.outputs(for: [.values([1])]) }
        == "input 1 ([1.0]): is a list of values, the model takes a text")
  }

  private let tokenizer = String(
    decoding: wordPieceFile(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "word"]), as: UTF8.self)

  /// The least of an architecture that takes texts; its graph is never run here.
  private struct TextOnly: Architecture {
    static let name = "text-only"

    let vocabulary: Int
    let describingFiles: [String] = []
    var input: ModelInput { .tokens(maximumLength: 8, vocabulary: vocabulary) }
    let output = ModelOutput.embedding(width: 2)
    let outputName = "embedding"

    func graph(batch: Int, length: Int) throws(GraphError) -> ModelGraph {
      var graph = GraphBuilder()
      let ids = graph.input("input_ids", ValueType(.int32, [batch, length]))
      return try graph.finish(output: ids)
    }
  }

  private func textModel(vocabulary: Int, tokenizer: String?) throws -> Model {
    let texts = tokenizer.map { ["tokenizer.json": Array($0.utf8)] } ?? [:]
    return try Model(
      origin: "text", architecture: TextOnly(vocabulary: vocabulary),
      files: ModelFiles(carriedBy: "text", texts: texts), weights: MemoryWeights())
  }
}
