import Files

/// A folder for work in progress, removed with the value.
final class ScratchFolder: Sendable {
  /// Of its name: no other work in progress begins so.
  static let prefix = ".ingot-publish-"

  let path: String

  init(in parent: String) throws(FileError) {
    path = try Folder.createTemporary(in: parent, prefix: Self.prefix)
  }

  deinit { try? Folder.remove(path) }
}
