import Formats
import Foundation
import Graph
import Inputs
import TestSupport
import Testing
import Tokenization
import Weights

/// Every small image encoder of `Fixtures/image-encoders`: the pixels and the vectors of the library
/// that such models come from, for 22 pictures; of a model with a text encoder also the ids and
/// vectors of 200 texts. `scripts/oracles/make_image_encoders.py` writes them.
struct ImageEncoderTableTests {
  /// A row of a family's list; the values are names in `shared`.
  struct Case: Decodable, CustomTestStringConvertible, Sendable {
    let name: String
    /// Path in the model to name in `shared`.
    let files: [String: String]
    /// Levels after resize and crop, uint8 [22, 3, height, width].
    let pixels: String
    /// [22, width]
    let images: String
    let ids: String?
    let texts: String?
    var testDescription: String { name }
  }

  static let folder = Oracle.fixture("image-encoders")

  static let lists: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".json") && $0 != "pictures.json" }.sorted()
  }()

  static let cases: [Case] = lists.flatMap { name -> [Case] in
    let data = try? Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
    return data.flatMap { try? JSONDecoder().decode([Case].self, from: $0) } ?? []
  }

  static let twoTowers = cases.filter { $0.texts != nil }

  @Test func everyListIsRead() throws {
    let counts = try Self.lists.map { try Self.decode([Case].self, $0).count }
    #expect(counts.reduce(0, +) == Self.cases.count && counts.allSatisfy { $0 > 0 })
    #expect(Set(Self.cases.map(\.name)).count == Self.cases.count)
    try #require(try Self.pictures().count == 22)
  }

  @Test(arguments: cases)
  func makesTheLibrarysPixels(_ row: Case) throws {
    let folder = try TemporaryFolder()
    let source = try open(row, in: folder, .image).pixelSource().source
    let file = try WeightCollection.open("\(Self.folder)/shared/\(row.pixels)")
    let theirs = try #require(file.tensors.first)
    try #require(theirs.shape == [try Self.pictures().count, 3, source.height, source.width])
    let levels = try theirs.floats()
    let count = 3 * source.height * source.width
    for (index, name) in try Self.pictures().enumerated() {
      let bytes = try Data(contentsOf: URL(filePath: "\(Self.folder)/pictures/\(name)"))
      let ours = try source.pixels(of: Array(bytes), origin: name).map(Float.init)
      let other = zip(ours, levels[index * count..<(index + 1) * count]).count { $0 != $1 }
      #expect(other == 0, "\(row.name): \(name): \(other) of \(count) levels are others")
    }
  }

  @Test(arguments: cases)
  func givesTheLibrarysVectorsOfImages(_ row: Case) throws {
    let folder = try TemporaryFolder()
    let model = try open(row, in: folder, .image)
    let inputs = try Self.pictures().map { Input.image(path: $0) }
    let ours = try ModelRunner(model: model, jobs: 1).outputs(
      for: inputs, images: ImageFiles(folder: "\(Self.folder)/pictures"))
    try compare(ours, row.images, row)
  }

  @Test(arguments: twoTowers)
  func givesTheLibrarysIDsAndVectorsOfTexts(_ row: Case) throws {
    let folder = try TemporaryFolder()
    let model = try open(row, in: folder, .text)
    let texts = try Self.decode([String].self, "../text-models/texts.json")
    let inputs = texts.map { Input.text($0) }
    let theirs = try Self.decode([[Int32]].self, "shared/\(try #require(row.ids))")
    guard case .tokens(let length, let rows) = model.architecture.input else {
      Issue.record("\(row.name) does not take tokens")
      return
    }
    let found = try TextInputs(of: model, maximumLength: length, rows: rows).tokens(of: inputs)
    try #require(theirs.count == found.count)
    for (text, (ids, expected)) in zip(texts, zip(found, theirs)) {
      #expect(ids == expected, "\(row.name): \(text.debugDescription)")
    }
    let ours = try ModelRunner(model: model, jobs: 1).outputs(for: inputs)
    try compare(ours, try #require(row.texts), row)
  }

  /// Every cosine at least 0.99999, every length within 10⁻⁴.
  private func compare(_ ours: OutputMatrix, _ file: String, _ row: Case) throws {
    let theirs = try OutputMatrix(npy: "\(Self.folder)/shared/\(file)")
    try #require(ours.rowCount == theirs.rowCount && ours.width == theirs.width)
    for index in 0..<ours.rowCount {
      let (left, right) = (ours[index].map(Double.init), theirs[index].map(Double.init))
      let lengths = [left, right].map { $0.reduce(0) { $0 + $1 * $1 }.squareRoot() }
      let cosine = zip(left, right).reduce(0) { $0 + $1.0 * $1.1 } / (lengths[0] * lengths[1])
      #expect(cosine >= 0.99999, "\(row.name): row \(index): \(cosine)")
      #expect(
        (lengths[0] - lengths[1]).magnitude <= 1e-4 * lengths[1] + 1e-6,
        "\(row.name): row \(index): \(lengths[0]) long, the library's \(lengths[1])")
    }
  }

  /// The encoder of one kind; of a model that is one encoder, that.
  private func open(_ row: Case, in folder: TemporaryFolder, _ kind: EncoderKind) throws -> Model {
    try ModelLoader.open(
      try Self.assemble(row, in: folder), encoder: row.texts == nil ? nil : kind)
  }

  /// The folder of a row's model.
  static func assemble(_ row: Case, in folder: TemporaryFolder) throws -> String {
    let path = folder.path("model")
    for (name, stored) in row.files {
      let target = URL(filePath: "\(path)/\(name)")
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: "\(Self.folder)/shared/\(stored)", toPath: target.path)
    }
    return path
  }

  static func pictures() throws -> [String] { try decode([String].self, "pictures.json") }

  private static func decode<Value: Decodable>(_ type: Value.Type, _ path: String) throws -> Value {
    try JSONDecoder().decode(type, from: Data(contentsOf: URL(filePath: "\(folder)/\(path)")))
  }
}
