package import Foundation

/// A folder for the files of one test, removed with what it holds when the value goes away.
package final class TemporaryFolder: Sendable {
  package let path: String

  /// The suffix of the folder's name where the store of its builds lies.
  package static let storeSuffix = ".store"

  /// A folder in memory, if the system offers one: making files durable there takes no time.
  package static let memory: String? = {
    let folder = "/dev/shm"
    return FileManager.default.isWritableFile(atPath: folder) ? folder : nil
  }()

  /// - Parameter parent: where it lies; the system's folder for temporary files when nil.
  package init(in parent: String? = nil) throws {
    let parent = parent ?? FileManager.default.temporaryDirectory.path
    // Short, so that the path of a socket in it fits.
    path = "\(parent)/ingot-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit {
    for suffix in ["", TemporaryFolder.storeSuffix] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
  }

  /// The path of a name in the folder.
  package func path(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a text file, its folders included, and returns its path.
  @discardableResult
  package func write(_ name: String, _ text: String, mode: Int? = nil) throws -> String {
    try write(name, Array(text.utf8), mode: mode)
  }

  /// Writes a file, its folders included, and returns its path.
  ///
  /// - Parameter mode: who may read and write it; as the process makes files when nil.
  @discardableResult
  package func write(
    _ name: String, _ bytes: some Sequence<UInt8>, mode: Int? = nil
  ) throws -> String {
    let url = URL(filePath: path(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
    if let mode {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    }
    return url.path
  }

  package func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: URL(filePath: path(name)))
  }

  package func text(_ name: String) throws -> String {
    String(decoding: try bytes(name), as: UTF8.self)
  }

  package func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: path(name))
  }

  /// Every file below the folder, hidden ones included, by its path inside, sorted.
  package func files() throws -> [String] { try TemporaryFolder.files(below: path) }

  /// Every file below any folder, hidden ones included, by its path inside, sorted.
  package static func files(below folder: String) throws -> [String] {
    let found = try FileManager.default.subpathsOfDirectory(atPath: folder)
    var isFolder: ObjCBool = false
    return found.sorted().filter {
      FileManager.default.fileExists(atPath: "\(folder)/\($0)", isDirectory: &isFolder)
        && !isFolder.boolValue
    }
  }

  /// Names in the folder, hidden ones included, sorted.
  package func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }
}
