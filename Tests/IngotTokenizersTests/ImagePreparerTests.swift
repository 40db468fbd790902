import ImageDecoding
import Imaging
import TestSupport
import Testing

@testable import IngotTokenizers

/// Rows in memory give the levels of a file with the same pixels, colours converted first or last.
struct ImagePreparerTests {
  static let (width, height) = (7, 5)

  private func level(_ x: Int, _ y: Int, _ channel: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: 37 * x * x + 91 * y + 53 * channel * (x + 1) + 11 * x * y)
  }

  private func rows(_ channels: Int) -> [[UInt8]] {
    (0..<Self.height).map { y in
      (0..<Self.width).flatMap { x in (0..<channels).map { level(x, y, $0) } }
    }
  }

  private func processor(
    _ resizing: ImageGeometry.Resizing, convertsFirst: Bool, scale: Float? = nil
  ) -> ImageProcessor {
    ImageProcessor(
      geometry: ImageGeometry(resizing: resizing, centering: .even, width: 3, height: 4),
      filter: .bilinear, convertsFirst: convertsFirst, scale: scale)
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let layout: ImageRows.Layout
    let channels: Int
    /// The PNG format's number for the same samples.
    let color: UInt8
    var testDescription: String { "\(layout)" }
  }

  static let cases = [
    Case(layout: .gray, channels: 1, color: 0), Case(layout: .rgb, channels: 3, color: 2),
    Case(layout: .rgba, channels: 4, color: 6),
  ]

  @Test(arguments: cases, [false, true])
  func rowsGiveTheLevelsOfAFile(_ each: Case, convertsFirst: Bool) throws {
    let rows = rows(each.channels)
    let file = PNGBytes(
      UInt32(Self.width), UInt32(Self.height), color: each.color, rows: rows.flatMap { [0] + $0 }
    ).bytes
    let image = try ImageRows(
      width: Self.width, height: Self.height, bytesPerRow: 64, layout: each.layout,
      bytes: Array(
        rows.flatMap { $0 + Array(repeating: 1, count: 64 - $0.count) }
          .dropLast(64 - rows[0].count)))
    let steps: [ImageGeometry.Resizing] = [
      .none, .shortestEdge(4), .exactly(width: 3, height: 4), .covering(width: 4, height: 9),
    ]
    for resizing in steps {
      let processor = processor(resizing, convertsFirst: convertsFirst)
      let preparer = try ImagePreparer(
        InputConfiguration(
          .image(ImageConfiguration(processor, takesLevels: true)), tensors: ["image"]))
      let expected = try processor.pixels(of: file, origin: "a.png")
      #expect(try preparer.levels(of: image) == expected)
      #expect(try preparer.numbers(of: image) == expected.map { Float($0) })
    }
  }

  /// Where the library scales levels first, a trained model gets numbers between them.
  @Test func exactNumbersAreThoseOfAFile() throws {
    let processor = processor(
      .exactly(width: 3, height: 4), convertsFirst: true, scale: 1.0 / 255)
    let file = PNGBytes(
      UInt32(Self.width), UInt32(Self.height), color: 2, rows: rows(3).flatMap { [0] + $0 }
    ).bytes
    let image = try ImageRows(
      width: Self.width, height: Self.height, bytesPerRow: 21, layout: .rgb,
      bytes: rows(3).flatMap { $0 })
    func preparer(_ takesLevels: Bool) throws -> ImagePreparer {
      try ImagePreparer(
        InputConfiguration(
          .image(ImageConfiguration(processor, takesLevels: takesLevels)), tensors: ["image"]))
    }
    let exact = try processor.exactPixels(of: file, origin: "a.png")
    #expect(try preparer(false).numbers(of: image) == exact)
    #expect(try preparer(true).numbers(of: image) == exact.map { $0.rounded() })
    #expect(exact.contains { $0 != $0.rounded() })
  }

  @Test func rowsThatDoNotFitAreRefused() throws {
    func fault(_ width: Int, _ height: Int, _ bytesPerRow: Int, _ count: Int) -> String? {
      do {
        _ = try ImageRows(
          width: width, height: height, bytesPerRow: bytesPerRow, layout: .rgb,
          bytes: [UInt8](repeating: 0, count: count))
        return nil
      } catch {
        return error.description
      }
    }
    #expect(fault(2, 2, 8, 14) == nil)
    #expect(
      fault(2, 2, 8, 13)
        == "the image of 2 × 2 pixels has 13 bytes, 8 a row; a row has 6 bytes of pixels")
    #expect(fault(2, 2, 5, 20)?.contains("5 a row") == true)
    #expect(fault(2, 1, .max, 6) == nil)
    #expect(fault(2, 3, .max, 6) != nil)
    #expect(fault(2, 1, -8, 6) != nil)
    #expect(fault(0, 2, 8, 16) == "the image has 0 × 2 pixels")
    #expect(
      fault(1_000_000, 179, 3_000_000, 1)
        == "the image has 1000000 × 179 pixels, more than the gate reads")
    #expect(fault(.max, .max, .max, 1) != nil)
  }
}
