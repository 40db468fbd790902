import Files
import Weights

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
  func commit() throws(FileError) {
    let digest = digest
    let path = layout.path(of: digest)
    guard let file = file.take(), !isThere(digest, at: path) else { return }
    try layout.makePlace(of: path)
    try file.commit(as: path)
  }

  // Looked at rather than believed: what is inserted now is used now.
  private func isThere(_ digest: ContentDigest, at path: String) -> Bool {
    guard FileStatus(of: path)?.byteCount == byteCount, let blob = try? MappedFile(path: path)
    else { return false }
    return ContentDigest(of: blob) == digest
  }
}
