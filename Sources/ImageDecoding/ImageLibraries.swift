import CImages

/// The libraries that decode images.
package enum ImageLibraries {
  /// Their versions by name: that of libpng is the one that runs; libjpeg-turbo does not say its
  /// own, so that it is the one the program was built with.
  package static let versions: [String: String] = unsafe [
    "libpng": String(cString: ingot_png_version()),
    "libjpeg-turbo": String(cString: ingot_jpeg_version()),
  ]
}
