/// The meaning of a pixel's samples.
package enum PixelFormat: Equatable, Sendable {
  /// One sample, which times `factor` is a level of 0...255; a factor of 255 means black and white.
  case gray(factor: UInt8)
  /// One sample of two bytes, the high one first.
  case gray16
  /// A number of one of the 256 colours R, G, B.
  case palette([UInt8])
  /// Gray level and opacity.
  case grayAlpha
  case rgb
  case rgba
  /// The four inks as Adobe stores them: 255 means no ink.
  case invertedCMYK

  /// Bytes of one pixel.
  package var bytesPerPixel: Int {
    switch self {
    case .gray, .palette: 1
    case .gray16, .grayAlpha: 2
    case .rgb: 3
    case .rgba, .invertedCMYK: 4
    }
  }
}
