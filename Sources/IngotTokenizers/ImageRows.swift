import Imaging

/// An image in memory, as an app has it: rows of pixels from the top.
public struct ImageRows: Sendable {
  /// The bytes of one pixel.
  public enum Layout: Sendable {
    /// One level.
    case gray
    /// Red, green, blue.
    case rgb
    /// Red, green, blue, opacity; colours are not multiplied with the opacity.
    case rgba

    var format: PixelFormat {
      switch self {
      case .gray: .gray(factor: 1)
      case .rgb: .rgb
      case .rgba: .rgba
      }
    }
  }

  /// Pixels of a row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// From the start of a row to that of the next.
  public let bytesPerRow: Int
  /// The bytes of one pixel.
  public let layout: Layout
  fileprivate let bytes: [UInt8]

  /// An image of levels 0...255 in the colours of sRGB.
  ///
  /// - Parameters:
  ///   - width: in pixels.
  ///   - height: in pixels.
  ///   - bytesPerRow: from the start of a row to that of the next, at least those of its pixels.
  ///   - layout: the bytes of one pixel.
  ///   - bytes: all rows; behind the pixels of the last there may be fewer.
  /// - Throws: `InputError.image` where these do not fit together, or for more pixels than the gate
  ///   reads of a file.
  public init(
    width: Int, height: Int, bytesPerRow: Int, layout: Layout, bytes: [UInt8]
  ) throws(InputError) {
    guard width > 0, height > 0 else { throw .image("has \(width) × \(height) pixels") }
    do throws(ImageError) {
      try ImageLimits.check(width: width, height: height, origin: "image")
    } catch {
      throw .image("has \(width) × \(height) pixels, more than the gate reads")
    }
    let used = width * layout.format.bytesPerPixel
    let (before, overflows) = (height - 1).multipliedReportingOverflow(by: bytesPerRow)
    guard bytesPerRow >= used, !overflows, before <= bytes.count - used else {
      throw .image(
        "of \(width) × \(height) pixels has \(bytes.count) bytes, \(bytesPerRow) a row; a row has "
          + "\(used) bytes of pixels")
    }
    (self.width, self.height, self.bytesPerRow) = (width, height, bytesPerRow)
    (self.layout, self.bytes) = (layout, bytes)
  }
}

/// Hands out the rows of an image in memory.
final class MemoryRows: PixelRows {
  private let image: ImageRows
  private var next = 0

  var width: Int { image.width }
  var height: Int { image.height }
  var format: PixelFormat { image.layout.format }

  init(_ image: ImageRows) { self.image = image }

  func read(into row: inout [UInt8]) throws(ImageError) {
    let start = next * image.bytesPerRow
    row.replaceSubrange(row.indices, with: image.bytes[start..<start + row.count])
    next += 1
  }
}
