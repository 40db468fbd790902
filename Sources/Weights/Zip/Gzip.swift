/// Undoes gzip (RFC 1952), whole and never beyond a limit.
package enum Gzip {
  /// Whether bytes begin as gzip does.
  package static func isGzip(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

  /// Inflates all members of a file, checking the CRC-32 and size of each.
  ///
  /// - Parameters:
  ///   - origin: the file, for messages.
  ///   - limit: most bytes after inflating.
  /// - Throws: `WeightsError.malformed`.
  package static func inflate(
    _ bytes: [UInt8], origin: String, limit: Int
  ) throws(WeightsError) -> [UInt8] {
    guard isGzip(bytes) else {
      throw .malformed(place: origin, fault: "is called '.gz', its bytes are not gzip's")
    }
    var text: [UInt8] = []
    let fault = unsafe Inflate.members(of: bytes.span.bytes, limit: limit) { piece in
      unsafe piece.withUnsafeBytes { unsafe text.append(contentsOf: $0) }
    }
    if let fault { throw .malformed(place: origin, fault: fault) }
    return text
  }
}
