package import Evaluation
import Files
package import StrictJSON
package import Weights

/// Inputs that say what a model's layers see, for compression to keep what matters there.
///
/// A JSON-lines file: a line is a text or one input, as `InputLines` takes it, or a line of a
/// reference set, of which every input counts.
package struct CalibrationSet: Sendable {
  /// The file, for messages.
  package let origin: String
  /// SHA-256 of the file's bytes; of a set with images, a digest over those and the images' bytes.
  package let digest: ContentDigest
  /// Every distinct input once, in the order of first use; never empty.
  package let inputs: [Input]
  /// Line of the first use of each input, from 1.
  package let lines: [Int]
  /// The files of the images, as the digest names them.
  package let images: ImageFiles
  /// Digests of the images by the paths the file writes.
  let imageDigests: [ExactString: ContentDigest]

  /// Largest file that is read, in bytes.
  static let sizeLimit = 256 << 20
  /// Most lines that are read.
  static let lineLimit = 1_000_000

  /// Reads a file.
  ///
  /// - Throws: `FileError`, or `JSONError` with line and column.
  package init(path: String) throws {
    let bytes = try MappedFile.contents(of: path, limit: CalibrationSet.sizeLimit)
    try self.init(bytes: bytes, origin: path)
  }

  /// Reads the lines of a text, and the images they name: paths are seen from the folder of
  /// `origin`.
  package init(bytes: [UInt8], origin: String) throws(JSONError) {
    var reader = CalibrationReader(origin: origin)
    try JSONLines.parse(bytes, origin: origin, most: CalibrationSet.lineLimit) {
      (node, line) throws(JSONError) in
      try reader.read(node, line: line)
    }
    guard !reader.inputs.isEmpty else {
      throw JSONError(
        origin: origin, position: JSONPosition(line: 1, column: 1),
        fault: "the calibration set is empty; it says nothing of what a model sees")
    }
    self.origin = origin
    inputs = reader.inputs
    lines = reader.lines
    imageDigests = try CalibrationSet.digests(of: reader, origin: origin)
    images = ImageFiles(folder: Folder.parent(of: origin), pinned: imageDigests)
    digest = ReferenceSet.digest(of: bytes, images: imageDigests)
  }

  // An image that is not there is a fault of the line that names it.
  private static func digests(
    of reader: CalibrationReader, origin: String
  ) throws(JSONError) -> [ExactString: ContentDigest] {
    let files = ImageFiles(folder: Folder.parent(of: origin))
    var digests: [ExactString: ContentDigest] = [:]
    for (input, line) in zip(reader.inputs, reader.lines) {
      guard case .image(let path) = input else { continue }
      do throws(FileError) {
        digests[ExactString(path)] = try files.digest(of: path)
      } catch {
        throw JSONError(
          origin: origin, position: JSONPosition(line: line, column: 1), fault: error.description)
      }
    }
    return digests
  }
}
