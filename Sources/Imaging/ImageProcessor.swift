/// Turns images into the pixels a model takes, as the model's own files say: resized and cropped. Scaling and normalising are part of the model's graph.
///
/// The pixels are those of Pillow's resampling in the order the model's library has:
/// transformers' `CLIPImageProcessor` converts to R, G, B first, OpenCLIP's `image_transform` last,
/// so that palettes and black-and-white images are not smoothed there, and opacity counts.
package struct ImageProcessor: Sendable {
  /// Width of the result in pixels.
  package let width: Int
  package let height: Int

  package let geometry: ImageGeometry
  package let filter: ResamplingFilter
  /// Whether colours are converted to R, G, B before resizing or after.
  package let convertsFirst: Bool
  /// What the library multiplies levels by before it resizes; nil where it resizes levels.
  package let scale: Float?

  /// A processor of stated steps.
  package init(
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

  /// Resizes and crops an image to whole levels, as a device hands them to a model.
  ///
  /// - Returns: planes R, G, B: [3, height, width], levels 0...255.
  /// - Throws: as `source` does.
  package func pixels(of source: some PixelRows) throws(ImageError) -> [UInt8] {
    guard isWhole else {
      return try exactPixels(of: source).map { UInt8(max(0, min(255, $0.rounded()))) }
    }
    let view = view(of: source)
    if case .gray16 = source.format, !view.convertsFirst {
      return try view.widePixels(of: source)
    }
    return try view.pixels(of: source)
  }

  /// The same as the library hands it to its model, in units of a level: between whole levels where
  /// it scales them first.
  package func exactPixels(of source: some PixelRows) throws(ImageError) -> [Float] {
    guard let scale else { return try pixels(of: source).map { Float($0) } }
    return try view(of: source).scaledPixels(of: source, by: scale).map { $0 / scale }
  }

  private func view(of source: some PixelRows) -> ImageView {
    ImageView(
      geometry: geometry, filter: filter, format: source.format, convertsFirst: convertsFirst,
      width: source.width, height: source.height)
  }
}
