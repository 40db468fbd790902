import Formats
import Foundation
import Graph
import TestSupport
import Testing

/// Every small image encoder of `Fixtures/image-encoders`: the pixels and the vectors of the library
/// that such models come from, for 22 pictures; of a model with a text encoder also the ids and
/// vectors of 200 texts. `scripts/oracles/make_image_encoders.py` writes them.
struct ImageEncoderTableTests {
  static let table = EncoderTable(folder: Oracle.fixture("image-encoders"))
  static let cases = table.cases
  static let twoTowers = cases.filter { $0.texts != nil }

  @Test func everyListIsRead() throws {
    try Self.table.expectWhole()
    try #require(try Self.table.pictures.count == 22)
  }

  @Test(arguments: cases)
  func makesTheLibrarysPixels(_ row: EncoderTable.Case) throws {
    let folder = try TemporaryFolder()
    try Self.table.expectPixels(row, try open(row, in: folder, .image))
  }

  @Test(arguments: cases)
  func givesTheLibrarysVectorsOfImages(_ row: EncoderTable.Case) throws {
    let folder = try TemporaryFolder()
    try Self.table.expectVectorsOfImages(row, try open(row, in: folder, .image))
  }

  @Test(arguments: twoTowers)
  func givesTheLibrarysIDsAndVectorsOfTexts(_ row: EncoderTable.Case) throws {
    let folder = try TemporaryFolder()
    let model = try open(row, in: folder, .text)
    try Self.table.expectIDs(row, model)
    try Self.table.expectVectorsOfTexts(row, model)
  }

  /// The encoder of one kind; of a model that is one encoder, that.
  private func open(
    _ row: EncoderTable.Case, in folder: TemporaryFolder, _ kind: EncoderKind
  ) throws -> Model {
    try ModelLoader.open(
      try Self.table.assemble(row, in: folder), encoder: row.encoders == [nil] ? nil : kind)
  }
}
