/// The crop of one image, and the steps that compute it.
struct ImageView {
  private let geometry: ImageGeometry
  private let conversion: RowConversion
  private let columns: ResamplingTaps
  private let rows: ResamplingTaps
  private let order: PassOrder
  /// The column of the first resampled pixel in the result.
  private let left: Int
  private let top: Int
  /// Whether colours are converted to R, G, B before resizing; it does not matter where an image
  /// keeps its size, and that is how opacity is treated there.
  let convertsFirst: Bool

  init(
    geometry: ImageGeometry, filter: ResamplingFilter, format: PixelFormat, convertsFirst: Bool,
    width: Int, height: Int
  ) {
    let resized = geometry.resized(width: width, height: height)
    self.geometry = geometry
    order = PassOrder(width: width, height: height, resized: resized)
    self.convertsFirst = convertsFirst || resized == (width, height)
    conversion =
      self.convertsFirst ? RowConversion(toColorsOf: format) : RowConversion(keeping: format)
    let isNearest = !self.convertsFirst && ImageView.isUnsmoothed(format)
    func taps(_ kept: Int, _ resized: Int, _ source: Int) -> (before: Int, ResamplingTaps) {
      let offset = geometry.offset(kept: kept, resized: resized)
      let window = max(0, offset)..<min(resized, offset + kept)
      let taps =
        isNearest
        ? ResamplingTaps(nearestOf: source, resized: resized, window: window)
        : ResamplingTaps(source: source, resized: resized, window: window, filter: filter)
      return (window.lowerBound - offset, taps)
    }
    (left, columns) = taps(geometry.width, resized.width, width)
    (top, rows) = taps(geometry.height, resized.height, height)
  }

  /// Whether Pillow takes the nearest pixel with any filter.
  private static func isUnsmoothed(_ format: PixelFormat) -> Bool {
    switch format {
    case .palette, .gray(factor: 255): true
    default: false
    }
  }

  /// Planes R, G, B of the crop. Decodes every row, even those behind the crop, so that a file that
  /// ends early is an error.
  func pixels(of source: some PixelRows) throws(ImageError) -> [UInt8] {
    var row = source.emptyRow()
    var converted = [UInt8](
      repeating: 0, count: conversion.isNone ? 0 : source.width * conversion.channels)
    var resampler = Resampler(
      columns: columns, rows: rows, channels: conversion.channels, width: source.width,
      order: order)
    let (usedRows, usedColumns) = (rows.sources, columns.sources)
    for y in 0..<source.height {
      try source.read(into: &row)
      guard usedRows.contains(y) else { continue }
      if conversion.isNone {
        resampler.add(row, at: y)
      } else {
        conversion.convert(row, usedColumns, into: &converted)
        resampler.add(converted, at: y)
      }
    }
    let resampled = resampler.result
    return planes { conversion.color(resampled, at: $0) }
  }

  /// The same for gray levels of 16 bits, which Pillow resamples as such.
  func widePixels(of source: some PixelRows) throws(ImageError) -> [UInt8] {
    var row = source.emptyRow()
    var resampler = WideResampler(
      columns: columns, rows: rows, width: source.width, order: order)
    let usedRows = rows.sources
    for y in 0..<source.height {
      try source.read(into: &row)
      if usedRows.contains(y) { resampler.add(row, at: y) }
    }
    let resampled = resampler.result
    return planes { index in
      let level = UInt8(clamping: resampled[index])
      return (level, level, level)
    }
  }

  /// The same where levels are multiplied by a number before they are resized, in its units. The
  /// whole image is kept, and its colours are converted first.
  func scaledPixels(of source: some PixelRows, by scale: Float) throws(ImageError) -> [Float] {
    var row = source.emptyRow()
    var converted = [UInt8](repeating: 0, count: source.width * conversion.channels)
    var resampler = ScaledResampler(
      columns: ScaledTaps(source: source.width, resized: geometry.width),
      rows: ScaledTaps(source: source.height, resized: geometry.height),
      channels: conversion.channels)
    for y in 0..<source.height {
      try source.read(into: &row)
      if !conversion.isNone { conversion.convert(row, 0..<source.width, into: &converted) }
      resampler.add((conversion.isNone ? row : converted).map { Float($0) * scale }, at: y)
    }
    let (resampled, channels) = (resampler.result, conversion.channels)
    return planes { index in
      let pixel = index * channels
      return (resampled[pixel], resampled[pixel + 1 % channels], resampled[pixel + 2 % channels])
    }
  }

  private func planes<Number: Numeric>(_ color: (Int) -> (Number, Number, Number)) -> [Number] {
    let plane = geometry.width * geometry.height
    var planes = [Number](repeating: 0, count: 3 * plane)
    for y in 0..<rows.count {
      for x in 0..<columns.count {
        let place = (top + y) * geometry.width + left + x
        (planes[place], planes[plane + place], planes[2 * plane + place]) =
          color(y * columns.count + x)
      }
    }
    return planes
  }
}
