import Files
import Graph
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Formats

/// Packages with a table of tokens in two parts.
struct SplitTablePackageTests {
  static let name = "embeddings_word_embeddings_weight"
  static let table = WeightReference(TensorName(name), [20, 8], role: .tokenTable)

  let folder: TemporaryFolder
  var path: String { folder.path("X.mlpackage") }

  init() throws { folder = try TemporaryFolder() }

  func open(_ path: String? = nil) throws -> CoreMLPackage.Opened {
    let path = path ?? self.path
    return try CoreMLPackage.open(path, origin: path, files: MLPackageParts.noFiles)
  }

  /// Writes a model, with its table of tokens split, and gives the weights and what was written.
  @discardableResult
  func write(
    _ model: Model? = nil, _ scheme: SplitScheme = SplitLookups.palettes,
    _ options: CoreMLOptions = CoreMLOptions(), to path: String? = nil
  ) throws -> (weights: CompressedWeights, emitted: EmittedModel) {
    let model = try model ?? SmallModels.bert()
    let weights = try WeightCompressor.compress(
      weights: try model.usedWeights(), from: model.weights,
      options: try SplitLookups.options(scheme, floats: options.floats), jobs: 1)
    let emitted = try CoreMLPackage(options: options).writeUnproven(
      weights, of: model, recipe: "split", to: path ?? self.path)
    return (weights, emitted)
  }

  static let schemes: [SplitScheme] = [
    SplitLookups.palettes,
    SplitScheme(
      rows: 8, first: .palette(bits: 6, .perGroup(size: 4)),
      rest: .palette(PaletteScheme(bits: 3, granularity: .perGroup(size: 6), entries: .int8))),
    SplitScheme(
      rows: 1, first: .int8(.perChannel),
      rest: .linear(LinearScheme(.int4, granularity: .perBlock(size: 4)))),
    SplitScheme(
      rows: 19, first: .linear(LinearScheme(.uint4, mode: .asymmetric, granularity: .perChannel)),
      rest: .int8(.perTensor)),
  ]

  static let inputs: [CoreMLOptions] = [
    CoreMLOptions(), CoreMLOptions(sequenceLengths: [4]),
    CoreMLOptions(sequenceLengths: [3, 7, 10]),
    CoreMLOptions(sequenceLengths: [2, 10], isRange: true), CoreMLOptions(floats: .float32),
  ]

  /// The program reads as that of a package in which the table is one.
  @Test(arguments: schemes, inputs)
  func readsAsOneTable(_ scheme: SplitScheme, _ options: CoreMLOptions) throws {
    let model = try SmallModels.bert()
    let (weights, emitted) = try write(model, scheme, options)
    let opened = try open()
    let whole = folder.path("whole.mlpackage")
    try CoreMLPackage(options: options).writeUnproven(
      try WeightCompressor.compress(
        weights: try model.usedWeights(), from: model.weights,
        options: try CompressionOptions(scheme: nil, floats: options.floats), jobs: 1),
      of: model, recipe: "kept", to: whole)
    let expected = try open(whole)
    #expect(opened.model.weights.names == expected.model.weights.names)
    #expect(opened.model.architecture.input == expected.model.architecture.input)
    #expect(opened.model.architecture.float16Values == expected.model.architecture.float16Values)
    let lengths = opened.program.statement.lengths
    #expect(lengths == expected.program.statement.lengths && !lengths.isEmpty)
    for length in Set([lengths.first ?? 1, lengths.last ?? 1]) {
      let graph = try opened.model.architecture.graph(batch: 1, length: length)
      let other = try expected.model.architecture.graph(batch: 1, length: length)
      #expect(ProgramRoundTripTests.lines(graph) == ProgramRoundTripTests.lines(other))
      #expect(graph.weightUses == other.weightUses)
    }
    let place = try #require(weights.tensors.firstIndex { $0.role == .tokenTable })
    #expect(
      try opened.model.weights.floats(of: TensorName(Self.name))
        == weights.tensors[place].dequantized())
    // Bytes as planned, and as every listing has them.
    let planned = try options.storedBytes(of: weights.planned, model)
    #expect(emitted.weightBytes == planned)
    let storage = try #require(ModelFormat.storage(ofOpened: opened.model))
    let stored = try #require(try storage.stored(Self.table))
    #expect(stored.byteCount == planned[place])
    let parts = scheme.parts(of: Self.table)
    #expect(
      stored.scheme?.label
        == "\(scheme.rows == 1 ? "1 row" : "\(scheme.rows) rows") in \(Self.label(scheme.first, of: parts.first)), "
        + "others in \(Self.label(scheme.rest, of: parts.rest))")
  }

  /// How a part is stored, in words.
  private static func label(_ scheme: Scheme, of part: WeightReference) -> String {
    StoredWeight(scheme: scheme.own.stored(for: part), byteCount: 0).scheme.label
  }

  @Test func listsOneWeight() throws {
    try write()
    let inspection = try CoreMLPackage.inspect(path, files: MLPackageParts.noFiles)
    let table = try #require(inspection.constants.first { $0.name.text == Self.name })
    #expect(
      table.storage == "8 rows in palette 4 bits, one table, others in palette 2 bits, one table")
    #expect(table.shape == [20, 8] && table.bits == 4 && table.role == "token table")
    // 64 indices of four bits, 96 of two, and the numbers of both tables.
    #expect(table.byteCount == 32 + 32 + 24 + 8)
    #expect(!inspection.constants.contains { $0.name.text.hasPrefix(Self.name + "_") })
    #expect(inspection.operations["gather"] == 2 && inspection.operations["less"] == 1)
  }

  /// A text without its padding is proven as before.
  @Test func shortTexts() throws {
    try write()
    let model = try open().model
    let proof = try LengthProof(
      try model.graph(batch: 1, length: 10), weights: model.weights)
    #expect(try proof?.graph(length: 4)?.inputs.map(\.type.shape) == [[1, 4], [1, 4]])
  }

  @Test func theSameBytes() throws {
    let first = try write().emitted
    let second = try write(to: folder.path("Y.mlpackage")).emitted
    #expect(first.digest == second.digest)
  }

  /// A change in either part is another model.
  @Test(arguments: ["first", "rest"]) func theDigestCoversBothParts(_ part: String) throws {
    try write()
    let before = try open().model
    let values = try before.weights.floats(of: TensorName(Self.name))
    var parts = try MLPackageParts(of: path)
    let indices = parts["\(Self.name)_\(part)"].attributes["indices"]
    let offset = try #require(indices?.blobFileValue.offset)
    parts.weights?[Int(offset) + 64] ^= 1
    try parts.write(to: path)
    let after = try open().model
    #expect(after.digest != before.digest)
    let changed = try after.weights.floats(of: TensorName(Self.name))
    let places = values.indices.filter { changed[$0] != values[$0] }
    #expect(places == [part == "first" ? 0 : 64])
  }

  /// A number that is not finite is found in either part.
  @Test func faultsInEitherPart() throws {
    try write()
    var parts = try MLPackageParts(of: path)
    // Sixteen entries are in the weight file.
    let table = parts["\(Self.name)_first"].attributes["lut"]
    let offset = try #require(table?.blobFileValue.offset)
    for entry in 0..<16 { parts.weights?[Int(offset) + 65 + 2 * entry] = 0x7e }
    try parts.write(to: path)
    let values = try open().model.weights.floats(of: TensorName(Self.name))
    #expect(
      MLPackageLint.numberFault(Self.name, values)
        == "the constant '\(Self.name)' holds nan at flat index 0")
    #expect(values[64...].allSatisfy { $0.isFinite })
    // Four are in the program.
    #expect(MLPackageLint.operationFaults(parts.message) == [])
    parts["\(Self.name)_rest"].attributes["lut"] = .bytes(
      [0, 0x7c, 0, 0, 0, 0, 0, 0], .float16, [4])
    #expect(
      MLPackageLint.operationFaults(parts.message) == ["'\(Self.name)_rest' holds inf"])
  }

  /// An unfolded lookup takes only ids that either part has, so that a tokenizer of more is refused.
  @Test func whatIsNoLookupTakesFewerIDs() throws {
    try write()
    #expect(
      try open().model.architecture.input == .tokens(maximumLength: 10, vocabulary: 20))
    var parts = try MLPackageParts(of: path)
    parts["words_behind"].inputs["y"] = .value(.int(9))
    try parts.write(to: path)
    let read = try open().model
    #expect(read.architecture.input == .tokens(maximumLength: 10, vocabulary: 8))
    #expect(
      read.weights.names.filter { $0.text.hasPrefix(Self.name) }.map(\.text)
        == ["\(Self.name)_first", "\(Self.name)_rest"])
  }
}
