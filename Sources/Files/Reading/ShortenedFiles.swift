import CFiles

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Files that another program shortens while they are mapped.
///
/// Reading a page past the new end is a bus error: `watch` then ends the process before it uses
/// such bytes. The rest of the last page reads as zeros: `requireNone` keeps output made of them
/// from getting its name. Nothing is noted before `watch` was called.
package enum ShortenedFiles {
  /// After this call, a bus error in a mapped file removes unfinished work and ends the process
  /// with status 1, once `say` has reported the file.
  ///
  /// Call it once, before the first file is mapped. The cleanup is more than a signal handler may
  /// do, so a thread waits for it, and the one that read the file sleeps.
  package static func watch(saying say: @escaping @Sendable (String) -> Void) {
    guard ingot_watch_mappings() == 0 else { return }
    // It lives as long as the process. Without it the threads that the handler stops would hang.
    if SystemThread({ wait(saying: say) }) == nil { ingot_stop_watching_mappings() }
  }

  /// Checks that no file is shorter than when it was mapped.
  ///
  /// - Throws: `FileError.shortened`.
  package static func requireNone() throws(FileError) {
    if let error = first { throw error }
  }

  /// The error of the first file that is shorter than it was when it was mapped.
  package static var first: FileError? {
    var was: Int64 = 0
    var now: Int64 = 0
    guard let path = unsafe ingot_shortened_file(&was, &now) else { return nil }
    defer { unsafe free(path) }
    return unsafe .shortened(path: String(cString: path), was: Int(was), now: Int(now))
  }

  // The file is as long as it was.
  private static let unknown =
    "another program changed it meanwhile, or the disk lost a part of it"

  private static func wait(saying say: (String) -> Void) {
    var was: Int64 = 0
    guard let path = unsafe ingot_wait_for_lost_file(&was) else { return }
    let name = unsafe String(cString: path)
    UnfinishedWork.removeAll {
      let error = first ?? .failed(doing: "read", path: name, reason: unknown)
      say(error.description)
    } thenEnd: {
      _exit(1)
    }
  }
}
