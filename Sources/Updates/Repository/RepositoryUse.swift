package import Files
import Offers

/// That this process writes a repository, for as long as the value lives; several processes may at a time.
///
/// One that was ended by force leaves unfinished files behind, which a server would show for ever. The next
/// process that is alone removes them: nobody else can be writing any then.
package final class RepositoryUse: Sendable {
  private let lock: FileLock

  private static let lockName = ".lock"

  /// - Parameter repository: a folder that is there.
  package init(_ repository: String) throws(FileError) {
    lock = try FileLock(path: Folder.join(repository, Self.lockName))
    if try lock.take(.exclusive) { Self.removeLeftovers(in: repository) }
    try lock.wait(for: .shared)
  }

  private static func removeLeftovers(in repository: String) {
    Leftovers.removeFolders(in: repository, prefix: ScratchFolder.prefix)
    Leftovers.removeFiles(in: Folder.join(repository, RepositoryPath.blobs))
    for app in (try? CustomerRepository.apps(of: repository)) ?? [] {
      Leftovers.removeFiles(in: Folder.join(repository, RepositoryPath.metadata(app)))
      let packs = Folder.join(RepositoryPath.targets(app), app)
      Leftovers.removeFiles(in: Folder.join(repository, packs))
    }
  }
}

/// What a process that was ended by force left in a folder. Where it cannot be removed it harms nobody, and the
/// next run tries again.
enum Leftovers {
  /// Removes unfinished files.
  static func removeFiles(in folder: String) {
    for path in paths(in: folder, AtomicFile.temporaryPrefix) where Folder.kind(of: path) == .file {
      try? Folder.removeFile(path)
    }
  }

  /// Removes folders of work in progress.
  static func removeFolders(in folder: String, prefix: String) {
    for path in paths(in: folder, prefix) where Folder.kind(of: path) == .folder {
      try? Folder.remove(path)
    }
  }

  /// What has a name that is made for work in progress: the prefix, and digits of base 36. Links are nobody's work.
  private static func paths(in folder: String, _ prefix: String) -> [String] {
    let names = (try? Folder.names(in: folder)) ?? []
    return names.filter { name in
      let rest = name.utf8.dropFirst(prefix.utf8.count)
      return name.hasPrefix(prefix) && (1...13).contains(rest.count)
        && rest.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
    }.map { Folder.join(folder, $0) }.filter { !Folder.isLink($0) }
  }
}
