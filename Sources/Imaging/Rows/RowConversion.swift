/// Converts decoded rows into resampling input, and resampled rows into R, G, B.
///
/// Every conversion is Pillow's own, level by level.
struct RowConversion: Equatable {
  /// The samples that are resampled.
  enum Samples: Equatable {
    case gray
    /// Levels multiplied with the opacity, and the opacity.
    case weightedGray
    case rgb
    case weightedRGB
    case cmyk
  }

  let format: PixelFormat
  let samples: Samples

  var channels: Int {
    switch samples {
    case .gray: 1
    case .weightedGray: 2
    case .rgb: 3
    case .weightedRGB, .cmyk: 4
    }
  }

  /// Colours first, then resampling: opacity is left out before it could count.
  init(toColorsOf format: PixelFormat) {
    self.format = format
    switch format {
    case .gray, .gray16, .grayAlpha: samples = .gray
    case .palette, .rgb, .rgba, .invertedCMYK: samples = .rgb
    }
  }

  /// Resamples the file's own samples, then converts colours.
  init(keeping format: PixelFormat) {
    self.format = format
    switch format {
    case .gray, .gray16: samples = .gray
    case .grayAlpha: samples = .weightedGray
    case .palette, .rgb: samples = .rgb
    case .rgba: samples = .weightedRGB
    case .invertedCMYK: samples = .cmyk
    }
  }

  // MARK: Before resampling

  /// Whether rows are resampled as they are decoded.
  var isNone: Bool {
    switch (format, samples) {
    case (.rgb, .rgb), (.gray(factor: 1), .gray): true
    default: false
    }
  }

  /// Converts pixels of a decoded row.
  ///
  /// - Parameters:
  ///   - pixels: which ones; the others' places in `out` are left as they are.
  ///   - out: [width, channels].
  func convert(_ row: [UInt8], _ pixels: Range<Int>, into out: inout [UInt8]) {
    switch (format, samples) {
    case (.gray(let factor), _): for x in pixels { out[x] = row[x] &* factor }
    case (.gray16, _): for x in pixels { out[x] = row[2 * x] == 0 ? row[2 * x + 1] : 255 }
    case (.palette(let colors), _): convert(colors, row, pixels, into: &out)
    case (.grayAlpha, .gray): for x in pixels { out[x] = row[2 * x] }
    case (.grayAlpha, _): weigh(row, colors: 1, pixels, into: &out)
    case (.rgba, .rgb): for x in pixels { copyColor(row, 4 * x, to: 3 * x, of: &out) }
    case (.rgba, _): weigh(row, colors: 3, pixels, into: &out)
    case (.invertedCMYK, .cmyk):
      for place in 4 * pixels.lowerBound..<4 * pixels.upperBound { out[place] = ~row[place] }
    case (.invertedCMYK, _):
      for x in pixels {
        let color = RowConversion.color(
          cyan: ~row[4 * x], magenta: ~row[4 * x + 1], yellow: ~row[4 * x + 2],
          black: ~row[4 * x + 3])
        (out[3 * x], out[3 * x + 1], out[3 * x + 2]) = color
      }
    case (.rgb, _): for x in pixels { copyColor(row, 3 * x, to: 3 * x, of: &out) }
    }
  }

  private func copyColor(_ row: [UInt8], _ from: Int, to: Int, of out: inout [UInt8]) {
    out[to] = row[from]
    out[to + 1] = row[from + 1]
    out[to + 2] = row[from + 2]
  }

  private func convert(
    _ colors: [UInt8], _ row: [UInt8], _ pixels: Range<Int>, into out: inout [UInt8]
  ) {
    for x in pixels { copyColor(colors, 3 * Int(row[x]), to: 3 * x, of: &out) }
  }

  private func weigh(
    _ row: [UInt8], colors: Int, _ pixels: Range<Int>, into out: inout [UInt8]
  ) {
    for x in pixels {
      let start = (colors + 1) * x
      let alpha = row[start + colors]
      for place in start..<start + colors {
        out[place] = RowConversion.product(row[place], alpha)
      }
      out[start + colors] = alpha
    }
  }

  // MARK: After resampling

  /// The colour of a resampled pixel.
  func color(_ pixels: [UInt8], at index: Int) -> (UInt8, UInt8, UInt8) {
    let start = index * channels
    switch samples {
    case .gray: return (pixels[start], pixels[start], pixels[start])
    case .weightedGray:
      let level = unweighed(pixels[start], pixels[start + 1])
      return (level, level, level)
    case .rgb: return (pixels[start], pixels[start + 1], pixels[start + 2])
    case .weightedRGB:
      let alpha = pixels[start + 3]
      return (
        unweighed(pixels[start], alpha), unweighed(pixels[start + 1], alpha),
        unweighed(pixels[start + 2], alpha)
      )
    case .cmyk:
      return RowConversion.color(
        cyan: pixels[start], magenta: pixels[start + 1], yellow: pixels[start + 2],
        black: pixels[start + 3])
    }
  }

  private func unweighed(_ level: UInt8, _ alpha: UInt8) -> UInt8 {
    alpha == 0 || alpha == 255 ? level : UInt8(min(255, 255 * Int(level) / Int(alpha)))
  }

  /// a · b / 255, rounded (Blinn, "Three Wrongs Make a Right", 1995).
  private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
    let product = UInt32(a) * UInt32(b) + 128
    return UInt8(truncatingIfNeeded: (product >> 8 + product) >> 8)
  }

  private static func color(
    cyan: UInt8, magenta: UInt8, yellow: UInt8, black: UInt8
  ) -> (UInt8, UInt8, UInt8) {
    let white = ~black
    // A product with `white` is never more than `white`.
    return (
      white &- product(cyan, white), white &- product(magenta, white),
      white &- product(yellow, white)
    )
  }
}
