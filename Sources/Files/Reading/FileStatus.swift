#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The facts that a folder holds about a regular file in it.
package struct FileStatus: Equatable, Sendable {
  package let byteCount: Int
  /// Seconds since 1970 of the last change or touch.
  package let modified: Int

  /// The status of a regular file, or nil.
  ///
  /// - Parameter followsLinks: whether to look at what a symbolic link leads to; the result is nil for
  ///   a link otherwise.
  package init?(of path: String, followsLinks: Bool = false) {
    var status = stat()
    let isKnown = unsafe followsLinks ? stat(path, &status) : lstat(path, &status)
    guard isKnown == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    byteCount = Int(status.st_size)
    #if canImport(Darwin)
      modified = status.st_mtimespec.tv_sec
    #else
      modified = status.st_mtim.tv_sec
    #endif
  }

  /// Sets a file's times to now, or to a second since 1970; a file that is not ours stays as it is.
  package static func touch(_ path: String, at second: Int? = nil) {
    let time = timespec(tv_sec: second ?? 0, tv_nsec: second == nil ? nowMark : 0)
    unsafe utimensat(AT_FDCWD, path, [time, time], AT_SYMLINK_NOFOLLOW)
  }

  /// `UTIME_NOW`, which Swift's view of the C library leaves out.
  #if canImport(Darwin)
    private static let nowMark = -1
  #else
    private static let nowMark = (1 << 30) - 1
  #endif
}
