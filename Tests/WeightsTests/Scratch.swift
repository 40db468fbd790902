import Files

/// A folder for the files of one test, removed with what it holds when the value goes away.
final class Scratch {
  let path: String

  init() throws {
    let parent = System.environment("TMPDIR") ?? "/tmp"
    path = Folder.join(parent, "ingot-test-\(UInt64.random(in: .min ... .max))")
    try Folder.create(path)
  }

  deinit { try? Folder.remove(path) }

  /// Writes a file and gives its path.
  func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    let path = Folder.join(self.path, name)
    try AtomicFile.write(bytes, to: path)
    return path
  }
}
