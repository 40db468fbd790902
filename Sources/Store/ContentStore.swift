package import Files
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

  /// Opens a store, or makes its folder; waits while another process removes things from it.
  ///
  /// - Parameters:
  ///   - remote: a store behind this one: asked for what is not here, given what is made here.
  ///   - warn: told, from any thread, what was found corrupt and what the remote store failed in.
  package init(
    folder: String, remote: RemoteStore? = nil, warn: @escaping @Sendable (String) -> Void
  ) throws(FileError) {
    layout = StoreLayout(folder: folder)
    for section in StoreLayout.Section.allCases { try Folder.create(layout.folder(of: section)) }
    lock = try FileLock(path: layout.lock)
    self.folder = folder
    self.remote = remote
    self.warn = warn
    if try !lock.take(.shared) {
      warn("\(folder): waiting for the process that is cleaning the store")
      try lock.wait(for: .shared)
    }
  }

  /// Where the blob of a returned result lies.
  package func path(of digest: ContentDigest) -> String { layout.path(of: digest) }

  /// The result of an action, if it is known here or in the remote store.
  ///
  /// Every blob it names was re-hashed by this call and stays until the store is closed. What is
  /// corrupt is warned of, and counts as missing.
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
    let bytes = try MappedFile.contents(of: path, limit: limit)
    let found = ContentDigest(of: bytes)
    guard found == output.digest else {
      throw StoreError.corruptBlob(path: path, found: found.hex)
    }
    return bytes
  }
}

extension ContentStore {
  private func localResult(for key: ActionKey) -> ActionResult? {
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

  /// Takes over what the remote store knows.
  private func remoteResult(for key: ActionKey, in remote: RemoteStore) -> ActionResult? {
    guard let result = remote.result(for: key, warn: warn) else { return nil }
    // What is corrupt here was told of already, and is replaced.
    let missing = result.outputs.filter { !isSound($0, { _ in }) }
    guard hasRoom(for: missing, from: remote) else { return nil }
    for output in missing {
      guard remote.fetch(output, into: layout, warn: warn) else { return nil }
    }
    do {
      try writeEntry(try result.encoded(for: key), for: key)
    } catch {
      // What is used now is there all the same.
      warn("\(error)")
    }
    return result
  }

  /// Whether blobs may be fetched: at most half of what is free goes to what somebody else promises.
  private func hasRoom(for outputs: [ActionResult.Output], from remote: RemoteStore) -> Bool {
    guard let free = Machine.freeByteCount(at: folder) else { return true }
    var needed = 0
    for output in outputs {
      let (sum, isTooLarge) = needed.addingReportingOverflow(output.byteCount)
      needed = isTooLarge ? .max : sum
    }
    guard needed > free / 2 else { return true }
    warn(
      "\(remote.address): promises \(needed) bytes, more than half of the \(free) that are free in "
        + "\(folder): not fetched")
    return false
  }

  /// Whether the blob of an output is there, whole.
  private func isSound(_ output: ActionResult.Output, _ warn: (String) -> Void) -> Bool {
    let path = layout.path(of: output.digest)
    if Folder.kind(of: path) == .missing { return false }
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
