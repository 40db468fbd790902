#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A filter that weights the pixels around a resized one; numbered as in Pillow.
package enum ResamplingFilter: Int, CaseIterable, Sendable {
  /// Windowed sinc of three lobes (Duchon 1979).
  case lanczos = 1
  case bilinear = 2
  /// Cubic convolution with a = -0.5 (Keys 1981).
  case bicubic = 3

  /// Reach of the weights on each side, in pixels of an image that is not made smaller.
  var support: Double {
    switch self {
    case .lanczos: 3
    case .bilinear: 1
    case .bicubic: 2
    }
  }

  /// The weight at a distance in pixels, not yet normalised.
  func weight(at distance: Double) -> Double {
    let x = abs(distance)
    switch self {
    case .bilinear: return x < 1 ? 1 - x : 0
    case .bicubic:
      // The order of operations is part of the result: its last bits reach the rounded weights.
      if x < 1 { return ((-0.5 + 2) * x - (-0.5 + 3)) * x * x + 1 }
      return x < 2 ? (((x - 5) * x + 8) * x - 4) * -0.5 : 0
    case .lanczos:
      return x < 3 || distance == -3 ? sinc(distance) * sinc(distance / 3) : 0
    }
  }

  private func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(x * .pi) / (x * .pi) }
}
