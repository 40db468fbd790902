#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension System {
  private static let pieceByteCount = 1 << 16

  /// Reads an open descriptor to its end.
  ///
  /// - Parameters:
  ///   - name: the descriptor's name in messages.
  ///   - limit: the most bytes to read.
  /// - Throws: `FileError.tooLarge` as soon as it has more, `failed` with the system's reason.
  package static func readAll(
    from descriptor: Int32, name: String, limit: Int
  ) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: pieceByteCount)
    while true {
      let count = unsafe piece.withUnsafeMutableBytes { buffer in
        unsafe systemRead(descriptor, buffer)
      }
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw .failed(doing: "read", path: name, reason: lastError) }
      if count == 0 { return bytes }
      bytes += piece[..<count]
      guard bytes.count <= limit else {
        throw .tooLarge(path: name, bytes: bytes.count, limit: limit)
      }
    }
  }
}

/// `read(2)`.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  unsafe read(descriptor, buffer.baseAddress, buffer.count)
}
