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
  /// What the library multiplies levels by before it resizes; nil where it resizes levels.
  let scale: Float?

  init(
    geometry: ImageGeometry, filter: ResamplingFilter, convertsFirst: Bool, scale: Float? = nil
  ) {
    (width, height) = (geometry.width, geometry.height)
    (self.geometry, self.filter, self.convertsFirst) = (geometry, filter, convertsFirst)
    self.scale = scale
  }

  /// Whether the library hands its model whole levels.
  package var isWhole: Bool { scale == nil }

  /// Whether another one makes the same pixels of every image.
  package func isSame(as other: ImageProcessor) -> Bool {
    geometry == other.geometry && filter == other.filter && convertsFirst == other.convertsFirst
      && scale == other.scale
  }

  /// Decodes, resizes and crops an image to whole levels, as a device hands them to a model.
  ///
  /// - Parameters:
  ///   - file: all bytes of a PNG or JPEG file.
  ///   - origin: the file's name in errors.
  /// - Returns: planes R, G, B: [3, height, width], levels 0...255.
  /// - Throws: if the file is not a PNG or JPEG, is damaged, ends early, or exceeds `ImageLimits`.
  package func pixels(of file: [UInt8], origin: String) throws(ImageError) -> [UInt8] {
    guard isWhole else {
      return try exactPixels(of: file, origin: origin).map {
        UInt8(max(0, min(255, $0.rounded())))
      }
    }
    let decoder = try ImageDecoder(file, origin: origin)
    let view = view(of: decoder)
    if case .gray16 = decoder.format, !view.convertsFirst {
      return try view.widePixels(of: decoder)
    }
    return try view.pixels(of: decoder)
  }

  /// The same as the library hands it to its model, in units of a level: between whole levels where
  /// it scales them first.
  package func exactPixels(of file: [UInt8], origin: String) throws(ImageError) -> [Float] {
    guard let scale else { return try pixels(of: file, origin: origin).map { Float($0) } }
    let decoder = try ImageDecoder(file, origin: origin)
    return try view(of: decoder).scaledPixels(of: decoder, by: scale).map { $0 / scale }
  }

  private func view(of decoder: ImageDecoder) -> ImageView {
    ImageView(
      geometry: geometry, filter: filter, format: decoder.format, convertsFirst: convertsFirst,
      width: decoder.width, height: decoder.height)
  }
}
