import Files
import Formats
import Foundation
import Graph
import TestSupport
import Testing
import WeightCompression
import Weights

/// Compressed files read with Python's safetensors and ten lines of numpy.
@Suite(.enabled(if: Oracle.isAvailable, "no oracle environment: run scripts/test"))
struct CompressedSafetensorsInteropTests {
  static let schemes: [Scheme] =
    [
      .int8(.perTensor), .int8(.perChannel), .palette(bits: 1, .perTensor),
      .palette(bits: 2, .perGroup(size: 4)), .palette(bits: 3, .perTensor),
      .palette(bits: 4, .perGroup(size: 32)), .palette(bits: 6, .perTensor),
      .palette(bits: 8, .perTensor), .narrow(.float16),
    ] + deep

  /// Every kind of integer, and what palettes can have beside bits and groups.
  static let deep: [Scheme] =
    LinearScheme.Integers.allCases.flatMap { integers in
      LinearScheme.Mode.allCases.flatMap { mode in
        [.perTensor, .perChannel, .perBlock(size: 8)].map {
          .linear(LinearScheme(integers, mode: mode, granularity: $0, range: .leastSquares))
        }
      }
    }
    + [
      PaletteScheme(bits: 4, granularity: .perTensor, width: 2),
      PaletteScheme(bits: 6, granularity: .perGroup(size: 4), width: 4),
      PaletteScheme(bits: 4, granularity: .perTensor, entries: .int8),
      PaletteScheme(bits: 3, granularity: .perGroup(size: 4), width: 2, entries: .int8),
    ].map { .palette($0) }

  @Test(arguments: schemes)
  func numpyDecodesTheValuesThatIngotRuns(_ scheme: Scheme) throws {
    try compare("\(Oracle.repository)/specs/examples/quickstart/models/sentence-encoder", scheme)
  }

  /// Weights of [in, out], whose channels lie along the second axis.
  @Test(
    arguments: [
      .int8(.perChannel), .palette(bits: 2, .perGroup(size: 4)), .unique,
      .linear(LinearScheme(.uint4, mode: .asymmetric, granularity: .perBlock(size: 2))),
      .palette(PaletteScheme(bits: 3, granularity: .perGroup(size: 4), width: 2)),
    ] as [Scheme])
  func numpyDecodesWeightsOfTheOtherLayout(_ scheme: Scheme) throws {
    let folder = try TemporaryFolder()
    for (name, rows, columns) in [("w0", 6, 8), ("w1", 8, 12)] {
      var npy = try AtomicFile(path: folder.path("\(name).npy"))
      let values = (0..<rows * columns).map { sin(Float($0 * $0)) }
      try NpyWriter.write(values, rows: rows, columns: columns, to: &npy)
      try npy.commit()
    }
    let features = (0..<6).map { #"{"name": "x\#($0)"}"# }.joined(separator: ", ")
    let description = """
      {"architecture": "dense", "inputs": [\(features)],
       "layers": [{"weight": "w0", "layout": "in,out"}, {"weight": "w1", "layout": "in,out"}],
       "output": {"kind": "embedding"}}
      """
    try Data(description.utf8).write(to: URL(filePath: folder.path("model.json")))
    try compare(folder.path, scheme)
  }

  /// Tables whose first rows are stored otherwise than the others.
  @Test(
    arguments: [
      SplitScheme(
        rows: 400, first: .palette(bits: 6, .perGroup(size: 8)),
        rest: .palette(bits: 3, .perGroup(size: 16))),
      SplitScheme(
        rows: 1, first: .int8(.perChannel),
        rest: .linear(LinearScheme(.uint4, mode: .asymmetric, granularity: .perBlock(size: 32)))),
      SplitScheme(
        rows: 3000,
        first: .palette(PaletteScheme(bits: 4, granularity: .perTensor, width: 2, entries: .int8)),
        rest: .linear(LinearScheme(.int4, granularity: .perChannel))),
    ])
  func numpyDecodesTablesInTwoParts(_ split: SplitScheme) throws {
    let recipe = Recipe(
      rules: [RecipeRule(RecipeRule.Match(roles: [.tokenTable]), .split(split))],
      keepsOthers: true)
    try compare(
      "\(Oracle.repository)/specs/examples/quickstart/models/sentence-encoder",
      CompressionOptions(recipe: recipe))
  }

  /// Trees, whose whole numbers are packed.
  @Test(
    .enabled(if: TreeFolder.root != nil, "no models of tables: run scripts/test"),
    arguments: [
      "sklearn/forest", "sklearn/histograms-categories", "xgboost/categories-json",
      "catboost/multiclass",
    ], [nil, .int8(.perChannel), .narrow(.float16)] as [Scheme?])
  func numpyDecodesTrees(_ name: String, _ scheme: Scheme?) throws {
    let folder = try #require(try TreeFolder.all().first { $0.testDescription == name })
    try compare(folder.model, CompressionOptions(scheme: scheme))
  }

  private func compare(_ path: String, _ scheme: Scheme) throws {
    try compare(path, CompressionOptions(scheme: scheme))
  }

  private func compare(_ path: String, _ options: CompressionOptions) throws {
    let folder = try TemporaryFolder()
    let model = try ModelLoader.open(path)
    let weights = try WeightCompressor.compress(
      weights: try model.usedWeights(), from: model.weights, options: options, jobs: 2)
    let emitted = try CompressedSafetensors().writeUnproven(
      weights, of: model, recipe: options.label, to: folder.path("small.safetensors"))
    _ = try Oracle.run("read_compressed.py", [emitted.path, folder.path("decoded.npz")])
    let decoded = try WeightCollection.open(folder.path("decoded.npz"))
    let read = try ModelLoader.open(emitted.path)
    #expect(decoded.tensors.map(\.name) == read.weights.names)
    for tensor in decoded.tensors {
      #expect(tensor.shape == read.weights.shape(of: tensor.name))
      #expect(try tensor.floats() == read.weights.floats(of: tensor.name), "\(tensor.name)")
    }
  }
}
