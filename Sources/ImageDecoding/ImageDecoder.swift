import CImages
import Imaging

/// A file's pixels, row by row from the top.
///
/// Holds the whole file and one row of its pixels; for images in several passes the libraries hold
/// all, within `ImageLimits.wholeBytes`.
@safe final class ImageDecoder: PixelRows {
  let width: Int
  let height: Int
  let format: PixelFormat

  private let file: [UInt8]
  private let origin: String
  private let kind: ImageKind
  /// Closed in `deinit`, and never handed out.
  private let handle: OpaquePointer

  init(_ file: [UInt8], origin: String) throws(ImageError) {
    let kind = try ImageKind(of: file, origin: origin)
    let header = kind == .png ? try PNGHeader(file, origin: origin) : nil
    if let header {
      try ImageLimits.check(width: header.width, height: header.height, origin: origin)
    }
    var facts = ingot_image_facts()
    var message = Message()
    let opened = unsafe file.withUnsafeBufferPointer { bytes in
      unsafe message.withPointer { text, capacity in
        unsafe ingot_decoder_open(
          kind == .png ? INGOT_PNG : INGOT_JPEG, bytes.baseAddress, bytes.count, &facts, text,
          capacity)
      }
    }
    guard let handle = unsafe opened else {
      throw .damaged(origin: origin, kind: kind.rawValue, fault: message.text)
    }
    unsafe self.handle = handle
    (self.file, self.origin, self.kind) = (file, origin, kind)
    (width, height) = (Int(facts.width), Int(facts.height))
    format = header?.format ?? ImageDecoder.jpegFormat(samples: Int(facts.samples))
    try check(facts)
  }

  deinit { unsafe ingot_decoder_close(handle) }

  private static func jpegFormat(samples: Int) -> PixelFormat {
    switch samples {
    case 1: .gray(factor: 1)
    case 3: .rgb
    // As Pillow: whether an Adobe marker says so or not.
    default: .invertedCMYK
    }
  }

  private func check(_ facts: ingot_image_facts) throws(ImageError) {
    try ImageLimits.check(width: width, height: height, origin: origin)
    guard width > 0, height > 0, facts.row_bytes == width * format.bytesPerPixel else {
      throw .damaged(
        origin: origin, kind: kind.rawValue,
        fault: "a row of \(width) pixels has \(facts.row_bytes) bytes, "
          + "expected \(width * format.bytesPerPixel)")
    }
    guard facts.whole_bytes <= ImageLimits.wholeBytes else {
      throw .tooMuchMemory(
        origin: origin, width: width, height: height, bytes: Int(clamping: facts.whole_bytes),
        limit: ImageLimits.wholeBytes)
    }
  }

  /// Decodes the next row into `row`, which is as long as `emptyRow`; there are `height` of them.
  func read(into row: inout [UInt8]) throws(ImageError) {
    precondition(row.count == width * format.bytesPerPixel)
    var message = Message()
    let isRead = unsafe file.withUnsafeBufferPointer { bytes in
      unsafe row.withUnsafeMutableBufferPointer { row in
        guard let place = row.baseAddress else { return false }
        return unsafe message.withPointer { text, capacity in
          unsafe ingot_decoder_row(handle, bytes.baseAddress, bytes.count, place, text, capacity)
        } ?? false
      }
    }
    guard isRead else {
      throw .damaged(origin: origin, kind: kind.rawValue, fault: message.text)
    }
  }
}

/// A buffer for a library's error message.
private struct Message {
  private var bytes = [CChar](repeating: 0, count: 256)

  mutating func withPointer<Result>(
    _ body: (UnsafeMutablePointer<CChar>, Int) -> Result?
  ) -> Result? {
    unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      guard let place = buffer.baseAddress else { return nil }
      return unsafe body(place, buffer.count)
    }
  }

  /// The text in the style of messages here: no capital at the start, no full stop at the end.
  var text: String {
    let said = bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let text = String(
      decoding: said.last == UInt8(ascii: ".") ? said.dropLast() : said[...], as: UTF8.self)
    // `IDAT: …` begins with the name of a chunk.
    guard let second = text.dropFirst().first, second.isLowercase || second == " ",
      text.dropFirst(4).first != ":"
    else { return text }
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
