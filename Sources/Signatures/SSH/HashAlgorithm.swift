import Crypto
import Files

/// The hashes a signature may be made over.
enum HashAlgorithm: String, CaseIterable {
  case sha256, sha512

  /// The digest of bytes in memory.
  func digest(of bytes: [UInt8]) -> [UInt8] {
    switch self {
    case .sha256: Array(SHA256.hash(data: bytes))
    case .sha512: Array(SHA512.hash(data: bytes))
    }
  }

  /// The digest of a whole file, read piece by piece.
  func digest(of file: MappedFile) -> [UInt8] {
    switch self {
    case .sha256: HashAlgorithm.digest(of: file, SHA256())
    case .sha512: HashAlgorithm.digest(of: file, SHA512())
    }
  }

  private static func digest(of file: MappedFile, _ hash: some HashFunction) -> [UInt8] {
    var hash = hash
    file.forEachPiece(in: 0..<file.byteCount) { piece in
      unsafe piece.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
    }
    return Array(hash.finalize())
  }
}
