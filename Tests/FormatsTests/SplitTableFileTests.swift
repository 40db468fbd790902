import Files
import Graph
import ModelFixtures
import StrictJSON
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Formats

/// A table in two parts in a safetensors file: one weight, two sets of numbers.
struct SplitTableFileTests {
  private static let table: TensorName = "embeddings.word_embeddings.weight"

  static let splits = [
    SplitScheme(
      rows: 8, first: .palette(bits: 6, .perGroup(size: 2)),
      rest: .palette(bits: 3, .perGroup(size: 4))),
    SplitScheme(rows: 1, first: .int8(.perTensor), rest: .palette(bits: 2, .perTensor)),
    SplitScheme(
      rows: 4,
      first: .linear(LinearScheme(.uint8, mode: .asymmetric, granularity: .perChannel)),
      rest: .linear(LinearScheme(.int4, granularity: .perBlock(size: 4), range: .leastSquares))),
    SplitScheme(
      rows: 12,
      first: .palette(
        PaletteScheme(bits: 4, granularity: .perGroup(size: 6), width: 2, entries: .int8)),
      rest: .palette(PaletteScheme(bits: 1, granularity: .perTensor, width: 4))),
  ]

  private func compressed(_ model: Model, _ split: SplitScheme) throws -> CompressedWeights {
    let recipe = Recipe(
      rules: [RecipeRule(RecipeRule.Match(roles: [.tokenTable]), .split(split))],
      keepsOthers: true)
    return try WeightCompressor.compress(
      weights: try model.usedWeights(), from: model.weights,
      options: try CompressionOptions(recipe: recipe), jobs: 2)
  }

  @Test(arguments: splits)
  func readsBackAsOneTable(_ split: SplitScheme) throws {
    let folder = try TemporaryFolder()
    let model = try TinyBert.model()
    let weights = try compressed(model, split)
    let emitted = try CompressedSafetensors().writeUnproven(
      weights, of: model, recipe: "split", to: folder.path("small.safetensors"))
    let read = try ModelLoader.open(emitted.path)
    #expect(read.weights.names == weights.names)
    #expect(read.weights.shape(of: Self.table) == [20, 8])
    for tensor in weights.tensors {
      #expect(try read.weights.floats(of: tensor.name) == tensor.dequantized())
    }
    let made = try #require(weights.tensor(named: Self.table))
    let storage = try #require(ModelFormat.storage(ofOpened: read))
    let stored = try #require(try storage.stored(made.reference))
    #expect(stored == StoredWeight(scheme: made.scheme, byteCount: made.byteCount))
    #expect(stored.scheme?.label.hasPrefix("\(split.rows) row") == true)
    let place = try #require(weights.planned.firstIndex { $0.name == Self.table })
    #expect(weights.planned[place].byteCount == made.byteCount)
    #expect(emitted.weightBytes[place] == made.byteCount)
  }

  @Test func eachPartIsNamedAndDescribed() throws {
    let folder = try TemporaryFolder()
    let model = try TinyBert.model()
    let emitted = try CompressedSafetensors().writeUnproven(
      try compressed(model, Self.splits[0]), of: model, recipe: "split",
      to: folder.path("small.safetensors"))
    let file = try WeightCollection.open(emitted.path)
    let parts = file.tensors.filter { $0.name.text.hasPrefix(Self.table.text) }
    #expect(
      parts.map { "\($0.name.text.dropFirst(Self.table.text.count)) \($0.elementType) \($0.shape)" }
        == [
          ":first:indices u8 [48]", ":first:palette f32 [4, 64]", ":rest:indices u8 [36]",
          ":rest:palette f32 [3, 8]",
        ])
    let entries = try JSONParser.parseObject(
      Array(try #require(file.metadata["ingot.tensors"]).utf8), origin: "entries")
    let entry = try entries.object(Self.table.text)
    #expect(try CompressedLayout.parse(entry).shape == [20, 8])
    #expect(
      try CompressedLayout.parse(entry).layout
        == .split(
          rows: 8, first: .palette(bits: 6, axis: 0, width: 1, .floats),
          rest: .palette(bits: 3, axis: 0, width: 1, .floats)))
    #expect(try entry.string("scheme") == "split")
    #expect(try entry.object("first").members.map(\.key) == ["axis", "bits", "scheme"])
  }
}
