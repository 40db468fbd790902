import Graph
import ModelFixtures
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Formats

/// A model that was opened says of each weight how it is stored, and what it takes.
struct ModelStorageTests {
  private static let unsigned = Scheme.linear(LinearScheme(.uint8, granularity: .perChannel))

  static let schemes: [Scheme?] = [
    nil, .int8(.perTensor), .int8(.perChannel),
    .linear(LinearScheme(.int8, granularity: .perBlock(size: 16))),
    unsigned,
    .linear(LinearScheme(.uint8, mode: .asymmetric, granularity: .perChannel)),
    .linear(
      LinearScheme(.int4, granularity: .perBlock(size: 16), range: .leastSquares)),
    .linear(
      LinearScheme(.uint4, mode: .asymmetric, granularity: .perChannel, range: .leastSquares)),
    .palette(bits: 4, .perTensor), .palette(bits: 3, .perGroup(size: 8)),
    .palette(PaletteScheme(bits: 4, granularity: .perTensor, width: 2)),
    .palette(PaletteScheme(bits: 6, granularity: .perGroup(size: 16), entries: .int8)),
  ]

  /// Those that store schemes.
  private static let formats = ModelFormat.allCases.filter { !$0.type.holdsTablesAlone }

  @Test(arguments: schemes, formats)
  func saysWhatWasWritten(_ scheme: Scheme?, _ kind: ModelFormat) throws {
    try expect(scheme, kind, rows: 32)
  }

  /// As many scales along one axis as blocks, and no more.
  @Test(arguments: formats)
  func blocksOfOneRowAreWrittenAsBlocks(_ kind: ModelFormat) throws {
    for integers in [LinearScheme.Integers.int8, .int4] {
      for size in [1, 16, 64] {
        try expect(
          .linear(LinearScheme(integers, granularity: .perBlock(size: size))), kind, rows: 1)
      }
    }
  }

  private func expect(_ scheme: Scheme?, _ kind: ModelFormat, rows: Int) throws {
    let folder = try TemporaryFolder()
    var numbers = SeededGenerator(seed: 3)
    let model = try denseModel(numbers.matrix(rows, 64))
    let format = kind.with(FormatChoices())
    let options = try CompressionOptions(scheme: scheme, floats: format.floats)
    let weights = try WeightCompressor.compress(
      weights: try model.usedWeights(), from: model.weights, options: options, jobs: 1)
    let staged = try format.stage(
      weights, of: model, recipe: options.label, at: ModelPlace(folder.path("m.\(kind.name)")))
    let storage = try #require(ModelFormat.storage(ofOpened: staged.model))
    let reference = WeightReference("w", [rows, 64], role: .matrix(outputAxis: 0))
    let stored = try #require(try storage.stored(reference))
    let isSame = kind == .mlpackage && scheme == Self.unsigned
    // A package stores both in one way.
    let expected = isSame ? .int8(.perChannel) : scheme?.own.stored(for: reference)
    #expect(stored.scheme?.label == StoredWeight(scheme: expected, byteCount: 0).scheme?.label)
    // How scales were found is not told, so that it is what a recipe means that does not say it.
    if case .linear(let linear) = stored.scheme {
      #expect(linear.range == (linear.integers.bits == 8 ? .largest : .leastSquares))
    }
    #expect(stored.byteCount == (try format.storedBytes(of: weights.planned, model)[0]))
    #expect(storage.format(of: model).floats == format.floats)
    #expect(try storage.stored(WeightReference("x", [1], role: .bias)) == nil)
  }

  @Test func weightsAsTrainedAreStoredInNoFormat() throws {
    #expect(ModelFormat.storage(ofOpened: try denseModel([[1, 2]])) == nil)
  }
}
