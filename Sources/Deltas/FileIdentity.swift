import Crypto
package import Files

/// Length and digest of a whole file.
package struct FileIdentity: Hashable, Sendable, CustomStringConvertible {
  /// Bytes.
  package let length: Int
  /// SHA-256, 32 bytes.
  package let sha256: [UInt8]

  package init(length: Int, sha256: [UInt8]) { (self.length, self.sha256) = (length, sha256) }

  package var description: String { "\(length) bytes, sha256 \(hex)" }

  /// The digest in lower-case hexadecimal.
  package var hex: String { HexText.text(sha256) }
}

extension FileIdentity {
  /// - Parameter hex: 64 hexadecimal digits.
  /// - Returns: nil if they are not.
  package init?(length: Int, hex: String) {
    guard let bytes = HexText.bytes(hex), bytes.count == 32 else { return nil }
    self.init(length: length, sha256: bytes)
  }
}

extension FileIdentity {
  /// The identity of no bytes, which a delta that makes a whole file is for.
  package static let nothing = FileIdentity(of: [])

  /// The identity of bytes in memory.
  package init(of bytes: [UInt8]) {
    self.init(length: bytes.count, sha256: [UInt8](SHA256.hash(data: bytes)))
  }

  /// The identity of a file, read piece by piece.
  package init(of file: MappedFile) {
    var hash = SHA256()
    file.forEachPiece(in: 0..<file.byteCount) { piece in
      unsafe piece.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
    }
    self.init(length: file.byteCount, sha256: [UInt8](hash.finalize()))
  }
}
