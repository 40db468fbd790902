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

extension FileIdentity {
  /// The identity of no bytes, which a delta that makes a whole file is for.
  package static let nothing = FileIdentity(
    length: 0, sha256: [UInt8](SHA256.hash(data: [UInt8]())))

  /// The identity of a file, read piece by piece.
  package init(of file: MappedFile) {
    var hash = SHA256()
    file.forEachPiece(in: 0..<file.byteCount) { piece in
      unsafe piece.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
    }
    self.init(length: file.byteCount, sha256: [UInt8](hash.finalize()))
  }
}
