/// Limits on images, checked before memory is allocated.
package enum ImageLimits {
  /// Width times height. Pillow refuses more than these as decompression bombs: two times a quarter
  /// of a gibibyte, in pixels of three bytes.
  package static let pixels = 178_956_970
  /// Width and height, each; libpng's own limit.
  package static let edge = 1_000_000
  /// Bytes of an image that is decoded as a whole: an interlaced PNG, a progressive JPEG.
  package static let wholeBytes = 512 << 20
  /// Width and height that a model's files may ask for, each.
  package static let modelEdge = 4096

  /// Refuses an image of too many pixels.
  ///
  /// - Throws: `ImageError.tooLarge`.
  package static func check(width: Int, height: Int, origin: String) throws(ImageError) {
    guard width <= edge, height <= edge else {
      throw .tooLarge(
        origin: origin, width: width, height: height, limit: "\(edge) a side")
    }
    guard width * height <= pixels else {
      throw .tooLarge(origin: origin, width: width, height: height, limit: "\(pixels)")
    }
  }
}
