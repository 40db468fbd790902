package import Files
import StrictJSON
package import Weights

/// Blobs by the digest of their bytes, and results of actions by the key of the action.
///
/// Any number of processes and threads may use one folder at once: files appear whole under their
/// final name, and no file ever changes what its name promises. A corrupt file is never removed
/// while the store is in use, since another process may just have replaced it; it is told of, counts
/// as missing, and is replaced when the work is done again.
package final class ContentStore: Sendable {
  /// The store's folder.
  package let folder: String
  let layout: StoreLayout
  let remote: RemoteStore?
  let warn: @Sendable (String) -> Void
  /// Held as long as the store is used, so that nothing is removed meanwhile.
  let lock: FileLock
  /// The room for blobs of the remote store that have not been used yet.
  let room: RemoteRoom
  /// Results that wait for their blobs to be durable; nil while none may wait.
  let deferred = Mutex<[(key: ActionKey, bytes: [UInt8])]?>(nil)
  /// Blobs that came from the remote store and were not used.
  let useless = Mutex(UselessResults())

  /// Opens a store, or makes its folder; waits while another process removes things from it.
  ///
  /// - Parameters:
  ///   - remote: a store behind this one: asked for missing results, given new ones.
  ///   - room: most bytes taken from it before they prove useful; half of the free ones by default.
  ///   - warn: told, from any thread, of corrupt files and of failures of the remote store.
  package init(
    folder: String, remote: RemoteStore? = nil, room: Int? = nil,
    warn: @escaping @Sendable (String) -> Void
  ) throws(FileError) {
    layout = StoreLayout(folder: folder)
    for section in StoreLayout.Section.allCases { try Folder.create(layout.folder(of: section)) }
    lock = try FileLock(path: layout.lock)
    self.folder = folder
    self.room = RemoteRoom(
      byteCount: room ?? Machine.freeByteCount(at: folder).map { $0 / 2 } ?? .max)
    self.remote = remote
    self.warn = warn
    if try !lock.take(.shared) {
      warn("\(folder): waiting for the process that is cleaning the store")
      try lock.wait(for: .shared)
    }
  }

  /// The path of the blob of a returned result; nothing is there of an output that is part of the result.
  package func path(of digest: ContentDigest) -> String { layout.path(of: digest) }

  /// The result of an action, if it is known here or in the remote store.
  ///
  /// Every blob it names, and every text in it, was re-hashed by this call and stays until the store is closed. Corrupt
  /// files are warned of, and count as missing. After looking into the result, call `accept` or
  /// `reject`.
  package func result(for key: ActionKey) -> ActionResult? {
    if let result = localResult(for: key), result.outputs.allSatisfy({ isSound($0, warn) }) {
      FileStatus.touch(layout.path(of: key))
      return result
    }
    return remote.flatMap { remoteResult(for: key, in: $0) }
  }

  /// The bytes of a small output of a returned result, re-hashed once more.
  ///
  /// - Parameter limit: largest size accepted, in bytes.
  package func bytes(of output: ActionResult.Output, limit: Int) throws -> [UInt8] {
    let path = layout.path(of: output.digest)
    if let text = output.text {
      guard text.utf8.count <= limit else {
        throw FileError.tooLarge(path: output.path, bytes: text.utf8.count, limit: limit)
      }
      return Array(text.utf8)
    }
    let bytes = try MappedFile.contents(of: path, limit: limit)
    let found = ContentDigest(of: bytes)
    guard found == output.digest else {
      throw StoreError.corruptBlob(path: path, found: found.hex)
    }
    return bytes
  }
}

extension ContentStore {
  func localResult(for key: ActionKey) -> ActionResult? {
    let path = layout.path(of: key)
    if Folder.kind(of: path) == .missing { return nil }
    do {
      let bytes = try MappedFile.contents(of: path, limit: ActionResult.encodedLimit)
      return try ActionResult(encoded: bytes, for: key)
    } catch let fault as BadResult {
      warn("\(path): is corrupt and not used: \(fault)")
    } catch {
      warn("\(error)")
    }
    return nil
  }

  /// Takes over a result of the remote store.
  private func remoteResult(for key: ActionKey, in remote: RemoteStore) -> ActionResult? {
    guard let result = remote.result(for: key, warn: warn) else { return nil }
    // A corrupt file here was reported already, and is replaced.
    let missing = result.outputs.filter { !isSound($0, { _ in }) }
    guard fetch(missing, of: key, from: remote) else { return nil }
    do {
      try writeEntry(try result.encoded(for: key), for: key)
    } catch {
      // A result in use is there all the same.
      warn("\(error)")
    }
    return result
  }

  /// Gets blobs of a result, all or none.
  private func fetch(
    _ outputs: [ActionResult.Output], of key: ActionKey, from remote: RemoteStore
  ) -> Bool {
    let needed = outputs.reduce(0) { sum, output in
      let (sum, isTooLarge) = sum.addingReportingOverflow(output.byteCount)
      return isTooLarge ? .max : sum
    }
    let hasRoom = takeRoom(needed, from: remote)
    if hasRoom,
      outputs.allSatisfy({ remote.fetch($0, of: key, into: layout, warn: warn) })
    {
      return true
    }
    let fetched = drop(key, nil)
    if hasRoom { room.giveBack(needed - fetched) }
    return false
  }

  /// Takes room for blobs that somebody else promises: at most half of what is free now, and at most
  /// what is left of the run's room.
  private func takeRoom(_ needed: Int, from remote: RemoteStore) -> Bool {
    let promise = "\(remote.address): promises \(needed) bytes, more than"
    if let free = Machine.freeByteCount(at: folder), needed > free / 2 {
      warn("\(promise) half of the \(free) that are free in \(folder): not fetched")
      return false
    }
    guard let left = room.take(needed) else { return true }
    warn("\(promise) the \(left) that what it gave in this run leaves: not fetched")
    return false
  }

  /// Whether the blob of an output is there, whole.
  private func isSound(_ output: ActionResult.Output, _ warn: (String) -> Void) -> Bool {
    // Looked at as the result was read.
    if output.text != nil { return true }
    let path = layout.path(of: output.digest)
    if Folder.kind(of: path) == .missing {
      warn(
        "\(path): is not there, and a result names it as \(quoted(output.path)); the result is not used"
      )
      return false
    }
    do {
      let file = try MappedFile(path: path)
      guard file.byteCount == output.byteCount else {
        // Not hashed: a file may be as long as it likes.
        warn(
          "\(path): is corrupt and not used: has \(file.byteCount) bytes, expected "
            + "\(output.byteCount)")
        return false
      }
      let found = ContentDigest(of: file)
      if found == output.digest { return true }
      warn(
        "\(path): is corrupt and not used: its \(file.byteCount) bytes have SHA-256 \(found), "
          + "expected \(output.digest)")
    } catch {
      warn("\(error)")
    }
    return false
  }
}

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
    if Folder.kind(of: parent) != .folder {
      try Folder.removeFile(parent)
      try Folder.create(parent)
    }
    try clear(path)
  }

  /// Removes a folder from the path of a file, which no file could replace; nothing of a store is one.
  private func clear(_ path: String) throws(FileError) {
    if Folder.kind(of: path) == .folder { try Folder.remove(path) }
  }

  /// Whether a blob is there, whole. Looked at rather than believed: what is inserted now is used now.
  func holds(_ digest: ContentDigest, _ byteCount: Int, at path: String) -> Bool {
    guard FileStatus(of: path)?.byteCount == byteCount, let blob = try? MappedFile(path: path)
    else { return false }
    return ContentDigest(of: blob) == digest
  }

  func path(of key: ActionKey) -> String { path(.results, key.digest.hex) }
}
