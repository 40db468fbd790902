package import StrictJSON

/// Why update metadata, or a file that it names, is not taken.
package enum MetadataError: Error, Equatable, CustomStringConvertible {
  /// A file that is not metadata.
  case malformed(JSONError)
  /// Too few keys signed a file.
  case unsigned(file: String, found: Int, needed: Int)
  /// A file has another version than the one asked for.
  case version(file: String, found: Int, expected: Int)
  /// A file is older than one that was taken before.
  case rollback(file: String, found: Int, trusted: Int)
  /// A file that an earlier list has is not in the new one.
  case removed(file: String, from: String)
  /// A file that expired.
  case expired(file: String, expires: UpdateTime, now: UpdateTime)
  /// A file of another length than metadata say.
  case length(file: String, found: Int, expected: Int)
  /// A file with more bytes than it may have.
  case tooLong(file: String, limit: Int)
  /// A file whose digest is not the one that metadata say.
  case digest(file: String, found: String, expected: String)
  /// A digest that this client cannot make.
  case unknownDigest(file: String, algorithm: String)
  /// A file that the repository lacks although its metadata name it.
  case missing(file: String)
  /// The file that every repository has, and that nothing names, is not there.
  case noRepository
  /// A role that the snapshot does not list.
  case unlisted(role: String)
  /// No role that may says anything of a target.
  case noTarget(path: String)
  /// Metadata of another app.
  case foreign(file: String, found: String?, expected: String)
  /// A root that follows more roots than are taken at a time.
  case tooManyRoots(limit: Int)

  package var description: String {
    switch self {
    case .malformed(let error): "\(error)"
    case .unsigned(let file, let found, let needed):
      "\(file): signed by \(found) of the keys that may, \(needed) must"
    case .version(let file, let found, let expected):
      "\(file): is version \(found), expected \(expected)"
    case .rollback(let file, let found, let trusted):
      "\(file): is version \(found), older than version \(trusted), which was taken before"
    case .removed(let file, let list): "\(list): lacks '\(file)', which it listed before"
    case .expired(let file, let expires, let now):
      "\(file): expired at \(expires), it is \(now) now"
    case .length(let file, let found, let expected):
      "\(file): has \(found) bytes, the metadata say \(expected)"
    case .tooLong(let file, let limit): "\(file): has more than \(limit) bytes"
    case .digest(let file, let found, let expected):
      "\(file): has the digest \(found), the metadata say \(expected)"
    case .unknownDigest(let file, let algorithm):
      "\(file): its digest is one of '\(algorithm)', known are sha256 and sha512"
    case .missing(let file): "\(file): the repository does not have it, though its metadata name it"
    case .noRepository: "timestamp.json: is not there, so there is no repository of this app here"
    case .unlisted(let role): "the snapshot does not list '\(role)'"
    case .noTarget(let path): "no role of the repository lists the target '\(path)'"
    case .foreign(let file, let found, let expected):
      "\(file): is of the app \(found.map { "'\($0)'" } ?? "of nobody"), this one is '\(expected)'"
    case .tooManyRoots(let limit): "the repository has more than \(limit) new roots"
    }
  }
}

/// Runs code that reads JSON, and throws its errors as those of metadata.
func readingMetadata<Result>(
  _ body: () throws(JSONError) -> Result
) throws(MetadataError) -> Result {
  do { return try body() } catch { throw .malformed(error) }
}
