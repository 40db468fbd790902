import Files
import Weights

/// Paths in a store's folder: `cas/ab/<64 hex>` and `ac/ab/<64 hex>`, the folder `ab` named
/// for the first two digits.
struct StoreLayout: Sendable {
  /// The two kinds of files; their names are also those of the HTTP paths.
  enum Section: String, CaseIterable {
    /// Blobs, by the digest of their bytes.
    case blobs = "cas"
    /// Results, by the key of their action.
    case results = "ac"
  }

  let folder: String

  var lock: String { Folder.join(folder, ".lock") }

  func folder(of section: Section) -> String { Folder.join(folder, section.rawValue) }

  func path(_ section: Section, _ hex: String) -> String {
    Folder.join(Folder.join(folder(of: section), String(hex.prefix(2))), hex)
  }

  func path(of digest: ContentDigest) -> String { path(.blobs, digest.hex) }

  /// Makes the place of a file: its folder is there, and no folder has its own name. A file where that
  /// folder belongs is removed; nothing of a store is one.
  func makePlace(of path: String) throws(FileError) {
    let parent = Folder.parent(of: path)
    try Folder.removeFile(parent)
    try Folder.create(parent)
    try clear(path)
  }

  /// Removes a folder from the path of a file, which no file could replace; nothing of a store is one.
  private func clear(_ path: String) throws(FileError) {
    if Folder.kind(of: path) == .folder { try Folder.remove(path) }
  }

  func path(of key: ActionKey) -> String { path(.results, key.digest.hex) }
}
