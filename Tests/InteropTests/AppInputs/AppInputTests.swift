import Formats
import Foundation
import Graph
import IngotTokenizers
import Inputs
import TestSupport
import Testing
import WeightCompression

/// An app's inputs beside those of the libraries that models come from, and those of the gate: every
/// tokenizer and image processor of `Fixtures/encoders` and `Fixtures/image-encoders`.
struct AppInputTests {
  static let texts = EncoderTableTests.table
  static let images = ImageEncoderTableTests.table

  /// Texts that the fixtures do not have: none, one of many words, and emoji of several scalars.
  static let others = [
    "", " ", String(repeating: "a long text ", count: 400), "👩‍👩‍👧‍👦🏳️‍🌈 ok", "a\u{0}b\u{FEFF}",
    "e\u{301}\u{1F1E9}\u{1F1EA}", "[SEP] </s> <|endoftext|>",
  ]

  private static func inputs(of model: Model) throws -> [Input] {
    let texts = try EncoderTable.texts
    guard model.architecture.readsTwoTexts else { return texts.map { .text($0) } }
    return texts.indices.map { .textPair(texts[$0], texts[($0 + 7) % texts.count]) }
  }

  private static func otherInputs(of model: Model) -> [Input] {
    guard model.architecture.readsTwoTexts else { return others.map { .text($0) } }
    return others.indices.map { .textPair(others[$0], others[($0 + 1) % others.count]) }
  }

  /// The tensors are the gate's, and so is the refusal of a text.
  private func expectSame(_ inputs: [Input], _ model: Model, _ preparer: TextPreparer) throws {
    let gate = try GateInputs(model)
    var taken = 0
    for input in inputs {
      let expected = try? gate.integers(of: input)
      let found = try? AppInputs.prepare(input, by: preparer)
      #expect(found?.tensors == expected, "\(model.origin): \(input.label)")
      taken += found == nil ? 0 : 1
    }
    #expect(taken > 50, "\(model.origin): \(taken) of \(inputs.count) texts are taken")
  }

  private func files(
    of configuration: InputConfiguration, in folder: String
  ) throws -> [String: [UInt8]] {
    guard case .texts(let texts) = configuration.kind else { return [:] }
    return try Dictionary(
      uniqueKeysWithValues: texts.files.keys.map {
        ($0, [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/\($0)"))))
      })
  }

  @Test(arguments: texts.cases + images.cases.filter { $0.texts != nil })
  func appsMakeTheLibrarysTexts(_ row: EncoderTable.Case) throws {
    let folder = try TemporaryFolder()
    let table = row.texts == nil ? Self.texts : Self.images
    let path = try table.assemble(row, in: folder)
    let model = try ModelLoader.open(path, encoder: row.texts == nil ? nil : .text)
    let configuration = try AppInputs.configuration(of: model)
    let preparer = try TextPreparer(configuration, files: try files(of: configuration, in: path))
    let inputs = try Self.inputs(of: model)
    let theirs = try table.decode([[Int32]].self, "shared/\(try #require(row.ids))")
    try #require(theirs.count == inputs.count && theirs.count >= 200)
    for (input, expected) in zip(inputs, theirs) {
      let found = try AppInputs.prepare(input, by: preparer)
      let ids = try #require(found.tensors["input_ids"])
      #expect(Array(ids.prefix(found.tokenCount)) == Array(expected.prefix(found.tokenCount)))
      // The types of two texts' tokens are behind their ids, where the library gives any.
      let isWhole = [found.tokenCount, 2 * found.tokenCount].contains(expected.count)
      #expect(isWhole, "\(row.name): \(input.label)")
    }
    try expectSame(inputs + Self.otherInputs(of: model), model, preparer)
  }

  /// A model of each family as it ships, in each format: the configuration is made of the emitted
  /// model, the files come out of the file's header or from beside the package.
  @Test(arguments: texts.families.compactMap { try? texts.cases(of: $0).first })
  func appsMakeTheGatesTextsOfWhatShips(_ row: EncoderTable.Case) throws {
    let folder = try TemporaryFolder()
    let model = try ModelLoader.open(try Self.texts.assemble(row, in: folder))
    let weights = try WeightCompressor.compress(
      weights: try model.usedWeights(), from: model.weights,
      options: try CompressionOptions(scheme: nil, floats: .float32), jobs: 1)
    let file = try CompressedSafetensors().writeUnproven(
      weights, of: model, recipe: "float32", to: folder.path("a.safetensors"))
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: file.path)))
    let header = try Array(bytes.prefix(CompressedModelHeader.byteCount(Array(bytes.prefix(8)))))
    try expectShipped(
      try ModelLoader.open(file.path), try CompressedModelHeader.files(in: header))
    let package = try CoreMLPackage(options: CoreMLOptions(floats: .float32)).writeUnproven(
      weights, of: model, recipe: "float32", to: folder.path("a.mlpackage"))
    let beside = ModelFiles(carriedBy: folder.path, texts: package.companions)
    try expectShipped(try ModelLoader.open(package.path, files: beside), package.companions)
  }

  private func expectShipped(_ model: Model, _ files: [String: [UInt8]]) throws {
    let configuration = try AppInputs.configuration(of: model)
    let preparer = try TextPreparer(configuration, files: files)
    let inputs = try Self.inputs(of: model).prefix(60) + Self.otherInputs(of: model)
    try expectSame(Array(inputs), model, preparer)
  }

  /// Pictures in memory give the library's pixels. A processor that resizes a file's own colours is
  /// asked for pictures whose colours need no conversion.
  @Test(arguments: images.cases) func appsMakeTheLibrarysPixels(_ row: EncoderTable.Case) throws {
    let folder = try TemporaryFolder()
    let table = Self.images
    let model = try ModelLoader.open(
      try table.assemble(row, in: folder), encoder: row.encoders == [nil] ? nil : .image)
    let configuration = try AppInputs.configuration(of: model)
    let preparer = try ImagePreparer(configuration)
    let gate = try GateInputs(model)
    let pictures = "\(table.folder)/pictures"
    let keepsColors = String(decoding: configuration.json, as: UTF8.self)
      .contains(#""colors":"last""#)
    let names = try table.pictures.filter { !keepsColors || !$0.contains(/-(?!gray\.|prog)/) }
    try #require(names.count > 10)
    for name in names {
      let file = [UInt8](try Data(contentsOf: URL(filePath: "\(pictures)/\(name)")))
      let rows = try AppInputs.rows(of: file, name)
      let expected = try gate.floats(
        of: .image(path: name), images: ImageFiles(folder: pictures))
      #expect(try preparer.numbers(of: rows) == expected, "\(row.name): \(name)")
    }
  }
}
