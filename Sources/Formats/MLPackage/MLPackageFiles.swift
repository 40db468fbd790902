import Files
import StrictJSON
import Weights

/// Where the files of a Core ML package are read from: its folder, or memory.
struct MLPackageFiles: Sendable {
  private enum Source: Sendable {
    /// The folder without links on the way.
    case folder(resolved: String)
    /// Files by their paths in the package.
    case memory([String: MappedFile])
  }

  /// The package's folder, as it was named.
  let path: String
  private let source: Source

  /// The files of a folder; links in it lead nowhere else.
  init(path: String) throws {
    self.path = path
    source = .folder(resolved: try Folder.resolved(path))
  }

  /// Files that are held in memory, by their paths in the package.
  ///
  /// - Parameter path: a name for the package, for messages.
  init(path: String, files: [String: MappedFile]) {
    self.path = path
    source = .memory(files)
  }

  /// The kind of the file or folder at a path in the package.
  func kind(of relative: String) -> Folder.Kind {
    switch source {
    case .folder: return Folder.kind(of: Folder.join(path, relative))
    case .memory(let files):
      if files[relative] != nil { return .file }
      return files.keys.contains { $0.hasPrefix(relative + "/") } ? .folder : .missing
    }
  }

  /// Maps a file of the package.
  func file(at relative: String) throws -> MappedFile {
    guard case .memory(let files) = source else {
      return try MappedFile(path: Folder.join(path, relative))
    }
    guard let file = files[relative] else {
      throw CoreMLError.malformed(path: path, fault: "\(quoted(relative)) is missing")
    }
    return file
  }

  /// The bytes of a small file.
  func contents(of relative: String, limit: Int) throws -> [UInt8] {
    let file = try file(at: relative)
    guard file.byteCount <= limit else {
      throw FileError.tooLarge(path: file.path, bytes: file.byteCount, limit: limit)
    }
    return file.withBytes { $0.array() }
  }

  /// Refuses links that lead out of the package.
  func checkStaysInside(_ relative: String) throws {
    guard case .folder(let resolvedPath) = source else { return }
    let resolved = try Folder.resolved(Folder.join(path, relative))
    guard resolved.utf8.starts(with: (resolvedPath + "/").utf8) else {
      throw CoreMLError.malformed(
        path: path, fault: "\(quoted(relative)) is a link that leads out of the package")
    }
  }

  /// The paths of all files, sorted by their UTF-8 bytes.
  func all() throws -> [String] {
    var files: [String] = []
    if case .memory(let held) = source {
      files = Array(held.keys)
    } else {
      try list("", depth: 0, into: &files)
    }
    return files.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private func list(_ folder: String, depth: Int, into files: inout [String]) throws {
    guard depth <= MLPackageFolder.depthLimit else {
      throw CoreMLError.malformed(
        path: path,
        fault: "holds folders more than \(MLPackageFolder.depthLimit) deep in each other")
    }
    for name in try Folder.names(in: Folder.join(path, folder)) {
      let relative = Folder.join(folder, name)
      try checkStaysInside(relative)
      switch Folder.kind(of: Folder.join(path, relative)) {
      case .folder: try list(relative, depth: depth + 1, into: &files)
      case .file: files.append(relative)
      case .other, .missing:
        throw CoreMLError.malformed(
          path: path, fault: "holds \(quoted(relative)), which is neither a file nor a folder")
      }
      guard files.count <= MLPackageFolder.fileLimit else {
        throw CoreMLError.malformed(
          path: path, fault: "holds more than \(MLPackageFolder.fileLimit) files")
      }
    }
  }
}
