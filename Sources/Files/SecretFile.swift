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

  /// Reads a regular file, by reads alone: no mapping keeps a copy.
  ///
  /// - Parameter limit: largest size accepted, in bytes.
  package init(path: String, limit: Int) throws(FileError) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw .failed(doing: "open", path: path, reason: System.lastError)
    }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw .failed(doing: "examine", path: path, reason: System.lastError)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .notAFile(path: path, found: Folder.kind(ofMode: status.st_mode))
    }
    guard status.st_size <= limit else {
      throw .tooLarge(path: path, bytes: Int(status.st_size), limit: limit)
    }
    let bytes = SecretBytes(count: Int(status.st_size))
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
    mode = Int(status.st_mode & 0o777)
  }
}
