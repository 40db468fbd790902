import Imaging
import StrictJSON

/// The chunks of a PNG file ahead of its pixels.
///
/// libpng decodes the pixels; this reads facts that it hides, or gives only after allocating
/// memory: the sizes, the palette, and which checksum is wrong. Like Pillow, it does not compare
/// checksums of the pixel data; zlib's own checksum covers those.
struct PNGHeader {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  let width: Int
  let height: Int
  let format: PixelFormat

  private struct Chunk {
    let type: String
    let offset: Int
    let body: Range<Int>
  }

  private let file: [UInt8]
  private let origin: String

  init(_ file: [UInt8], origin: String) throws(ImageError) {
    (self.file, self.origin) = (file, origin)
    func fault(_ text: String) -> ImageError {
      .damaged(origin: origin, kind: "PNG", fault: text)
    }
    let head = try PNGHeader.chunk(file, at: PNGHeader.signature.count, fault)
    guard head.type == "IHDR", head.body.count == 13 else {
      throw fault(
        "the first chunk is \(PNGHeader.quoted(head.type)) of \(head.body.count) bytes, "
          + "expected 'IHDR' of 13")
    }
    try PNGHeader.checkSum(file, head, fault)
    (width, height) = (
      file.bigEndian(head.body.lowerBound), file.bigEndian(head.body.lowerBound + 4)
    )
    guard width > 0, height > 0 else {
      throw fault("the image has \(width) x \(height) pixels")
    }
    let palette = try PNGHeader.palette(
      file, after: head.body.upperBound + 4, size: (width, height), fault)
    let (depth, color) = (file[head.body.lowerBound + 8], file[head.body.lowerBound + 9])
    guard let format = PNGHeader.format(depth: depth, color: color, palette) else {
      throw fault("colour type \(color) with \(depth) bits a sample does not exist")
    }
    self.format = format
  }

  private static func format(depth: UInt8, color: UInt8, _ palette: [UInt8]) -> PixelFormat? {
    switch (color, depth) {
    case (0, 1): .gray(factor: 255)
    case (0, 2): .gray(factor: 85)
    case (0, 4): .gray(factor: 17)
    case (0, 8): .gray(factor: 1)
    case (0, 16): .gray16
    case (2, 8), (2, 16): .rgb
    case (3, 1), (3, 2), (3, 4), (3, 8): .palette(palette)
    case (4, 8), (4, 16): .grayAlpha
    case (6, 8), (6, 16): .rgba
    default: nil
    }
  }

  /// Reads on until the first chunk of pixels.
  ///
  /// - Returns: 256 colours; those that the file does not give are black.
  private static func palette(
    _ file: [UInt8], after start: Int, size: (width: Int, height: Int),
    _ fault: (String) -> ImageError
  ) throws(ImageError) -> [UInt8] {
    var colors = [UInt8](repeating: 0, count: 768)
    var offset = start
    while true {
      let chunk = try chunk(file, at: offset, fault)
      if chunk.type == "IDAT" { return colors }
      if chunk.type == "IEND" { throw fault("the file has no pixels") }
      try checkSum(file, chunk, fault)
      switch chunk.type {
      case "PLTE":
        for (index, byte) in file[chunk.body].prefix(768).enumerated() { colors[index] = byte }
      case "fcTL":
        try checkFrame(file, chunk, size, fault)
      default: break
      }
      offset = chunk.body.upperBound + 4
    }
  }

  /// The first frame of an animation is the image itself and must be all of it.
  private static func checkFrame(
    _ file: [UInt8], _ chunk: Chunk, _ size: (width: Int, height: Int),
    _ fault: (String) -> ImageError
  ) throws(ImageError) {
    guard chunk.body.count >= 26 else {
      throw fault("chunk 'fcTL' has \(chunk.body.count) bytes, expected 26")
    }
    let numbers = (1...4).map { file.bigEndian(chunk.body.lowerBound + 4 * $0) }
    guard numbers == [size.width, size.height, 0, 0] else {
      throw fault(
        "the first frame has \(numbers[0]) x \(numbers[1]) pixels at \(numbers[2]), \(numbers[3]), "
          + "the image \(size.width) x \(size.height)")
    }
  }

  // MARK: Chunks

  private static func chunk(
    _ file: [UInt8], at offset: Int, _ fault: (String) -> ImageError
  ) throws(ImageError) -> Chunk {
    guard offset <= file.count - 8 else { throw fault("the file ends before the image does") }
    let length = file.bigEndian(offset)
    let type = String(decoding: file[offset + 4..<offset + 8], as: UTF8.self)
    // Of the pixels only the place matters here.
    guard type != "IDAT" else {
      return Chunk(type: type, offset: offset, body: offset + 8..<offset + 8)
    }
    guard length <= file.count - offset - 12 else {
      throw fault(
        "chunk \(quoted(type)) at byte \(offset) has \(length) bytes, the file ends after "
          + "\(file.count - offset - 8)")
    }
    return Chunk(type: type, offset: offset, body: offset + 8..<offset + 8 + length)
  }

  private static func checkSum(
    _ file: [UInt8], _ chunk: Chunk, _ fault: (String) -> ImageError
  ) throws(ImageError) {
    let stated = UInt32(file.bigEndian(chunk.body.upperBound))
    let found = CyclicSum.of(file[chunk.offset + 4..<chunk.body.upperBound])
    guard stated == found else {
      throw fault(
        "chunk \(quoted(chunk.type)) at byte \(chunk.offset) has checksum \(hexadecimal(stated)), "
          + "its bytes give \(hexadecimal(found))")
    }
  }

  private static func hexadecimal(_ number: UInt32) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// A type that need not be text.
  private static func quoted(_ type: String) -> String {
    let text = type.unicodeScalars.map { 0x20...0x7E ~= $0.value ? Character($0) : "?" }
    return "'\(String(text))'"
  }
}

extension [UInt8] {
  /// The big-endian number in the four bytes at an offset, which must be inside.
  fileprivate func bigEndian(_ offset: Int) -> Int {
    self[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }
}

/// The checksum of PNG chunks (CRC-32; PNG specification, annex D).
private enum CyclicSum {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
  }

  static func of(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    let table = table
    return ~bytes.reduce(~0 as UInt32) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ $0 >> 8 }
  }
}
