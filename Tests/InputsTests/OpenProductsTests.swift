import Execution
import Testing

@testable import Inputs

struct OpenProductsTests {
  /// All numbers of every fourth row are rounded down by as much as there is, so that products are as
  /// far off as they can be; every other row is exact.
  private static let rows: [[Float]] = (0..<32).map { row in
    [127] + Array(repeating: row % 4 == 0 ? 10.49 : Float(1 + row % 13), count: 1000)
  }

  @Test(.enabled(if: IntegerRows.hasFastBytes, "this processor makes products of 8 bits no faster"))
  func cosinesAreWithinWhatIsOpen() throws {
    let rows = Self.rows, all = Array(rows.indices)
    let vectors = Vectors(
      OutputMatrix(rowCount: rows.count, width: 1001, values: rows.flatMap { $0 }))
    let rounded = RoundedRows(vectors, all, jobs: 2)
    let bytes = try #require(ByteRows(vectors, rounded, jobs: 2))
    let margin = rounded.margin(by: rounded)
    let open = OpenProducts(bytes, bytes, beside: margin)
    var tile = IntegerTile()
    tile.multiply(bytes.panels, all.indices, by: bytes.panels, all.indices)
    var nearest = Double.infinity
    for row in all {
      for (other, product) in tile.products(ofRow: row).enumerated() {
        let cosine = vectors.cosine(row, other) * RoundedRows.scale * RoundedRows.scale
        let room = Double(open.bound(product, row, other)) + Double(margin) - cosine
        #expect(room >= 0)
        #expect((cosine - Double(product)).magnitude <= Double(open.rows[row] + margin))
        nearest = min(nearest, room / (cosine - Double(product)).magnitude)
      }
    }
    // Less would not do: the least room is a small part of what a product is off.
    #expect(nearest < 0.2)
  }

  /// One large number, and others that all round up to 1: in 8 bits such a row is so much longer than
  /// its direction that a product with one like it would leave 32 bits.
  @Test(.enabled(if: IntegerRows.hasFastBytes, "this processor makes products of 8 bits no faster"))
  func rowsThatGetTooLongStayIn16Bits() {
    let width = 40_960
    let row = [127] + Array(repeating: Float(0.51), count: width - 1)
    let vectors = Vectors(OutputMatrix(rowCount: 2, width: width, values: row + row))
    let rounded = RoundedRows(vectors, [0, 1], jobs: 1)
    #expect(ByteRows(vectors, rounded, jobs: 1) == nil)
  }

  /// However far rows are off that are taken, no product of theirs leaves 32 bits.
  @Test(
    .enabled(if: IntegerRows.hasFastBytes, "this processor makes products of 8 bits no faster"),
    arguments: [1000, 8000, 20_000, 30_000, 36_000, 65_536])
  func productsFitIn32Bits(_ width: Int) {
    let row = [127] + Array(repeating: Float(0.51), count: width - 1)
    let vectors = Vectors(OutputMatrix(rowCount: 2, width: width, values: row + row))
    let rounded = RoundedRows(vectors, [0, 1], jobs: 1)
    guard let bytes = ByteRows(vectors, rounded, jobs: 1) else {
      // Narrower ones must not be left out.
      #expect(width > 8000)
      return
    }
    var tile = IntegerTile()
    tile.multiply(bytes.panels, 0..<2, by: bytes.panels, 0..<2)
    let scale = RoundedRows.scale * RoundedRows.scale
    #expect(tile.products(ofRow: 0).prefix(2).allSatisfy { Double($0) >= 0.99 * scale })
  }
}
