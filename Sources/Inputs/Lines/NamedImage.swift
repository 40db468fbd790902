import Files
package import StrictJSON
package import Weights

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
