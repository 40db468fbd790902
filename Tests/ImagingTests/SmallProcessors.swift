import ImageDecoding

@testable import Imaging

extension ImageProcessor {
  /// Gives an image's own pixels around its middle, `edge` a side, zero outside the image.
  static func cropping(_ edge: Int) -> ImageProcessor {
    ImageProcessor(
      geometry: ImageGeometry(resizing: .none, centering: .before, width: edge, height: edge),
      filter: .bicubic, convertsFirst: true)
  }

  /// Resizes to a size, as transformers (`convertsFirst`) or as OpenCLIP.
  static func squashing(_ width: Int, _ height: Int, convertsFirst: Bool) -> ImageProcessor {
    ImageProcessor(
      geometry: ImageGeometry(
        resizing: .exactly(width: width, height: height), centering: .before, width: width,
        height: height),
      filter: .bicubic, convertsFirst: convertsFirst)
  }

  /// The message when an image is refused.
  func refusal(of file: [UInt8]) -> String? {
    do {
      _ = try pixels(of: file, origin: "a.png")
      return nil
    } catch {
      return error.description
    }
  }
}
