import Formats
import Foundation
import Graph
import TestSupport
import Testing

/// Every small text encoder of `Fixtures/encoders`: the ids and the vectors of the library that such
/// models come from, for 200 texts.
struct EncoderTableTests {
  static let table = EncoderTable(folder: Oracle.fixture("encoders"))

  @Test func everyListIsRead() throws { try Self.table.expectWhole() }

  @Test(arguments: table.cases)
  func givesTheLibrarysIDsAndVectors(_ row: EncoderTable.Case) throws {
    let folder = try TemporaryFolder()
    let model = try ModelLoader.open(try Self.table.assemble(row, in: folder))
    try Self.table.expectIDs(row, model)
    try Self.table.expectVectorsOfTexts(row, model)
  }
}
