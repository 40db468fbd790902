import ImageDecoding
import TestSupport
import Testing

@testable import Imaging

/// Pixels from each sort of sample; the expected levels are those of Pillow 13's `convert("RGB")`.
struct PixelFormatTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let png: PNGBytes
    /// R, G, B of each pixel of the only row.
    let colors: [[UInt8]]

    init(
      _ name: String, _ depth: UInt8, _ color: UInt8, _ row: [UInt8], _ colors: [[UInt8]],
      before: [[UInt8]] = []
    ) {
      self.name = name
      png = {
        var png = PNGBytes(
          UInt32(colors.count), 1, depth: depth, color: color, rows: [0] + row)
        png.before = before
        return png
      }()
      self.colors = colors
    }

    var testDescription: String { name }
  }

  private static func gray(_ levels: [UInt8]) -> [[UInt8]] { levels.map { [$0, $0, $0] } }
  private static let palette = [PNGBytes.chunk("PLTE", [9, 8, 7, 6, 5, 4])]
  private static let clearPalette = palette + [PNGBytes.chunk("tRNS", [0, 128])]

  static let cases = [
    Case("gray 1", 1, 0, [0b0110_0000], gray([0, 255, 255, 0])),
    Case("gray 2", 2, 0, [0b0001_1011], gray([0, 85, 170, 255])),
    Case("gray 4", 4, 0, [0x1B], gray([17, 187])),
    Case("gray 8", 8, 0, [1, 2, 254], gray([1, 2, 254])),
    Case("gray 16", 16, 0, [0, 7, 0, 255, 1, 0, 255, 255], gray([7, 255, 255, 255])),
    Case("palette 1", 1, 3, [0b0100_0000], [[9, 8, 7], [6, 5, 4]], before: palette),
    Case(
      "palette 8, too few colours", 8, 3, [1, 0, 2, 255],
      [[6, 5, 4], [9, 8, 7], [0, 0, 0], [0, 0, 0]], before: palette),
    Case("palette 4, opacity", 4, 3, [0x01], [[9, 8, 7], [6, 5, 4]], before: clearPalette),
    Case("gray and alpha 8", 8, 4, [50, 0, 60, 255], gray([50, 60])),
    Case("gray and alpha 16", 16, 4, [1, 2, 3, 4, 5, 6, 7, 8], gray([1, 5])),
    Case("RGB 8", 8, 2, [1, 2, 3, 4, 5, 6], [[1, 2, 3], [4, 5, 6]]),
    Case("RGB 16", 16, 2, [1, 255, 2, 255, 3, 255], [[1, 2, 3]]),
    Case("RGBA 8", 8, 6, [1, 2, 3, 0, 4, 5, 6, 7], [[1, 2, 3], [4, 5, 6]]),
    Case("RGBA 16", 16, 6, [1, 0, 2, 0, 3, 0, 9, 0], [[1, 2, 3]]),
  ]

  @Test(arguments: cases)
  func colors(_ each: Case) throws {
    for convertsFirst in [true, false] {
      let processor = ImageProcessor.squashing(
        each.colors.count, 1, convertsFirst: convertsFirst)
      let planes = try processor.pixels(of: each.png.bytes, origin: each.name)
      #expect(planes == (0..<3).flatMap { plane in each.colors.map { $0[plane] } })
    }
  }

  /// Opacity counts where resizing comes first, and palettes are not smoothed there.
  @Test func orderOfConversion() throws {
    func row(_ file: PNGBytes, convertsFirst: Bool) throws -> [UInt8] {
      let processor = ImageProcessor.squashing(4, 1, convertsFirst: convertsFirst)
      return Array(try processor.pixels(of: file.bytes, origin: "a.png").prefix(4))
    }
    let alpha = PNGBytes(2, 1, color: 4, rows: [0, 200, 255, 100, 0])
    #expect(try row(alpha, convertsFirst: true) == [209, 179, 121, 91])
    #expect(try row(alpha, convertsFirst: false) == [218, 200, 197, 0])
    var palette = PNGBytes(2, 1, color: 3, rows: [0, 0, 1])
    palette.before = [PNGBytes.chunk("PLTE", [200, 0, 0, 100, 0, 0])]
    #expect(try row(palette, convertsFirst: true) == [209, 179, 121, 91])
    #expect(try row(palette, convertsFirst: false) == [200, 200, 100, 100])
  }

  @Test func everyLevelOfOpacity() throws {
    for alpha: UInt8 in 0...255 {
      let conversion = RowConversion(keeping: .grayAlpha)
      var weighted: [UInt8] = [0, 0]
      for level: UInt8 in [0, 1, 127, 128, 254, 255] {
        conversion.convert([level, alpha], 0..<1, into: &weighted)
        let expected = (Double(level) * Double(alpha) / 255).rounded()
        #expect(Double(weighted[0]) == expected && weighted[1] == alpha)
        if alpha > 0 {
          let (back, _, _) = conversion.color(weighted, at: 0)
          #expect(abs(Int(back) - Int(level)) <= 255 / Int(alpha))
        }
      }
    }
  }

  @Test func jpeg() throws {
    let gray = try ImageProcessor.cropping(8).pixels(of: JPEGBytes.level100, origin: "a.jpg")
    #expect(gray == [UInt8](repeating: 100, count: 192))
    // Pillow's own pixels of the corner.
    let corner = ImageProcessor.cropping(16)
    #expect(try pixel(corner, JPEGBytes.color) == [196, 2, 0, 194, 78, 97, 204, 223, 178])
    #expect(try pixel(corner, JPEGBytes.progressive) == [196, 2, 0, 194, 78, 97, 204, 223, 178])
    #expect(try pixel(corner, JPEGBytes.inks) == [43, 199, 199, 43, 143, 115, 43, 24, 59])
  }

  private func pixel(_ processor: ImageProcessor, _ file: [UInt8]) throws -> [UInt8] {
    let planes = try processor.pixels(of: file, origin: "a.jpg")
    return [0, 5 * 16 + 9, 255].flatMap { place in (0..<3).map { planes[$0 * 256 + place] } }
  }
}
