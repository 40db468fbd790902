import Imaging

/// A file's format by its first bytes; its name does not count.
enum ImageKind: String {
  case png = "PNG"
  case jpeg = "JPEG"

  /// - Throws: if the file is empty or of another kind, which is named if it is a common one.
  init(of file: [UInt8], origin: String) throws(ImageError) {
    guard !file.isEmpty else { throw .empty(origin: origin) }
    if file.starts(with: PNGHeader.signature) {
      self = .png
    } else if file.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else {
      throw .unknownKind(origin: origin, kind: ImageKind.otherKind(of: file))
    }
  }

  private static func otherKind(of file: [UInt8]) -> String? {
    func has(_ text: String, at offset: Int = 0) -> Bool {
      file.dropFirst(offset).starts(with: text.utf8)
    }
    if has("GIF87a") || has("GIF89a") { return "a GIF image" }
    if has("RIFF") && has("WEBP", at: 8) { return "a WebP image" }
    if has("ftyp", at: 4) { return mediaKind(of: file) }
    if has("II*\0") || has("MM\0*") || has("II+\0") || has("MM\0+") { return "a TIFF image" }
    if has("BM") && file.count >= 26 { return "a BMP image" }
    if has("8BPS") { return "a Photoshop image" }
    if has("qoif") { return "a QOI image" }
    if has("\0\0\u{1}\0") { return "an icon" }
    if has("%PDF-") { return "a PDF document" }
    if has("<svg") || has("<?xml") { return "an SVG or another XML text" }
    if file.starts(with: [0, 0, 0, 12]) && has("jP  ", at: 4) { return "a JPEG 2000 image" }
    if file.starts(with: [0xFF, 0x4F, 0xFF, 0x51]) { return "a JPEG 2000 image" }
    if file.starts(with: [0xFF, 0x0A]) || has("JXL ", at: 4) { return "a JPEG XL image" }
    return nil
  }

  /// The kind of a file of ISO base media boxes, by its brands.
  private static func mediaKind(of file: [UInt8]) -> String {
    let brands = stride(from: 8, to: min(file.count - 3, 64), by: 4).map {
      String(decoding: file[$0..<$0 + 4], as: UTF8.self)
    }
    if brands.contains("avif") || brands.contains("avis") { return "an AVIF image" }
    let hasHEIC = brands.contains { ["heic", "heix", "heim", "heis", "mif1", "msf1"].contains($0) }
    return hasHEIC ? "a HEIC image" : "a film or another media file"
  }
}
