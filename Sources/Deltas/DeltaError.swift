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

/// Length and digest of a whole file.
package struct FileIdentity: Hashable, Sendable, CustomStringConvertible {
  /// Bytes.
  package let length: Int
  /// SHA-256, 32 bytes.
  package let sha256: [UInt8]

  package init(length: Int, sha256: [UInt8]) { (self.length, self.sha256) = (length, sha256) }

  package var description: String { "\(length) bytes, sha256 \(hex)" }

  /// The digest in lower-case hexadecimal.
  package var hex: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: sha256.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

extension FileIdentity {
  /// - Parameter hex: 64 hexadecimal digits.
  /// - Returns: nil if they are not.
  package init?(length: Int, hex: String) {
    let digits = hex.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == 64, hex.utf8.count == 64 else { return nil }
    let bytes = stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    self.init(length: length, sha256: bytes)
  }
}
