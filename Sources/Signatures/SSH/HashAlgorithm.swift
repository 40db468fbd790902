import Crypto
package import Files

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

  /// Both digests of a whole file: of the very same bytes, whoever writes to it meanwhile.
  static func digests(of file: MappedFile) -> (sha256: [UInt8], sha512: [UInt8]) {
    var (short, long) = (SHA256(), SHA512())
    file.forEachPiece(in: 0..<file.byteCount) { piece in
      let copy = unsafe piece.withUnsafeBytes { unsafe Array($0) }
      short.update(data: copy)
      long.update(data: copy)
    }
    return (Array(short.finalize()), Array(long.finalize()))
  }

  /// The bytes of a digest of this hash from its lower-case digits; nil if they are none.
  func digest(hex: String) -> [UInt8]? {
    guard hex.utf8.count == 2 * byteCount, hex.utf8.allSatisfy(HexText.isLowerCase) else {
      return nil
    }
    return HexText.bytes(hex)
  }

  private var byteCount: Int {
    switch self {
    case .sha256: 32
    case .sha512: 64
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

/// Both digests of a file: of the very same bytes, whoever writes to it meanwhile.
package struct FileDigests: Sendable {
  /// The file, for messages.
  package let path: String
  /// 64 lower-case hexadecimal digits.
  package let sha256: String
  /// 128 lower-case hexadecimal digits.
  package var sha512: String { HexText.text(sha512Bytes) }

  let sha512Bytes: [UInt8]

  /// The digests of a file whose SHA-256 is known, from all of its bytes.
  package init(path: String, sha256: String, _ stream: SHA512Stream) {
    self.path = path
    self.sha256 = sha256
    sha512Bytes = stream.finish()
  }

  /// Reads a file, piece by piece and once.
  package init(of file: MappedFile) {
    let digests = HashAlgorithm.digests(of: file)
    path = file.path
    sha256 = HexText.text(digests.sha256)
    sha512Bytes = digests.sha512
  }
}

/// A SHA-512 over bytes that come piece by piece.
package struct SHA512Stream: Sendable {
  private var hash = SHA512()

  package init() {}

  /// Takes the next bytes.
  package mutating func update(_ bytes: [UInt8]) { hash.update(data: bytes) }

  /// The digest of everything so far.
  func finish() -> [UInt8] { Array(hash.finalize()) }
}
