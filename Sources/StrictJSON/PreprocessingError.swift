/// Why a file that says how inputs are prepared cannot be used.
package enum PreprocessingError: Error, Equatable, CustomStringConvertible {
  /// The file is not well formed or contradicts itself.
  case file(JSONError)
  /// The file asks for a part that this library does not have, for instance `normalizer 'NFKC'`.
  case unsupported(
    origin: String, position: JSONPosition, part: String, name: String, known: [String])

  package var description: String {
    switch self {
    case .file(let error): error.description
    case .unsupported(let origin, let position, let part, let name, let known):
      "\(origin):\(position): \(part) '\(name.prefix(60))' is not supported; "
        + "known: \(known.joined(separator: ", "))"
    }
  }
}

/// Runs code that throws errors of JSON texts and throws them as such errors.
package func reading<Result>(
  _ body: () throws(JSONError) -> Result
) throws(PreprocessingError) -> Result {
  do { return try body() } catch { throw .file(error) }
}

extension JSONObject {
  /// A part of the file that says its kind under a key, or nil if it is null or absent.
  package func part(_ key: String) throws(PreprocessingError) -> JSONObject? {
    guard has(key) else { return nil }
    return try reading { () throws(JSONError) in try object(key) }
  }

  /// The fault that a value is not among those that are supported here.
  package func unsupported(
    _ part: String, _ name: String, at key: String, known: [String]
  ) -> PreprocessingError {
    .unsupported(
      origin: origin, position: self[key]?.position ?? position, part: part, name: name,
      known: known)
  }
}
