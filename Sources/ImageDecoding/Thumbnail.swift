import CImages
package import Imaging

/// A small picture of an image, as a PNG file of its own.
package struct Thumbnail: Sendable {
  /// Size in pixels.
  package let width: Int
  package let height: Int
  /// The bytes of the file.
  package let png: [UInt8]

  /// Decodes an image, and makes it smaller where it is large.
  ///
  /// - Parameters:
  ///   - file: all bytes of a PNG or JPEG file.
  ///   - origin: the file's name in errors.
  ///   - longest: pixels that its longer side may have.
  /// - Throws: as `ImageProcessor.pixels`.
  package init(of file: [UInt8], origin: String, longest: Int) throws(ImageError) {
    let decoder = try ImageDecoder(file, origin: origin)
    let scale = min(1, Double(longest) / Double(max(decoder.width, decoder.height)))
    func side(_ pixels: Int) -> Int { max(1, Int((Double(pixels) * scale).rounded())) }
    let (width, height) = (side(decoder.width), side(decoder.height))
    let processor = ImageProcessor(
      geometry: ImageGeometry(
        resizing: .exactly(width: width, height: height), centering: .before, width: width,
        height: height),
      filter: .bilinear, convertsFirst: true)
    let planes = try processor.pixels(of: decoder)
    var rows = [UInt8](repeating: 0, count: planes.count)
    for pixel in 0..<width * height {
      for channel in 0..<3 { rows[3 * pixel + channel] = planes[channel * width * height + pixel] }
    }
    guard let png = Thumbnail.png(rows, width: width, height: height) else {
      throw .damaged(origin: origin, kind: "PNG", fault: "no small picture could be made of it")
    }
    (self.width, self.height, self.png) = (width, height, png)
  }

  /// - Parameter rows: [height, width, 3].
  private static func png(_ rows: [UInt8], width: Int, height: Int) -> [UInt8]? {
    let (width, height) = (UInt32(width), UInt32(height))
    return unsafe rows.withUnsafeBufferPointer { rows in
      guard let start = rows.baseAddress else { return nil }
      var count = 0
      guard unsafe ingot_png_write(start, width, height, nil, &count) else { return nil }
      // The library is told how much room there is, and says how much it took.
      var file = [UInt8](repeating: 0, count: count)
      let isWritten = unsafe file.withUnsafeMutableBufferPointer { file in
        unsafe ingot_png_write(start, width, height, file.baseAddress, &count)
      }
      return isWritten ? Array(file.prefix(count)) : nil
    }
  }
}
