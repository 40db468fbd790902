import Crypto
package import Files

/// The SHA-256 of some content.
package struct ContentDigest: Hashable, Sendable, CustomStringConvertible {
  /// 64 lower-case hexadecimal digits.
  package let hex: String

  package var description: String { hex }

  /// The first 64 bits, as a number.
  package var number: UInt64 { UInt64(hex.prefix(16), radix: 16) ?? 0 }

  /// The digest of bytes in memory.
  package init(of bytes: [UInt8]) {
    var hash = SHA256()
    hash.update(data: bytes)
    self.init(hash)
  }

  /// The digest of a whole file, read piece by piece.
  package init(of file: MappedFile) {
    var hash = SHA256()
    file.forEachPiece(in: 0..<file.byteCount) { piece in
      unsafe piece.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
    }
    self.init(hash)
  }

  /// A digest written as 64 lower-case hexadecimal digits; nil for any other text.
  package init?(hex: String) {
    guard hex.utf8.count == 64, hex.utf8.allSatisfy(HexText.isLowerCase) else { return nil }
    self.hex = hex
  }

  /// The digest of several named contents: SHA-256 over lines `<hex>  <name>\n`, sorted by the UTF-8
  /// bytes of the names.
  ///
  /// The same as `sha256sum` of the files, sorted by name, hashed once more.
  package static func combining(
    _ parts: [(name: String, digest: ContentDigest)]
  ) -> ContentDigest {
    let sorted = parts.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    return ContentDigest(of: sorted.flatMap { Array("\($0.digest.hex)  \($0.name)\n".utf8) })
  }

  // The bytes of a digest, as a sequence, come one by one.
  init(_ hash: SHA256) {
    hex = unsafe hash.finalize().withUnsafeBytes { unsafe HexText.text($0) }
  }
}

/// A SHA-256 over bytes that come piece by piece.
package struct DigestStream: Sendable {
  private var hash = SHA256()

  package init() {}

  /// Takes the next bytes.
  package mutating func update(_ bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
  }

  /// Takes the next numbers, as their bytes in memory.
  package mutating func update(_ numbers: [Float]) { unsafe update(numbers.span.bytes) }

  /// Takes the next whole numbers, as their bytes in memory.
  package mutating func update(_ numbers: [Int32]) { unsafe update(numbers.span.bytes) }

  /// The digest of everything so far.
  package func finish() -> ContentDigest { ContentDigest(hash) }
}
