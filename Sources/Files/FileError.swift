/// A failure of a file or a folder, with its path and the system's reason.
package enum FileError: Error, Equatable, CustomStringConvertible {
  /// A system call failed; `reason` is the system's own text.
  case failed(doing: String, path: String, reason: String)
  /// The path names something that is not a regular file (a folder, a pipe, a device).
  case notAFile(path: String, found: String)
  /// The file is larger than the caller is ready to read.
  case tooLarge(path: String, bytes: Int, limit: Int)
  /// Something of the file needs more memory than there is; `thing` follows the path in words.
  case noMemory(path: String, thing: String, needed: Int, available: Int)
  /// Another program shortened the file while it was mapped.
  case shortened(path: String, was: Int, now: Int)

  package var description: String { "\(path): \(fault)" }

  /// The file or folder.
  package var path: String {
    switch self {
    case .failed(_, let path, _), .notAFile(let path, _), .tooLarge(let path, _, _),
      .noMemory(let path, _, _, _), .shortened(let path, _, _):
      path
    }
  }

  /// The fault, in words that follow the path.
  package var fault: String {
    switch self {
    case .failed(let doing, _, let reason): "cannot \(doing): \(reason)"
    case .notAFile(_, let found): "is \(found), expected a regular file"
    case .tooLarge(_, let bytes, let limit):
      "has \(bytes) bytes, the limit for such a file is \(limit)"
    case .noMemory(_, let thing, let needed, let available):
      "\(thing) needs \(needed) bytes of memory, there are \(available); "
        + "end other programs, raise the limit on memory, or use a larger machine"
    case .shortened(_, let was, let now):
      "was shortened from \(was) to \(now) bytes while it was read; "
        + "start again once the file is whole"
    }
  }
}
