/// What went wrong with a file or a folder, naming it and the system's reason.
package enum FileError: Error, Equatable, CustomStringConvertible {
  /// A system call failed; `reason` is the system's own text.
  case failed(doing: String, path: String, reason: String)
  /// The path names something that is not a regular file (a folder, a pipe, a device).
  case notAFile(path: String, found: String)
  /// The file is larger than the caller is ready to read.
  case tooLarge(path: String, bytes: Int, limit: Int)

  package var description: String {
    switch self {
    case .failed(let doing, let path, let reason):
      "\(path): cannot \(doing): \(reason)"
    case .notAFile(let path, let found):
      "\(path): is \(found), expected a regular file"
    case .tooLarge(let path, let bytes, let limit):
      "\(path): has \(bytes) bytes, the limit for such a file is \(limit)"
    }
  }
}
