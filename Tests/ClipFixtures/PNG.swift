import Foundation

/// PNG files written by hand, uncompressed.
enum PNG {
  /// An image of 8-bit red, green and blue.
  static func rgb(width: Int, height: Int, pixel: (Int, Int) -> [UInt8]) -> Data {
    var rows: [UInt8] = []
    for y in 0..<height {
      rows.append(0)
      for x in 0..<width { rows += pixel(x, y) }
    }
    var head = big(UInt32(width)) + big(UInt32(height))
    head += Data([8, 2, 0, 0, 0])
    return Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + chunk("IHDR", head)
      + chunk("IDAT", stored(rows)) + chunk("IEND", Data())
  }

  /// A zlib stream of one stored block.
  private static func stored(_ bytes: [UInt8]) -> Data {
    let count = UInt16(bytes.count)
    var data = Data([0x78, 0x01, 0x01])
    for number in [count, ~count] { data += Data([UInt8(number & 0xFF), UInt8(number >> 8)]) }
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    return data + Data(bytes) + big(b << 16 | a)
  }

  private static func chunk(_ name: String, _ content: Data) -> Data {
    let named = Data(name.utf8) + content
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in named {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return big(UInt32(content.count)) + named + big(~crc)
  }

  private static func big(_ number: UInt32) -> Data {
    Data([24, 16, 8, 0].map { UInt8(number >> $0 & 0xFF) })
  }
}
