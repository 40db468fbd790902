/// Why a file cannot be used as an image.
package enum ImageError: Error, Equatable, CustomStringConvertible {
  /// The file has no bytes.
  case empty(origin: String)
  /// The file is neither PNG nor JPEG; `kind` is its kind by its first bytes, if they identify one.
  case unknownKind(origin: String, kind: String?)
  /// The image is damaged, ends early, or is of a sort that is not read.
  case damaged(origin: String, kind: String, fault: String)
  /// The file says a size that is never decoded.
  case tooLarge(origin: String, width: Int, height: Int, limit: String)
  /// An image in several passes that is too large to hold as a whole.
  case tooMuchMemory(origin: String, width: Int, height: Int, bytes: Int, limit: Int)

  package var description: String {
    switch self {
    case .empty(let origin):
      "\(origin): the file is empty"
    case .unknownKind(let origin, let kind?):
      "\(origin): the file is \(kind), only PNG and JPEG images are read"
    case .unknownKind(let origin, nil):
      "\(origin): the file is not an image that is known here, only PNG and JPEG images are read"
    case .damaged(let origin, let kind, let fault):
      "\(origin): \(kind): \(fault)"
    case .tooLarge(let origin, let width, let height, let limit):
      "\(origin): the image has \(width) x \(height) pixels, at most \(limit) are read"
    case .tooMuchMemory(let origin, let width, let height, let bytes, let limit):
      "\(origin): the image comes in several passes, so that its \(width) x \(height) pixels take "
        + "\(bytes) bytes at once, more than \(limit)"
    }
  }
}
