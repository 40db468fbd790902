import Deltas
import Files
import Offers
import PackageNames

/// Makes the folder of a version: each file of one on the device, of a delta, or of the whole file.
struct Installer: Sendable {
  let downloader: Downloader
  let store: VersionStore

  /// What an update fetched.
  struct Summary: Equatable, Sendable {
    /// Bytes of blobs that were downloaded.
    var fetchedByteCount = 0
    /// Files that were on the device already, were made by a delta, and came whole.
    var (kept, patched, whole) = (0, 0, 0)
  }

  /// Installs a version under its name; does nothing where it is there and sound.
  func install(_ pack: VersionPack, as name: String) async throws -> Summary {
    var summary = Summary()
    if Folder.kind(of: store.place(name)) == .folder {
      if isSound(pack, name) { return summary }
      try Folder.remove(store.place(name))
    }
    let known = store.files()
    let folder = try AtomicFolder(path: store.place(name))
    for file in pack.files {
      let identity = FileIdentity(length: file.content.length, hex: file.content.sha256)
      guard let identity else {
        throw UpdateError.malformed("'\(file.path)' has a digest that is not one")
      }
      if let own = known[file.content.sha256], try copy(own, identity, file.path, folder) {
        summary.kept += 1
      } else if let fetched = try await patch(file, identity, known, folder) {
        summary.patched += 1
        summary.fetchedByteCount += fetched
      } else {
        try await apply(
          RepositoryPath.whole(file.content.sha256), file.whole, to: nil, file.path, identity,
          folder)
        summary.whole += 1
        summary.fetchedByteCount += file.whole.length
      }
    }
    try folder.commit()
    return summary
  }

  /// Bytes of blobs that a version takes: none of files that are here, and of others the smallest.
  func byteCount(of pack: VersionPack) -> Int {
    let known = store.files()
    return pack.files.filter { known[$0.content.sha256] == nil }.reduce(0) { sum, file in
      let deltas = file.deltas.filter { known[$0.key] != nil }.map(\.value.length)
      return sum + min(file.whole.length, deltas.min() ?? .max)
    }
  }

  /// Whether the files of a version are those of its pack.
  private func isSound(_ pack: VersionPack, _ name: String) -> Bool {
    pack.files.allSatisfy { file in
      let place = Folder.join(store.place(name), file.path)
      return (try? MappedFile(path: place)).map { FileIdentity(of: $0).hex == file.content.sha256 }
        ?? false
    }
  }

  /// Takes a file of another version, if it is what it should be.
  private func copy(
    _ own: String, _ identity: FileIdentity, _ path: String, _ folder: borrowing AtomicFolder
  ) throws -> Bool {
    guard let file = try? MappedFile(path: own), FileIdentity(of: file) == identity else {
      return false
    }
    var output = try folder.file(at: path)
    var failure: FileError?
    file.forEachPiece(in: 0..<file.byteCount) { bytes in
      guard failure == nil else { return }
      do throws(FileError) { try output.write(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
    try output.finish()
    return true
  }

  /// Makes a file of one on the device by the smallest delta; the whole file is taken where that fails for
  /// what the delta or the file on the device is.
  ///
  /// - Returns: bytes of the delta; nil if there is none that works.
  private func patch(
    _ file: VersionPack.File, _ identity: FileIdentity, _ known: [String: String],
    _ folder: borrowing AtomicFolder
  ) async throws -> Int? {
    let usable = file.deltas.filter { known[$0.key] != nil }
    let smallest = usable.min { ($0.value.length, $0.key) < ($1.value.length, $1.key) }
    guard let (base, blob) = smallest, let own = known[base] else { return nil }
    let place = RepositoryPath.delta(file.content.sha256, from: base)
    do {
      try await apply(place, blob, to: own, file.path, identity, folder)
      return blob.length
    } catch is DeltaError {
      return nil
    } catch UpdateError.missing, UpdateError.other, UpdateError.long {
      return nil
    }
  }

  /// Downloads a delta, and writes what it makes. The delta stays until the version is current: a run that
  /// ends before need not be followed by one that fetches it again.
  private func apply(
    _ place: String, _ blob: VersionPack.Blob, to own: String?, _ path: String,
    _ identity: FileIdentity, _ folder: borrowing AtomicFolder
  ) async throws {
    let delta = try await downloader.file(place, blob)
    let reader = try DeltaReader(
      try MappedFile(path: delta), old: try own.map { try MappedFile(path: $0) },
      expected: identity)
    // One that failed halfway left a file of this name.
    let target = Folder.join(folder.temporaryPath, path)
    if Folder.kind(of: target) == .file { try Folder.removeFile(target) }
    var output = try folder.file(at: path)
    try reader.apply { bytes in try output.write(bytes) }
    try output.finish()
  }
}
