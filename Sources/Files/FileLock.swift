#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A lock that processes take on a file before they use the files around it.
///
/// The system releases it when the value or the process ends, however that happens. The file stays.
package struct FileLock: ~Copyable, Sendable {
  package enum Strength: Sendable {
    /// Shared by any number of holders.
    case shared
    /// Held by only one process.
    case exclusive
  }

  /// The file.
  package let path: String
  private let descriptor: Int32

  /// Opens the file, or makes it, without taking the lock.
  package init(path: String) throws(FileError) {
    // Reading suffices to lock, and is all that is allowed in a folder of someone else. Without
    // waiting: a pipe would wait for a writer. Not through a link: the file would be made elsewhere.
    let flags = O_RDONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW
    let opened = unsafe open(path, flags, 0o666)
    guard opened >= 0 else {
      if errno == ELOOP, Folder.isLink(path) {
        throw .notAFile(path: path, found: "a symbolic link")
      }
      throw .failed(doing: "open", path: path, reason: System.lastError)
    }
    var status = stat()
    guard unsafe fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(opened)
      throw .notAFile(path: path, found: Folder.kind(ofMode: status.st_mode))
    }
    descriptor = opened
    self.path = path
  }

  deinit { close(descriptor) }

  /// Takes the lock, or changes the strength it is held with, unless another process is in the way.
  ///
  /// - Returns: whether it is held now; if not, it is not held with the former strength either.
  package func take(_ strength: Strength) throws(FileError) -> Bool {
    let code = lock(strength, LOCK_NB)
    if code == EWOULDBLOCK { return false }
    try check(code)
    return true
  }

  /// Takes the lock, however long others hold it.
  package func wait(for strength: Strength) throws(FileError) { try check(lock(strength, 0)) }

  /// Writes words about this process into the file, for those who find it locked.
  package func note(_ holder: String) throws(FileError) {
    let output = unsafe open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard output >= 0 else {
      throw .failed(doing: "write", path: path, reason: System.lastError)
    }
    defer { close(output) }
    guard System.write(holder, to: output) else {
      throw .failed(doing: "write", path: path, reason: System.lastError)
    }
  }

  /// - Returns: 0 or the code of the error.
  private func lock(_ strength: Strength, _ flags: Int32) -> Int32 {
    while true {
      guard flock(descriptor, (strength == .shared ? LOCK_SH : LOCK_EX) | flags) != 0 else {
        return 0
      }
      if errno != EINTR { return errno }
    }
  }

  private func check(_ code: Int32) throws(FileError) {
    guard code == 0 else {
      throw .failed(doing: "lock", path: path, reason: System.text(of: code))
    }
  }
}
