#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A regular file that is open for reading; closed with the value.
struct RegularFile: ~Copyable {
  let descriptor: Int32
  let byteCount: Int
  /// The lower nine bits of its mode.
  let rights: Int

  /// Opens a regular file, refusing anything else.
  init(path: String) throws(FileError) {
    // Without O_NONBLOCK, opening a pipe would wait for a writer instead of being refused below.
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw .failed(doing: "open", path: path, reason: System.lastError)
    }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      let reason = System.lastError
      close(descriptor)
      throw .failed(doing: "examine", path: path, reason: reason)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .notAFile(path: path, found: Folder.kind(ofMode: status.st_mode))
    }
    byteCount = Int(status.st_size)
    rights = Int(status.st_mode & 0o777)
  }

  deinit { close(descriptor) }
}
