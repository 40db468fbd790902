import Files

/// A folder for the files of one test, removed with what it holds when the value goes away.
final class Scratch: Sendable {
  let path: String

  init() throws {
    let parent = System.environment("TMPDIR") ?? "/tmp"
    path = Folder.join(parent, "ingot-test-\(UInt64.random(in: .min ... .max))")
    try Folder.create(path)
  }

  deinit { try? Folder.remove(path) }

  /// The path of a name in the folder.
  func inside(_ name: String) -> String { Folder.join(path, name) }

  /// Every file below a folder, hidden ones included, by its path inside, sorted.
  static func files(below folder: String, _ prefix: String = "") throws -> [String] {
    var found: [String] = []
    for name in try Folder.names(in: folder) {
      let path = Folder.join(folder, name)
      if Folder.kind(of: path) == .folder {
        found += try files(below: path, prefix + name + "/")
      } else {
        found.append(prefix + name)
      }
    }
    return found
  }
}
