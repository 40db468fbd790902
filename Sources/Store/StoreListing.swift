import Files
import Weights

/// The files of one section of a store.
///
/// Other files in the folder, with names that a store does not give, stay as they are.
struct StoreListing {
  struct Item {
    let path: String
    /// The digest or key that the file is named after.
    let digest: ContentDigest
    let status: FileStatus
  }

  private(set) var items: [Item] = []
  /// Unfinished files of writers, which are dead if no other process uses the store.
  private(set) var leftovers: [(path: String, status: FileStatus)] = []

  init(of section: StoreLayout.Section, in layout: StoreLayout) throws(FileError) {
    let folder = layout.folder(of: section)
    for name in try Folder.names(in: folder) {
      let path = Folder.join(folder, name)
      if Folder.kind(of: path) == .folder {
        try addItems(in: path, named: name)
      } else {
        addLeftover(path, name)
      }
    }
  }

  private mutating func addItems(in folder: String, named prefix: String) throws(FileError) {
    for name in try Folder.names(in: folder) {
      let path = Folder.join(folder, name)
      if prefix.utf8.count == 2, name.hasPrefix(prefix), let digest = ContentDigest(hex: name),
        let status = FileStatus(of: path)
      {
        items.append(Item(path: path, digest: digest, status: status))
      } else {
        addLeftover(path, name)
      }
    }
  }

  private mutating func addLeftover(_ path: String, _ name: String) {
    guard name.hasPrefix(AtomicFile.temporaryPrefix), let status = FileStatus(of: path) else {
      return
    }
    leftovers.append((path, status))
  }
}
