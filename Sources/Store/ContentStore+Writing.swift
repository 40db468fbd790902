import Files
package import Weights

extension ContentStore {
  /// The outcome of `insert`.
  package typealias Blob = (digest: ContentDigest, byteCount: Int)

  /// Copies a file into the store; a blob that is there already stays.
  ///
  /// The bytes are hashed as they are copied, so a file that changes meanwhile gets the name of what
  /// was copied.
  package func insert(file path: String) throws -> Blob {
    let source = try MappedFile(path: path)
    let incoming = try IncomingBlob(in: layout)
    var start = 0
    while start < source.byteCount {
      let range = start..<min(start + (1 << 20), source.byteCount)
      // A copy of our own: the mapping may show other bytes the second time it is read.
      let piece = source.withBytes(in: range) { span in
        unsafe span.withUnsafeBytes { unsafe Array($0) }
      }
      unsafe try incoming.take(piece.span.bytes)
      source.letGo(of: range)
      start = range.upperBound
    }
    try incoming.commit(isDurable: isDurable)
    return (incoming.digest, incoming.byteCount)
  }

  /// Whether a blob must have reached the disk when it has its name; results that wait see to that.
  private var isDurable: Bool { deferred.withLock { $0 == nil } }

  /// Puts bytes into the store; a blob that is there already stays.
  package func insert(_ bytes: [UInt8]) throws -> Blob {
    let digest = ContentDigest(of: bytes)
    let path = layout.path(of: digest)
    if !layout.holds(digest, bytes.count, at: path) {
      try layout.makePlace(of: path)
      try AtomicFile.write(bytes, to: path, isDurable: isDurable)
    }
    return (digest, bytes.count)
  }

  /// An output of these bytes, which are part of the result where they are a small text, else in a blob.
  package func output(_ bytes: [UInt8], as path: String) throws -> ActionResult.Output {
    if let output = ActionResult.Output(path: path, text: bytes) { return output }
    let blob = try insert(bytes)
    return ActionResult.Output(path: path, digest: blob.digest, byteCount: blob.byteCount)
  }

  /// Records the result of an action; every blob it names must have been inserted.
  ///
  /// The remote store gets the blobs and the result too; what it does not take is warned of.
  package func record(_ result: ActionResult, for key: ActionKey) throws {
    for output in result.blobs {
      let path = layout.path(of: output.digest)
      guard FileStatus(of: path)?.byteCount == output.byteCount else {
        throw StoreError.missingBlob(path: path, output: output.path)
      }
    }
    try writeEntry(try result.encoded(for: key), for: key)
    useless.withLock { $0.results[key] = nil }
    if let remote { give(result, for: key, to: remote) }
  }

  // Blobs before the result, so that whoever finds the result finds them.
  private func give(_ result: ActionResult, for key: ActionKey, to remote: RemoteStore) {
    for output in result.blobs {
      let path = layout.path(of: output.digest)
      guard remote.put(output.digest, at: path, warn: warn) else { return }
    }
    remote.put(key, at: layout.path(of: key), warn: warn)
  }

  func writeEntry(_ bytes: [UInt8], for key: ActionKey) throws(FileError) {
    let isWaiting = deferred.withLock { entries in
      entries?.append((key, bytes))
      return entries != nil
    }
    if !isWaiting { try write(bytes, for: key) }
  }

  private func write(
    _ bytes: [UInt8], for key: ActionKey, isDurable: Bool = true
  ) throws(FileError) {
    let path = layout.path(of: key)
    try layout.makePlace(of: path)
    try AtomicFile.write(bytes, to: path, isDurable: isDurable)
  }

  /// Lets new results wait for `keepDeferred`, so that thousands of small files wait for the disk
  /// together. A process that ends before loses them, and nothing else.
  package func deferResults() { deferred.withLock { $0 = $0 ?? [] } }

  /// Makes all blobs durable, then the results that waited; results of now on are durable at once.
  package func keepDeferred() throws {
    let entries = deferred.withLock { entries in
      defer { entries = nil }
      return entries ?? []
    }
    guard !entries.isEmpty else { return }
    // No result before its blobs, also after a crash.
    try Folder.synchronizeFileSystem(of: folder)
    for (key, bytes) in entries { try write(bytes, for: key, isDurable: false) }
    try Folder.synchronizeFileSystem(of: folder)
  }
}

/// A blob on its way into the store, hashed as it comes; deleted unless committed.
///
/// Used by one thread.
final class IncomingBlob {
  private let layout: StoreLayout
  private var file: AtomicFile?
  private var hash = DigestStream()
  private(set) var byteCount = 0

  /// The digest of the bytes so far.
  var digest: ContentDigest { hash.finish() }

  init(in layout: StoreLayout) throws(FileError) {
    self.layout = layout
    // The name is for messages: the real one is known only at the end.
    file = try AtomicFile(path: Folder.join(layout.folder(of: .blobs), "new blob"))
  }

  /// Appends bytes.
  func take(_ bytes: RawSpan) throws(FileError) {
    try file?.write(bytes)
    hash.update(bytes)
    byteCount += bytes.byteCount
  }

  /// Gives the blob its name, unless it is there already, whole.
  ///
  /// - Parameter isDurable: whether its bytes must have reached the disk then.
  func commit(isDurable: Bool = true) throws(FileError) {
    let digest = digest
    let path = layout.path(of: digest)
    guard let file = file.take(), !layout.holds(digest, byteCount, at: path) else { return }
    try layout.makePlace(of: path)
    try file.commit(as: path, isDurable: isDurable)
  }
}
