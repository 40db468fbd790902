import CFiles

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A folder that appears whole under its final name or not at all.
///
/// Files go into a hidden sibling folder; `commit(replacing:)` makes them durable and gives the
/// folder its name. Without a commit it is removed when the value goes out of scope, and when a
/// signal ends the process.
package struct AtomicFolder: ~Copyable {
  /// The name the folder will have, without slashes at the end.
  package let path: String
  /// The sibling that holds the files until then.
  package let temporaryPath: String

  /// Makes a sibling of `path`; the folder around it must exist.
  ///
  /// The folder gets the access rights the user's umask leaves of `rwxrwxrwx`.
  package init(path: String) throws(FileError) {
    let path = AtomicFolder.withoutSlashAtEnd(path)
    self.path = path
    let made = UnfinishedWork.make(in: Folder.parent(of: path), prefix: ".ingot-") {
      unsafe mkdir($0, 0o777)
    }
    guard let made else {
      throw .failed(doing: "write", path: path, reason: System.lastError)
    }
    temporaryPath = made.path
  }

  deinit {
    try? Folder.remove(temporaryPath)
    UnfinishedWork.end(temporaryPath)
  }

  /// Opens a new file at a path inside the folder, making the folders above it.
  ///
  /// - Parameter relativePath: parts joined by `/`, all nonempty and neither `.` nor `..`.
  package func file(at relativePath: String) throws(FileError) -> OutputFile {
    precondition(AtomicFolder.staysInside(relativePath), "a path that stays inside the folder")
    let name = Folder.join(path, relativePath)
    let place = Folder.join(temporaryPath, relativePath)
    let descriptor = try UnfinishedWork.uninterrupted { _ throws(FileError) in
      do throws(FileError) {
        try Folder.create(Folder.parent(of: place))
      } catch .failed(_, _, let reason) {
        throw .failed(doing: "write", path: name, reason: reason)
      }
      let descriptor = unsafe open(place, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else {
        throw .failed(doing: "write", path: name, reason: System.lastError)
      }
      return descriptor
    }
    return OutputFile(path: name, temporaryPath: place, descriptor: descriptor)
  }

  /// Writes a whole file at once; `relativePath` as for `file(at:)`.
  package func write(_ bytes: [UInt8], to relativePath: String) throws(FileError) {
    var file = try file(at: relativePath)
    try file.write(bytes)
    try file.finish()
  }

  /// Makes everything in the folder durable and gives it its final name.
  ///
  /// An old folder of that name is exchanged for the new one in one step and then removed. Only
  /// file systems that cannot exchange have a moment without either.
  ///
  /// - Parameter isReplaceable: whether an existing entry at the path (the argument) may go.
  package consuming func commit(
    replacing isReplaceable: (String) -> Bool = { _ in false }
  ) throws(FileError) {
    guard AtomicFolder.makeDurable(temporaryPath) else {
      throw .failed(doing: "write", path: path, reason: System.lastError)
    }
    try ShortenedFiles.requireNone()
    try rename(isReplaceable)
    AtomicFolder.synchronize(Folder.parent(of: path))
    do throws(FileError) {
      try Folder.remove(temporaryPath)
    } catch .failed(_, let place, let reason) {
      throw .failed(doing: "remove the earlier '\(path)'", path: place, reason: reason)
    }
  }

  private func rename(_ isReplaceable: (String) -> Bool) throws(FileError) {
    var status = stat()
    // Another process may create or remove something at the path between the check and the rename.
    for _ in 0..<100 {
      let isThere = unsafe lstat(path, &status) == 0
      if isThere && !isReplaceable(path) {
        throw .failed(doing: "write", path: path, reason: AtomicFolder.obstacle(status.st_mode))
      }
      let code = isThere ? exchange() : takeNewName()
      switch code {
      case 0: return
      case EEXIST where !isThere, ENOENT where isThere: continue
      default: throw .failed(doing: "write", path: path, reason: System.text(of: code))
      }
    }
    throw .failed(doing: "write", path: path, reason: "another process keeps changing it")
  }

  /// - Returns: 0 or the code of the error.
  private func takeNewName() -> Int32 {
    UnfinishedWork.uninterrupted { unfinished in
      let code = AtomicFolder.code(unsafe ingot_rename_to_new_name(temporaryPath, path))
      let final =
        AtomicFolder.isUnknownWay(code)
        ? AtomicFolder.code(systemRename(temporaryPath, path)) : code
      if final == 0 { unfinished.remove(temporaryPath) }
      return final
    }
  }

  /// Afterwards the old folder has the new one's temporary name.
  ///
  /// - Returns: 0 or the code of the error.
  private func exchange() -> Int32 {
    UnfinishedWork.uninterrupted { _ in
      let code = AtomicFolder.code(unsafe ingot_rename_exchanging(temporaryPath, path))
      return AtomicFolder.isUnknownWay(code)
        ? AtomicFolder.exchangeInSteps(temporaryPath, path) : code
    }
  }

  /// Exchanges two names by way of a third; undoes it if it fails halfway.
  static func exchangeInSteps(_ new: String, _ old: String) -> Int32 {
    let aside = new + "-old"
    let first = code(systemRename(old, aside))
    guard first == 0 else { return first }
    let second = code(systemRename(new, old))
    guard second == 0 else {
      systemRename(aside, old)
      return second
    }
    return code(systemRename(aside, new))
  }

  private static func code(_ result: Int32) -> Int32 { result == 0 ? 0 : errno }

  private static func isUnknownWay(_ code: Int32) -> Bool {
    [EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP].contains(code)
  }

  private static func obstacle(_ mode: mode_t) -> String {
    switch mode & S_IFMT {
    case S_IFDIR: "a folder of that name is there"
    case S_IFREG: "a file of that name is there"
    default: "something else of that name is there"
    }
  }

  private static func makeDurable(_ path: String) -> Bool {
    if Folder.kind(of: path) == .folder {
      guard let names = try? Folder.names(in: path) else { return false }
      for name in names where !makeDurable(Folder.join(path, name)) { return false }
    }
    return synchronize(path)
  }

  @discardableResult
  private static func synchronize(_ path: String) -> Bool {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return fsync(descriptor) == 0
  }

  private static func withoutSlashAtEnd(_ path: String) -> String {
    var bytes = Array(path.utf8)[...]
    while bytes.count > 1 && bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func staysInside(_ path: String) -> Bool {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return parts.allSatisfy { part in
      !part.isEmpty && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
    }
  }
}

/// `rename(2)`, under a name that `AtomicFolder.rename` does not hide.
@discardableResult
private func systemRename(_ from: String, _ to: String) -> Int32 { unsafe rename(from, to) }
