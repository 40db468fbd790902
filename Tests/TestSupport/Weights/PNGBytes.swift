/// PNG files, right and wrong ones.
package struct PNGBytes {
  package var width: UInt32
  package var height: UInt32
  package var depth: UInt8
  package var color: UInt8
  package var interlacing: UInt8 = 0
  /// Chunks between the head and the pixels.
  package var before: [[UInt8]] = []
  /// All rows, each with its filter in front, before they are deflated.
  package var rows: [UInt8]

  package init(
    _ width: UInt32, _ height: UInt32, depth: UInt8 = 8, color: UInt8 = 0, rows: [UInt8]
  ) {
    (self.width, self.height, self.depth, self.color) = (width, height, depth, color)
    self.rows = rows
  }

  /// A gray image of 8 bits whose levels are 0, 1, 2, …
  package static func ramp(_ width: UInt32, _ height: UInt32) -> PNGBytes {
    PNGBytes(
      width, height,
      rows: (0..<height).flatMap { y in
        [0] + (0..<width).map { UInt8(truncatingIfNeeded: y * width + $0) }
      })
  }

  /// An image of 8-bit red, green and blue.
  package static func rgb(
    _ width: Int, _ height: Int, pixel: (_ x: Int, _ y: Int) -> [UInt8]
  ) -> PNGBytes {
    PNGBytes(
      UInt32(width), UInt32(height), color: 2,
      rows: (0..<height).flatMap { y in [0] + (0..<width).flatMap { x in pixel(x, y) } })
  }

  package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// The file.
  package var bytes: [UInt8] {
    PNGBytes.signature + PNGBytes.chunk("IHDR", head) + before.flatMap { $0 }
      + PNGBytes.chunk("IDAT", PNGBytes.packed(rows)) + PNGBytes.chunk("IEND", [])
  }

  private var head: [UInt8] {
    bigEndian(width) + bigEndian(height) + [depth, color, 0, 0, interlacing]
  }

  package static func chunk(_ type: String, _ body: [UInt8], checksum: UInt32? = nil) -> [UInt8] {
    let named = Array(type.utf8) + body
    return bigEndian(UInt32(body.count)) + named
      + bigEndian(checksum ?? ZipBytes.checksum(named))
  }

  /// A zlib stream.
  package static func packed(_ bytes: [UInt8]) -> [UInt8] {
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      low = (low + UInt32(byte)) % 65521
      high = (high + low) % 65521
    }
    return [0x78, 0x9C] + ZipBytes.deflated(bytes) + bigEndian(high << 16 | low)
  }
}
