import ImageDecoding
import TestSupport
import Testing

@testable import Imaging

/// Files that are not images, and PNG files that are refused, each with its message.
struct HostileImageTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let file: [UInt8]
    let message: String
    init(_ name: String, _ message: String, _ file: [UInt8]) {
      (self.name, self.message, self.file) = (name, message, file)
    }
    var testDescription: String { name }
  }

  /// A PNG with chunks of one's own behind the head.
  private static func png(_ chunks: [UInt8]...) -> [UInt8] {
    Array(PNGBytes.ramp(4, 2).bytes[..<33]) + chunks.flatMap { $0 }
  }

  private static func changed(_ change: (inout PNGBytes) -> Void) -> [UInt8] {
    var png = PNGBytes.ramp(4, 2)
    change(&png)
    return png.bytes
  }

  private static func head(_ body: [UInt8]) -> [UInt8] {
    PNGBytes.signature + PNGBytes.chunk("IHDR", body)
  }

  private static let pixels = PNGBytes.chunk("IDAT", PNGBytes.packed(PNGBytes.ramp(4, 2).rows))

  private static func frame(_ width: UInt32, _ x: UInt32) -> [UInt8] {
    PNGBytes.chunk(
      "fcTL",
      [0, width, 2, x, 0].flatMap { (number: UInt32) -> [UInt8] in bigEndian(number) }
        + [UInt8](repeating: 0, count: 6))
  }

  static let kinds = [
    Case("nothing", "the file is empty", []),
    Case("GIF", "the file is a GIF image, only PNG and JPEG images are read", text("GIF89a")),
    Case(
      "WebP", "the file is a WebP image, only PNG and JPEG images are read",
      text("RIFF\0\0\0\0WEBPVP8 ")),
    Case(
      "HEIC", "the file is a HEIC image, only PNG and JPEG images are read",
      text("\0\0\0\u{18}ftypheic\0\0\0\0mif1heic")),
    Case(
      "AVIF", "the file is an AVIF image, only PNG and JPEG images are read",
      text("\0\0\0\u{18}ftypmif1\0\0\0\0mif1avif")),
    Case(
      "film", "the file is a film or another media file, only PNG and JPEG images are read",
      text("\0\0\0\u{18}ftypisom\0\0\0\0")),
    Case(
      "BMP", "the file is a BMP image, only PNG and JPEG images are read",
      text("BM" + String(repeating: "\0", count: 30))),
    Case("TIFF", "the file is a TIFF image, only PNG and JPEG images are read", text("II*\0")),
    Case(
      "JPEG 2000", "the file is a JPEG 2000 image, only PNG and JPEG images are read",
      text("\0\0\0\u{0C}jP  \r\n")),
    Case("JPEG XL", "the file is a JPEG XL image, only PNG and JPEG images are read", [255, 10]),
    Case(
      "words", "the file is not an image that is known here, only PNG and JPEG images are read",
      text("BMW")),
    Case(
      "the start of a signature",
      "the file is not an image that is known here, only PNG and JPEG images are read",
      [0x89, 0x50]),
  ]

  static let pngs = [
    Case("signature only", "PNG: the file ends before the image does", PNGBytes.signature),
    Case(
      "no head", "PNG: the first chunk is 'IDAT' of 0 bytes, expected 'IHDR' of 13",
      PNGBytes.signature + pixels),
    Case(
      "long head", "PNG: the first chunk is 'IHDR' of 14 bytes, expected 'IHDR' of 13",
      head([UInt8](repeating: 0, count: 14)) + pixels),
    Case(
      "type that is no text", "PNG: the first chunk is '?AB?' of 0 bytes, expected 'IHDR' of 13",
      PNGBytes.signature + PNGBytes.chunk("\u{1}AB\u{2}", [])),
    Case("width 0", "PNG: the image has 0 x 2 pixels", changed { $0.width = 0 }),
    Case("height 0", "PNG: the image has 4 x 0 pixels", changed { $0.height = 0 }),
    Case(
      "3 bits", "PNG: colour type 0 with 3 bits a sample does not exist", changed { $0.depth = 3 }),
    Case(
      "colour type 5", "PNG: colour type 5 with 8 bits a sample does not exist",
      changed { $0.color = 5 }),
    Case(
      "50,000 x 50,000", "the image has 50000 x 50000 pixels, at most 178956970 are read",
      changed { ($0.width, $0.height) = (50_000, 50_000) }),
    Case(
      "the largest number",
      "the image has 4294967295 x 4294967295 pixels, at most 1000000 a side "
        + "are read", changed { ($0.width, $0.height) = (.max, .max) }),
    Case(
      "one row", "the image has 1000001 x 1 pixels, at most 1000000 a side are read",
      changed { ($0.width, $0.height) = (1_000_001, 1) }),
    Case(
      "interlaced",
      "the image comes in several passes, so that its 13000 x 13000 pixels take "
        + "676000000 bytes at once, more than 536870912",
      changed { ($0.width, $0.height, $0.color, $0.interlacing) = (13_000, 13_000, 6, 1) }),
    Case("interlacing 2", "PNG: invalid IHDR data", changed { $0.interlacing = 2 }),
    Case(
      "checksum of the head",
      "PNG: chunk 'IHDR' at byte 8 has checksum 00000001, its bytes give 5ac322bf",
      PNGBytes.signature
        + PNGBytes.chunk("IHDR", [0, 0, 0, 4, 0, 0, 0, 2, 8, 0, 0, 0, 0], checksum: 1) + pixels),
    Case(
      "checksum of a text",
      "PNG: chunk 'tEXt' at byte 33 has checksum 0000000a, its bytes give "
        + "df6ac413", png(PNGBytes.chunk("tEXt", [65, 0, 66], checksum: 10), pixels)),
    Case(
      "long chunk", "PNG: chunk 'tEXt' at byte 33 has 4294967295 bytes, the file ends after 4",
      png([255, 255, 255, 255], text("tEXt"), [0, 0, 0, 0])),
    Case("no pixels", "PNG: the file has no pixels", png(PNGBytes.chunk("IEND", []))),
    Case("nothing behind the head", "PNG: the file ends before the image does", png()),
    Case("no palette", "PNG: IDAT: Missing PLTE before IDAT", changed { $0.color = 3 }),
    Case("too few rows", "PNG: not enough image data", changed { $0.rows.removeLast(5) }),
    Case("unknown filter", "PNG: bad adaptive filter value", changed { $0.rows[5] = 7 }),
    Case(
      "no zlib stream", "PNG: IDAT: incorrect header check",
      png(PNGBytes.chunk("IDAT", [1, 2, 3, 4]), PNGBytes.chunk("IEND", []))),
    Case(
      "unknown chunk that must be known", "PNG: CgBI: unhandled critical chunk",
      png(PNGBytes.chunk("CgBI", [1, 2, 3, 4]), pixels)),
    Case(
      "pixels in two places", "PNG: not enough image data",
      png(
        PNGBytes.chunk("IDAT", [0x78]), PNGBytes.chunk("tEXt", [65, 0]),
        PNGBytes.chunk("IDAT", []))),
    Case(
      "small frame", "PNG: the first frame has 3 x 2 pixels at 1, 0, the image 4 x 2",
      png(frame(3, 1), pixels)),
    Case(
      "short frame", "PNG: chunk 'fcTL' has 3 bytes, expected 26",
      png(PNGBytes.chunk("fcTL", [1, 2, 3]), pixels)),
  ]

  @Test(arguments: kinds + pngs)
  func refused(_ each: Case) {
    #expect(ImageProcessor.cropping(3).refusal(of: each.file) == "a.png: \(each.message)")
  }

  /// Parts that the references ignore: checksums of the pixels, what lies behind them, notes.
  @Test func tolerated() throws {
    let png = PNGBytes.ramp(4, 2)
    let processor = ImageProcessor.cropping(4)
    let whole = try processor.pixels(of: png.bytes, origin: "a.png")
    let packed = PNGBytes.packed(png.rows)
    let others = [
      HostileImageTests.png(PNGBytes.chunk("IDAT", packed, checksum: 5)),
      HostileImageTests.png(PNGBytes.chunk("IDAT", packed)),
      HostileImageTests.png(
        PNGBytes.chunk("IDAT", []), PNGBytes.chunk("IDAT", Array(packed[..<4])),
        PNGBytes.chunk("IDAT", Array(packed[4...])), HostileImageTests.text("behind the end")),
      HostileImageTests.png(
        PNGBytes.chunk("iCCP", [UInt8](repeating: 65, count: 100_000)),
        PNGBytes.chunk("gAMA", [0, 0, 0, 1]), PNGBytes.chunk("abCd", []), HostileImageTests.pixels),
    ]
    for file in others { #expect(try processor.pixels(of: file, origin: "a.png") == whole) }
  }

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }
}
