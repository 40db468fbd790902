#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Questions about folders and the names in them.
package enum Folder {
  /// What a path names.
  package enum Kind: Equatable, Sendable { case file, folder, other, missing }

  /// What a path names, symbolic links followed.
  package static func kind(of path: String) -> Kind {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return .missing }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  /// Names in a folder, sorted by their UTF-8 bytes, without `.` and `..`.
  package static func names(in path: String) throws(FileError) -> [String] {
    guard let folder = unsafe opendir(path) else {
      throw .failed(doing: "list", path: path, reason: System.lastError)
    }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Makes a folder and those above it, as far as they are missing.
  package static func create(_ path: String) throws(FileError) {
    if kind(of: path) == .folder { return }
    let parent = Folder.parent(of: path)
    if parent != path { try create(parent) }
    guard unsafe mkdir(path, 0o777) == 0 || errno == EEXIST else {
      throw .failed(doing: "make the folder", path: path, reason: System.lastError)
    }
    guard kind(of: path) == .folder else {
      throw .failed(doing: "make the folder", path: path, reason: "a file of that name is there")
    }
  }

  /// Removes a file or a folder with all it holds; nothing happens when it is missing.
  package static func remove(_ path: String) throws(FileError) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFDIR {
      for name in try names(in: path) { try remove(join(path, name)) }
      guard unsafe rmdir(path) == 0 else {
        throw .failed(doing: "remove", path: path, reason: System.lastError)
      }
    } else {
      guard unsafe unlink(path) == 0 else {
        throw .failed(doing: "remove", path: path, reason: System.lastError)
      }
    }
  }

  /// Two paths joined; `child` wins when it is absolute.
  package static func join(_ parent: String, _ child: String) -> String {
    if child.hasPrefix("/") || parent.isEmpty || parent == "." { return child }
    if child.isEmpty { return parent }
    return parent.hasSuffix("/") ? parent + child : parent + "/" + child
  }

  /// The folder part of a path: `a/b` for `a/b/c`, `.` for `c`, `/` for `/c`.
  package static func parent(of path: String) -> String {
    var path = Substring(path)
    while path.count > 1 && path.hasSuffix("/") { path = path.dropLast() }
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The last part of a path.
  package static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Words for what a file's mode says it is.
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
