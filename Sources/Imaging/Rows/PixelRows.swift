/// The pixels of one image, row by row from the top: those of a file as they are decoded, or those
/// that an app has in memory.
package protocol PixelRows {
  /// Size in pixels.
  var width: Int { get }
  var height: Int { get }
  /// The meaning of a pixel's samples.
  var format: PixelFormat { get }

  /// Hands out the next row; there are `height` of them.
  ///
  /// - Parameter row: as long as `emptyRow()`.
  func read(into row: inout [UInt8]) throws(ImageError)
}

extension PixelRows {
  /// A row's place in memory: `width` pixels of `format`.
  package func emptyRow() -> [UInt8] {
    [UInt8](repeating: 0, count: width * format.bytesPerPixel)
  }
}
