import ImageDecoding
import TestSupport
import Testing

@testable import Imaging

struct ThumbnailTests {
  private func image(_ width: Int, _ height: Int) -> PNGBytes {
    let row = [UInt8(0)] + (0..<width).flatMap { _ in [10, 200, 30] as [UInt8] }
    return PNGBytes(
      UInt32(width), UInt32(height), depth: 8, color: 2,
      rows: (0..<height).flatMap { _ in row })
  }

  @Test(arguments: [(400, 100, 160, 40), (30, 300, 16, 160), (20, 10, 20, 10), (1000, 1, 160, 1)])
  func theLongerSideIsShortEnough(_ width: Int, _ height: Int, _ newWidth: Int, _ newHeight: Int)
    throws
  {
    let small = try Thumbnail(of: image(width, height).bytes, origin: "a.png", longest: 160)
    #expect(small.width == newWidth && small.height == newHeight)
    // It reads back, and has the colour of the image.
    let pixels = try ImageProcessor.squashing(newWidth, newHeight, convertsFirst: true)
      .pixels(of: small.png, origin: "small.png")
    let count = newWidth * newHeight
    let planes = [10, 200, 30].flatMap { [UInt8](repeating: $0, count: count) }
    #expect(pixels == planes)
  }

  @Test func whatIsNoImageIsAnError() {
    #expect(throws: ImageError.self) {
      try Thumbnail(of: Array("<svg/>".utf8), origin: "a.png", longest: 160)
    }
  }
}
