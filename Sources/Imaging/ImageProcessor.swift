/// Turns image files into the pixels a model takes, as the model's own files say: decoded, resized
/// and cropped. Scaling and normalising are part of the model's graph.
///
/// The pixels are those of Pillow's decoders and resampling in the order the model's library has:
/// transformers' `CLIPImageProcessor` converts to R, G, B first, OpenCLIP's `image_transform` last,
/// so that palettes and black-and-white images are not smoothed there, and opacity counts.
package struct ImageProcessor: Sendable {
  /// Width of the result in pixels.
  package let width: Int
  package let height: Int

  let geometry: ImageGeometry
  let filter: ResamplingFilter
  /// Whether colours are converted to R, G, B before resizing or after.
  let convertsFirst: Bool

  init(geometry: ImageGeometry, filter: ResamplingFilter, convertsFirst: Bool) {
    (width, height) = (geometry.width, geometry.height)
    (self.geometry, self.filter, self.convertsFirst) = (geometry, filter, convertsFirst)
  }

  /// Whether another one makes the same pixels of every image.
  package func isSame(as other: ImageProcessor) -> Bool {
    geometry == other.geometry && filter == other.filter && convertsFirst == other.convertsFirst
  }

  /// Decodes, resizes and crops an image.
  ///
  /// - Parameters:
  ///   - file: all bytes of a PNG or JPEG file.
  ///   - origin: the file's name in errors.
  /// - Returns: planes R, G, B: [3, height, width], levels 0...255.
  /// - Throws: if the file is not a PNG or JPEG, is damaged, ends early, or exceeds `ImageLimits`.
  package func pixels(of file: [UInt8], origin: String) throws(ImageError) -> [UInt8] {
    let decoder = try ImageDecoder(file, origin: origin)
    let view = ImageView(
      geometry: geometry, filter: filter, format: decoder.format, convertsFirst: convertsFirst,
      width: decoder.width, height: decoder.height)
    if case .gray16 = decoder.format, !view.convertsFirst {
      return try view.widePixels(of: decoder)
    }
    return try view.pixels(of: decoder)
  }
}
