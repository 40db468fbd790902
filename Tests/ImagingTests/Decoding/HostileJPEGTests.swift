import ImageDecoding
import TestSupport
import Testing

@testable import Imaging

/// JPEG files that are refused, each with its message.
struct HostileJPEGTests {
  typealias Case = HostileImageTests.Case

  static let jpegs = [
    Case("signature only", "JPEG: the file ends before the image does", [0xFF, 0xD8, 0xFF]),
    Case("no frame", "JPEG: JPEG datastream contains no image", [0xFF, 0xD8, 0xFF, 0xD9]),
    Case(
      "two kinds of samples", "JPEG: a pixel has neither 1, 3 nor 4 components",
      JPEGBytes.frame(4, 4, components: 2)),
    Case(
      "12 bits", "JPEG: unsupported JPEG data precision 12", JPEGBytes.frame(4, 4, precision: 12)),
    Case(
      "lossless", "JPEG: unsupported JPEG process: SOF type 0xc3",
      JPEGBytes.frame(4, 4, process: 0xC3)),
    Case("width 0", "JPEG: empty JPEG image (DNL not supported)", JPEGBytes.frame(0, 4)),
    Case("height 0", "JPEG: empty JPEG image (DNL not supported)", JPEGBytes.frame(4, 0)),
    Case(
      "50,000 x 50,000", "the image has 50000 x 50000 pixels, at most 178956970 are read",
      JPEGBytes.frame(50_000, 50_000)),
    Case(
      "65,535 x 2,000", "JPEG: maximum supported image dimension is 65500 pixels",
      JPEGBytes.frame(65_535, 2_000)),
    Case(
      "progressive",
      "the image comes in several passes, so that its 13000 x 13000 pixels take "
        + "1014000000 bytes at once, more than 536870912",
      JPEGBytes.frame(13_000, 13_000, process: 0xC2)),
    Case("many scans", "JPEG: there are more than 100 scans", manyScans),
  ]

  /// A progressive file whose first scan comes again and again.
  static var manyScans: [UInt8] {
    let file = JPEGBytes.progressive
    let starts = file.indices.dropLast(1).filter { file[$0] == 0xFF && file[$0 + 1] == 0xDA }
    let tables = file.indices.dropLast(1).filter { file[$0] == 0xFF && file[$0 + 1] == 0xC4 }
    guard let start = starts.first, let end = tables.first(where: { $0 > start }) else { return [] }
    return Array(file[..<end]) + (0..<100).flatMap { _ in file[start..<end] } + file[end...]
  }

  @Test(arguments: jpegs)
  func refused(_ each: Case) {
    #expect(ImageProcessor.cropping(3).refusal(of: each.file) == "a.png: \(each.message)")
  }

  /// Data that do not make sense are gone on with, as Pillow does; these are its levels.
  @Test func noData() throws {
    let pixels = try ImageProcessor.cropping(4)
      .pixels(of: JPEGBytes.frame(4, 4), origin: "a.jpg")
    #expect(pixels.prefix(8) == [111, 133, 126, 130, 133, 128, 130, 128])
  }
}
