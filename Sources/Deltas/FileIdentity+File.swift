import Crypto
package import Files

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
