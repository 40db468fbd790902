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

  /// The path of a name in the folder.
  func inside(_ name: String) -> String { Folder.join(path, name) }
}
