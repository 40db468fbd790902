#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A small file with something secret, read whole; see `SecretBytes`.
package struct SecretFile: ~Copyable {
  /// The content.
  package let bytes: SecretBytes
  /// The access rights of the very file that was read: the lower nine bits of its mode.
  package let mode: Int

  /// Reads a regular file, only by reads: no mapping keeps a copy.
  ///
  /// - Parameter limit: largest size accepted, in bytes.
  package init(path: String, limit: Int) throws(FileError) {
    let file = try RegularFile(path: path)
    guard file.byteCount <= limit else {
      throw .tooLarge(path: path, bytes: file.byteCount, limit: limit)
    }
    let bytes = SecretBytes(count: file.byteCount)
    let descriptor = file.descriptor
    errno = 0
    let isWhole = unsafe bytes.fill { rest in
      var count = -1
      repeat {
        count = unsafe read(descriptor, rest.baseAddress, rest.count)
      } while count < 0 && errno == EINTR
      return count
    }
    guard isWhole else {
      let reason = errno == 0 ? "the file became shorter" : System.lastError
      throw .failed(doing: "read", path: path, reason: reason)
    }
    self.bytes = bytes
    mode = file.rights
  }
}
