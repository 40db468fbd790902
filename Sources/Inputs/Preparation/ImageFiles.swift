package import Files
package import StrictJSON
package import Weights

/// Image files, named by paths as another file writes them.
///
/// Files of a reference set are pinned: only the bytes its digest was taken of are handed out.
package struct ImageFiles: Sendable {
  /// The folder that paths are seen from; empty for the current one.
  package let folder: String
  /// Digests by path; nil if nothing was pinned.
  private let pinned: [ExactString: ContentDigest]?
  private let memory: PixelMemory?

  /// Largest image file that is read, in bytes.
  static let sizeLimit = 128 << 20

  /// Files that may have any content.
  package init(folder: String) {
    self.folder = folder
    pinned = nil
    memory = nil
  }

  /// Files pinned to the given content; their pixels may be kept for another reading.
  package init(folder: String, pinned: [ExactString: ContentDigest]) {
    self.folder = folder
    self.pinned = pinned
    memory = pinned.isEmpty ? nil : PixelMemory()
  }

  /// The path of a file, seen from the current folder.
  func location(of path: String) -> String { Folder.join(folder, path) }

  /// SHA-256 of a file, the one it was pinned to, or read piece by piece.
  package func digest(of path: String) throws(FileError) -> ContentDigest {
    if let known = pinned?[ExactString(path)] { return known }
    let file = try MappedFile(path: location(of: path))
    guard file.byteCount <= ImageFiles.sizeLimit else {
      throw .tooLarge(path: file.path, bytes: file.byteCount, limit: ImageFiles.sizeLimit)
    }
    return ContentDigest(of: file)
  }

  /// The pixels of a file.
  ///
  /// - Parameters:
  ///   - reader: identifies everything except the file that the pixels depend on.
  ///   - decode: computes them from the file's bytes and its place for messages.
  /// - Throws: `FileError`, `ImageFiles.Changed`, and errors of `decode`.
  func pixels(
    of path: String, reader: ContentDigest, _ decode: ([UInt8], String) throws -> [UInt8]
  ) throws -> [UInt8] {
    let key = PixelMemory.Key(path: ExactString(path), reader: reader)
    if let known = memory?.pixels(for: key) { return known }
    let (bytes, location) = try contents(of: path)
    let pixels = try decode(bytes, location)
    memory?.keep(pixels, for: key)
    return pixels
  }

  /// All bytes of a file, and its place for messages.
  ///
  /// - Throws: `FileError`, `ImageFiles.Changed`.
  package func contents(of path: String) throws -> (bytes: [UInt8], location: String) {
    let location = location(of: path)
    let bytes = try MappedFile.contents(of: location, limit: ImageFiles.sizeLimit)
    if let pinned, pinned[ExactString(path)] != ContentDigest(of: bytes) {
      throw Changed(path: location)
    }
    return (bytes, location)
  }

  /// A file no longer has the content that the digest of its reference set covers.
  struct Changed: Error, CustomStringConvertible {
    let path: String
    var description: String { "\(path): has changed since the reference set was read" }
  }
}

/// Pixels of the first images that were decoded, so that both sides of a comparison need not decode
/// them; no more than fit in a fixed number of bytes.
private final class PixelMemory: Sendable {
  struct Key: Hashable {
    let path: ExactString
    let reader: ContentDigest
  }

  private struct State {
    var pixels: [Key: [UInt8]] = [:]
    var byteCount = 0
  }

  /// Bytes that are kept: some 1,700 images of 224 × 224.
  private static let maxBytes = 256 << 20
  private let state = Mutex(State())

  func pixels(for key: Key) -> [UInt8]? { state.withLock { $0.pixels[key] } }

  func keep(_ pixels: [UInt8], for key: Key) {
    state.withLock { state in
      guard state.byteCount + pixels.count <= PixelMemory.maxBytes,
        state.pixels.updateValue(pixels, forKey: key) == nil
      else { return }
      state.byteCount += pixels.count
    }
  }
}

/// An image that a file of inputs names, by its path, and where it was named first.
package struct NamedImage: Sendable {
  let path: String
  let position: JSONPosition

  /// - Parameter line: the line in the file that `placed` is part of.
  /// - Returns: nil for an input that is not an image.
  init?(_ placed: PlacedInput, line: Int) {
    guard case .image(let path) = placed.input else { return nil }
    self.path = path
    position = JSONPosition(
      line: line + placed.pathPosition.line - 1, column: placed.pathPosition.column)
  }

  /// Digests of images by their paths, which are relative to the folder of `origin`.
  ///
  /// - Throws: `JSONError`: a missing image is a fault of the line that names it.
  package static func digests(
    of images: [NamedImage], origin: String
  ) throws(JSONError) -> [ExactString: ContentDigest] {
    let files = ImageFiles(folder: Folder.parent(of: origin))
    var digests: [ExactString: ContentDigest] = [:]
    for image in images {
      do throws(FileError) {
        digests[ExactString(image.path)] = try files.digest(of: image.path)
      } catch {
        throw JSONError(origin: origin, position: image.position, fault: error.description)
      }
    }
    return digests
  }
}
