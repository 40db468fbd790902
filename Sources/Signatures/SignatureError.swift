package import Files
package import StrictJSON

/// Why something cannot be signed, or a signature does not hold.
package enum SignatureError: Error, Equatable, CustomStringConvertible {
  /// A key that cannot be used, and how to fix that.
  case unusableKey(path: String, fault: String, hint: String)
  /// The agent did not do what it was asked, and how to fix that.
  case agent(fault: String, hint: String)
  /// A file that could not be read.
  case unreadable(FileError)
  /// A file that is not the one to be signed any more; both SHA-256.
  case changed(path: String, found: String, expected: String)
  /// A signature or an envelope that is none.
  case malformed(origin: String, fault: String)
  /// A JSON text in an envelope that is none.
  case badJSON(JSONError)
  /// A signature that is well-formed and does not hold, with the lines of the list that nearly
  /// allowed it.
  case refused(origin: String, fault: String, details: [String])

  package var description: String {
    switch self {
    case .unusableKey(let path, let fault, _): "\(path): \(fault)"
    case .agent(let fault, _): "ssh-agent: \(fault)"
    case .unreadable(let error): "\(error)"
    case .changed(let path, let found, let expected):
      "\(path): has the sha256 \(found), to be signed was \(expected): it was changed meanwhile"
    case .malformed(let origin, let fault): "\(origin): \(fault)"
    case .badJSON(let error): "\(error)"
    case .refused(let origin, let fault, _): "\(origin): \(fault)"
    }
  }

  /// The way out, if there is one.
  package var hint: String? {
    switch self {
    case .unusableKey(_, _, let hint), .agent(_, let hint): hint
    case .changed: "look who else writes there, and build again"
    case .unreadable, .malformed, .badJSON, .refused: nil
    }
  }

  /// More facts, one line each.
  package var details: [String] {
    if case .refused(_, _, let details) = self { details } else { [] }
  }
}
