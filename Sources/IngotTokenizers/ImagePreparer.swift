import Imaging

/// Makes the tensor of a model from images in memory, by the code with which the gate made it.
public struct ImagePreparer: Sendable {
  /// The configuration that it was made of.
  public let configuration: ImageConfiguration

  /// - Parameter configuration: of a model that takes images.
  /// - Throws: `InputError.otherKind` for a configuration of another kind.
  public init(_ configuration: InputConfiguration) throws(InputError) {
    guard case .image(let image) = configuration.kind else {
      throw .otherKind(found: configuration.kind.words, needed: "one of images")
    }
    self.configuration = image
  }

  /// Planes R, G and B: [3, height, width], row-major, whole levels 0...255, as an input of images of
  /// Core ML takes them.
  ///
  /// - Throws: `InputError.image`.
  public func levels(of image: ImageRows) throws(InputError) -> [UInt8] {
    try preparing { () throws(ImageError) in
      try configuration.processor.pixels(of: MemoryRows(image))
    }
  }

  /// The numbers that the gate ran, in units of a level: the same levels, or, where the configuration
  /// says so, what the model's library makes of the image.
  ///
  /// - Throws: `InputError.image`.
  public func numbers(of image: ImageRows) throws(InputError) -> [Float] {
    if configuration.takesLevels { return try levels(of: image).map { Float($0) } }
    return try preparing { () throws(ImageError) in
      try configuration.processor.exactPixels(of: MemoryRows(image))
    }
  }

  private func preparing<Result>(
    _ body: () throws(ImageError) -> Result
  ) throws(InputError) -> Result {
    do { return try body() } catch { throw .image(error.description) }
  }
}
