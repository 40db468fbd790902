package import Files

/// Both digests of a file: of the very same bytes, whoever writes to it meanwhile.
package struct FileDigests: Sendable {
  /// The file, for messages.
  package let path: String
  /// 64 lower-case hexadecimal digits.
  package let sha256: String
  /// 128 lower-case hexadecimal digits.
  package var sha512: String { HashAlgorithm.hex(sha512Bytes) }

  let sha512Bytes: [UInt8]

  /// Reads a file, piece by piece and once.
  package init(of file: MappedFile) {
    let digests = HashAlgorithm.digests(of: file)
    path = file.path
    sha256 = HashAlgorithm.hex(digests.sha256)
    sha512Bytes = digests.sha512
  }
}
