package import Imaging

extension ImageProcessor {
  /// Decodes, resizes and crops an image to whole levels, as a device hands them to a model. The
  /// pixels are those of Pillow's decoders.
  ///
  /// - Parameters:
  ///   - file: all bytes of a PNG or JPEG file.
  ///   - origin: the file's name in errors.
  /// - Returns: planes R, G, B: [3, height, width], levels 0...255.
  /// - Throws: if the file is not a PNG or JPEG, is damaged, ends early, or exceeds `ImageLimits`.
  package func pixels(of file: [UInt8], origin: String) throws(ImageError) -> [UInt8] {
    try pixels(of: ImageDecoder(file, origin: origin))
  }

  /// The same as the library hands it to its model, in units of a level: between whole levels where
  /// it scales them first.
  package func exactPixels(of file: [UInt8], origin: String) throws(ImageError) -> [Float] {
    try exactPixels(of: ImageDecoder(file, origin: origin))
  }
}
