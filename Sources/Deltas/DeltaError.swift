package import Files

/// Why a delta does not make the file that it should.
package enum DeltaError: Error, Equatable, CustomStringConvertible {
  /// A file that is not a delta, or a damaged one.
  case malformed(delta: String, fault: String)
  /// The old file is not the one that the delta is for; both SHA-256.
  case otherBase(delta: String, found: String, expected: String)
  /// The delta makes another file than the one asked for; both as `LENGTH bytes, sha256 DIGEST`.
  case otherResult(delta: String, found: String, expected: String)
  /// A file that cannot be read or written.
  case file(FileError)

  package var description: String {
    switch self {
    case .malformed(let delta, let fault): "\(delta): \(fault)"
    case .otherBase(let delta, let found, let expected):
      "\(delta): is for a file of sha256 \(expected), the one at hand has \(found)"
    case .otherResult(let delta, let found, let expected):
      "\(delta): makes \(found), expected \(expected)"
    case .file(let error): "\(error)"
    }
  }
}
