import CFiles

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Questions about folders and the names in them.
package enum Folder {
  /// The kind of thing that a path names.
  package enum Kind: Equatable, Sendable { case file, folder, other, missing }

  /// The kind of thing that a path names, symbolic links followed.
  package static func kind(of path: String) -> Kind {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return .missing }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  /// Whether two paths name the same existing file, also through links.
  package static func isSame(_ left: String, _ right: String) -> Bool {
    var leftStatus = stat()
    var rightStatus = stat()
    guard unsafe stat(left, &leftStatus) == 0, unsafe stat(right, &rightStatus) == 0 else {
      return false
    }
    return leftStatus.st_dev == rightStatus.st_dev && leftStatus.st_ino == rightStatus.st_ino
  }

  /// Whether a path names the very file that an open descriptor reads or writes; never where that is a
  /// pipe or a terminal.
  package static func isSame(_ path: String, descriptor: Int32) -> Bool {
    var status = stat()
    var open = stat()
    guard unsafe stat(path, &status) == 0, unsafe fstat(descriptor, &open) == 0,
      open.st_mode & S_IFMT == S_IFREG
    else { return false }
    return status.st_dev == open.st_dev && status.st_ino == open.st_ino
  }

  /// Whether a path itself is a symbolic link.
  package static func isLink(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// The absolute path of something that exists, without symbolic links, `.` and `..`.
  package static func resolved(_ path: String) throws(FileError) -> String {
    guard let resolved = unsafe realpath(path, nil) else {
      throw .failed(doing: "find", path: path, reason: System.lastError)
    }
    defer { unsafe free(resolved) }
    guard let text = unsafe String(validatingCString: resolved) else {
      throw .failed(doing: "find", path: path, reason: "its path is not valid UTF-8")
    }
    return text
  }

  /// Names in a folder, sorted by their UTF-8 bytes, without `.` and `..`.
  ///
  /// A name that is not valid UTF-8 is an error: no text path can name it.
  package static func names(in path: String) throws(FileError) -> [String] {
    guard let folder = unsafe opendir(path) else {
      throw .failed(doing: "list", path: path, reason: System.lastError)
    }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(folder) else { break }
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe bytes.assumingMemoryBound(to: CChar.self).baseAddress.flatMap {
          unsafe String(validatingCString: $0)
        }
      }
      guard let name else {
        throw .failed(doing: "list", path: path, reason: "a name in it is not valid UTF-8")
      }
      if name != "." && name != ".." { names.append(name) }
    }
    guard errno == 0 else {
      throw .failed(doing: "list", path: path, reason: System.lastError)
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Makes a folder and those above it, as far as they are missing.
  package static func create(_ path: String) throws(FileError) {
    if kind(of: path) == .folder { return }
    guard path.utf8.count < Int(PATH_MAX) else {
      throw .failed(doing: "make the folder", path: path, reason: System.text(of: ENAMETOOLONG))
    }
    let parent = Folder.parent(of: path)
    if parent != path { try create(parent) }
    guard unsafe mkdir(path, 0o777) == 0 || errno == EEXIST else {
      throw .failed(doing: "make the folder", path: path, reason: System.lastError)
    }
    guard kind(of: path) == .folder else {
      throw .failed(doing: "make the folder", path: path, reason: "a file of that name is there")
    }
  }

  /// Makes a folder with a new name, for work in progress; it is removed if a signal ends the
  /// process.
  ///
  /// - Returns: its path.
  package static func createTemporary(
    in parent: String, prefix: String
  ) throws(FileError) -> String {
    let made = UnfinishedWork.make(in: parent, prefix: prefix) { unsafe mkdir($0, 0o700) }
    guard let made else {
      throw .failed(doing: "make a folder", path: parent, reason: System.lastError)
    }
    return made.path
  }

  /// Gives a file a second name; copies it if the system cannot.
  package static func link(_ path: String, to target: String) throws(FileError) {
    if systemLink(target, path) == 0 { return }
    let source = try MappedFile(path: target)
    var copy = try OutputFile.create(at: path)
    for start in stride(from: 0, to: source.byteCount, by: 1 << 20) {
      let range = start..<min(start + (1 << 20), source.byteCount)
      try source.withBytes(in: range) { bytes throws(FileError) in try copy.write(bytes) }
      source.letGo(of: range)
    }
    try copy.finish(isDurable: false)
  }

  /// Renames a file on the same disk, replacing an existing file.
  package static func move(_ path: String, to name: String) throws(FileError) {
    guard unsafe rename(path, name) == 0 else {
      throw .failed(doing: "write", path: name, reason: System.lastError)
    }
  }

  /// Checks that the rights of a folder allow new names in it.
  package static func requireWritable(_ path: String) throws(FileError) {
    guard unsafe access(path, W_OK | X_OK) == 0 else {
      throw .failed(doing: "write", path: path, reason: System.lastError)
    }
  }

  /// Makes everything written to the folder's file system durable: one wait for many files.
  package static func synchronizeFileSystem(of path: String) throws(FileError) {
    try flush(path, ingot_synchronize_file_system)
  }

  /// Makes the names in a folder durable.
  package static func synchronize(_ path: String) throws(FileError) { try flush(path, fsync) }

  private static func flush(_ path: String, _ call: (Int32) -> Int32) throws(FileError) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw .failed(doing: "write", path: path, reason: System.lastError)
    }
    defer { close(descriptor) }
    guard call(descriptor) == 0 else {
      throw .failed(doing: "write", path: path, reason: System.lastError)
    }
  }

  /// Removes a file or a link; nothing happens to a folder, also to one that somebody makes there
  /// meanwhile, or to a link that leads to one.
  package static func removeFile(_ path: String) throws(FileError) {
    guard kind(of: path) != .folder else { return }
    var status = stat()
    guard unsafe lstat(path, &status) == 0, unsafe unlink(path) != 0 else { return }
    let code = errno
    if unsafe lstat(path, &status) == 0, kind(of: path) != .folder {
      throw .failed(doing: "remove", path: path, reason: System.text(of: code))
    }
  }

  /// Removes a file or a folder with all it holds; nothing happens when it is missing, or vanishes
  /// meanwhile because someone else removes it too.
  package static func remove(_ path: String) throws(FileError) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return }
    do throws(FileError) {
      try remove(path, isFolder: status.st_mode & S_IFMT == S_IFDIR)
    } catch {
      if unsafe lstat(path, &status) == 0 { throw error }
    }
  }

  private static func remove(_ path: String, isFolder: Bool) throws(FileError) {
    if isFolder {
      for name in try names(in: path) { try remove(join(path, name)) }
    }
    guard unsafe isFolder ? rmdir(path) == 0 : unlink(path) == 0 else {
      throw .failed(doing: "remove", path: path, reason: System.lastError)
    }
  }

  /// Two paths joined; `child` wins when it is absolute.
  ///
  /// Paths are taken apart by their bytes: a combining mark after `/` would hide the separator from
  /// Swift's characters.
  package static func join(_ parent: String, _ child: String) -> String {
    if child.isEmpty { return parent }
    if child.utf8.first == slash || parent.isEmpty || parent == "." { return child }
    return parent.utf8.last == slash ? parent + child : parent + "/" + child
  }

  /// The folder part of a path: `a/b` for `a/b/c`, `.` for `c`, `/` for `/c`.
  package static func parent(of path: String) -> String {
    var bytes = Array(path.utf8)[...]
    while bytes.count > 1 && bytes.last == slash { bytes.removeLast() }
    guard let last = bytes.lastIndex(of: slash) else { return "." }
    return last == 0 ? "/" : String(decoding: bytes[..<last], as: UTF8.self)
  }

  /// The last part of a path: `c` for `a/b/c` and `a/b/c/`.
  package static func name(of path: String) -> String {
    path.utf8.split(separator: slash).last.map { String(decoding: $0, as: UTF8.self) } ?? path
  }

  private static let slash = UInt8(ascii: "/")

  /// The kind of file that a mode describes, in words.
  static func kind(ofMode mode: mode_t) -> String {
    switch mode & S_IFMT {
    case S_IFDIR: "a folder"
    case S_IFIFO: "a pipe"
    case S_IFCHR, S_IFBLK: "a device"
    case S_IFSOCK: "a socket"
    default: "not a regular file"
    }
  }
}

/// `link(2)`, under a name that `Folder.link` does not hide.
private func systemLink(_ target: String, _ path: String) -> Int32 { unsafe link(target, path) }
