import Formats
import Graph
import Inputs
import ModelFixtures
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Gate

/// Packages with a table of tokens in two parts, run and judged.
struct SplitTableGateTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ name: String) throws -> Model {
    let path = folder.path(name)
    return try ModelLoader.open(
      path, files: ModelFiles(carriedBy: path, texts: ["tokenizer.json": TinyBert.tokenizer]))
  }

  private func write(
    _ model: Model, _ options: CompressionOptions, lengths: [Int], to name: String
  ) throws -> Model {
    let weights = try WeightCompressor.compress(
      weights: try model.usedWeights(), from: model.weights, options: options, jobs: 1)
    try CoreMLPackage(options: CoreMLOptions(sequenceLengths: lengths)).writeUnproven(
      weights, of: model, recipe: options.label, to: folder.path(name))
    return try open(name)
  }

  /// The first rows in four bits, all others in two.
  private func split(after rows: Int) throws -> CompressionOptions {
    let scheme = SplitScheme(
      rows: rows, first: .palette(bits: 4, .perTensor), rest: .palette(bits: 2, .perTensor))
    return try CompressionOptions(
      recipe: Recipe(
        rules: [RecipeRule(RecipeRule.Match(roles: [.tokenTable]), .split(scheme))],
        keepsOthers: true), floats: .float16)
  }

  /// Each word of the tokenizer alone, so that every row is looked up, and two texts.
  private static let inputs = (TinyBert.words + ["red blue who", "a big red dog runs now"]).map {
    Input.text($0)
  }

  /// Outputs are, bit for bit, those of one table of the same numbers; the gate finds that table.
  @Test(arguments: [1, 7, 8, 19], [[10], [4, 10]])
  func theSameAsOneTable(_ rows: Int, _ lengths: [Int]) throws {
    let trained = try TinyBert.model()
    let table = try #require(try trained.usedWeights().first { $0.role == .tokenTable })
    let split = try write(trained, split(after: rows), lengths: lengths, to: "split.mlpackage")
    let name = TensorName(Identifier.make(from: table.name.text))
    let values = try split.weights.floats(of: name)
    let rounded = try TinyBert.model { $0.tensors[table.name]?.values = values }
    let whole = try write(
      rounded, CompressionOptions(scheme: nil, floats: .float16), lengths: lengths,
      to: "whole.mlpackage")
    #expect(try whole.weights.floats(of: name) == values)
    let ours = try ModelRunner(model: split, jobs: 1).outputs(for: Self.inputs)
    let others = try ModelRunner(model: whole, jobs: 1).outputs(for: Self.inputs)
    #expect(ours.rowCount == Self.inputs.count && ours.values == others.values)
    let verdict = try Gate(on: TinyBert.references(), Limits(), threshold: nil, jobs: 1).judge(
      [split], against: [rounded])
    #expect(verdict.reasons == [])
    #expect(verdict.receipt?.candidate.weights == split.digest)
  }
}
