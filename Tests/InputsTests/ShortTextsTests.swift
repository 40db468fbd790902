import Graph
import ModelFixtures
import TestSupport
import Testing
import Weights

@testable import Inputs

/// Texts of a model of one length are run at a shorter one where that is proven.
struct ShortTextsTests {
  /// A model as a package has it: one text at a time, padded to 32 tokens.
  private struct Fixed: Architecture {
    static let name = "fixed"

    let inner: any Architecture
    var describingFiles: [String] { inner.describingFiles }
    var input: ModelInput { inner.input }
    var output: ModelOutput { inner.output }
    var outputName: String { inner.outputName }
    let shapes = GraphShapes.single(lengths: [32])

    func graph(batch: Int, length: Int) throws(GraphError) -> ModelGraph {
      try inner.graph(batch: batch, length: length)
    }
  }

  private let plain: Model
  private let fixed: Model
  private let inputs = [
    "big dog", "cat", "here and there", "now", "a red cat sleeps here and a blue dog runs there",
    "who", "", "not now",
    "a big dog and a small cat and a red dog and a blue cat and a dog and a cat and a dog",
  ].flatMap { Array(repeating: Input.text($0), count: 16) }

  init() throws {
    let config = TinyBert.config.replacing(
      #""max_position_embeddings": 12"#, with: #""max_position_embeddings": 40"#)
    plain = try TinyBert.model(
      settings: #"{"max_seq_length": 32}"#, files: ["config.json": Array(config.utf8)])
    fixed = try Self.fixed(plain)
  }

  private static func fixed(_ model: Model) throws -> Model {
    try Model(
      origin: "fixed", architecture: Fixed(inner: model.architecture), files: model.files,
      weights: model.weights)
  }

  private func expectEqual(_ left: OutputMatrix, _ right: OutputMatrix) {
    #expect(left.rowCount == right.rowCount && left.width == right.width)
    for row in 0..<left.rowCount {
      for (a, b) in zip(Array(left[row]), Array(right[row])) {
        #expect((a - b).magnitude <= 1e-6)
      }
    }
  }

  @Test func lengthsAreRoundedUp() throws {
    let texts = try #require(ShortTexts(fixed, weights: fixed.weights))
    let short = try #require(try texts.graph(length: 32, tokens: 5))
    #expect(short.length == 8)
    #expect(short.graph.inputs.allSatisfy { $0.type.shape == [1, 8] })
    #expect(try texts.graph(length: 32, tokens: 9)?.length == 16)
    // Nothing is left out, or nothing is there to see.
    #expect(try texts.graph(length: 32, tokens: 25) == nil)
    #expect(try texts.graph(length: 32, tokens: 0) == nil)
  }

  @Test func aProofMustSaveMoreThanItTakes() {
    let few = Array(repeating: (length: 256, tokens: 14), count: 8)
    #expect(ShortTexts.worthwhile(few).isEmpty)
    #expect(ShortTexts.worthwhile(few + [(256, 20), (64, 8)]) == [256])
    #expect(ShortTexts.worthwhile(Array(repeating: (64, 60), count: 1000)).isEmpty)
  }

  @Test func aModelOfAnyLengthNeedsNone() {
    #expect(ShortTexts(plain, weights: plain.weights) == nil)
  }

  @Test func outputsAreTheSame() throws {
    let expected = try ModelRunner(model: plain, jobs: 1).outputs(for: inputs)
    let outputs = try ModelRunner(model: fixed, jobs: 1).outputs(for: inputs)
    expectEqual(outputs, expected)
    #expect(try ModelRunner(model: fixed, jobs: 2).outputs(for: inputs) == outputs)
  }

  @Test func replacedWeightsHaveTheirOwnProof() throws {
    let name: TensorName = "embeddings.LayerNorm.weight"
    let other = try TinyBert.model(
      settings: #"{"max_seq_length": 32}"#,
      files: try ["config.json": #require(try plain.files.bytes(of: "config.json"))]
    ) { $0.change(name) { 2 * $0 } }
    let runner = try ModelRunner(model: fixed, jobs: 1)
    _ = try runner.outputs(for: inputs)
    let outputs = try runner.replacing([name], by: other.weights).outputs(for: inputs)
    expectEqual(outputs, try ModelRunner(model: other, jobs: 1).outputs(for: inputs))
    expectEqual(
      try runner.outputs(for: inputs), try ModelRunner(model: plain, jobs: 1).outputs(for: inputs))
  }

  /// What is not finite is not proven, and the full length shows it.
  @Test func withoutAProofTheFullLengthRuns() throws {
    let name: TensorName = "embeddings.position_embeddings.weight"
    let broken = try TinyBert.model(
      settings: #"{"max_seq_length": 32}"#,
      files: try ["config.json": #require(try plain.files.bytes(of: "config.json"))]
    ) { weights in
      guard let table = weights.tensors[name] else { return }
      var values = table.values
      values[20 * 8] = .infinity
      weights.tensors[name] = (table.shape, values)
    }
    let model = try Self.fixed(broken)
    #expect(try ShortTexts(model, weights: model.weights)?.graph(length: 32, tokens: 5) == nil)
    let outputs = try ModelRunner(model: model, jobs: 1).outputs(for: inputs)
    #expect(!outputs.values.contains { $0.isFinite })
  }

  /// A device computes at padding, too, and its range is audited there.
  @Test func rangesAreMeasuredWithPadding() throws {
    let runner = try ModelRunner(model: fixed, jobs: 1)
    let magnitudes = try runner.magnitudes(for: [0], of: inputs, images: ImageFiles(folder: ""))[0]
    #expect(magnitudes["mask_inverse"] == 1)
    #expect(try runner.lengths(of: inputs) == [32])
  }
}
