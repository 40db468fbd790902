import Deltas
import Files
import Offers
import PackageNames

/// Makes the folder of a version: each file of one on the device, of a delta, or of the whole file.
struct Installer: Sendable {
  let downloader: Downloader
  let store: VersionStore
  let space: FreeSpace
  /// Told of the bytes that were downloaded, of those that are needed.
  var progress: @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }

  /// What an update fetched.
  struct Summary: Equatable, Sendable {
    /// Bytes of blobs that were downloaded.
    var fetchedByteCount = 0
    /// Files that were on the device already, were made by a delta, and came whole.
    var (kept, patched, whole) = (0, 0, 0)
  }

  /// Installs a version under its name; does nothing where it is there and whole.
  ///
  /// One that is there and damaged gives way to the new one in one step: an app may run it meanwhile.
  func install(_ pack: VersionPack, as name: String) async throws -> Summary {
    var summary = Summary()
    guard let known = known(pack, name) else { return summary }
    try requireSpace(pack, known)
    let total = blobs(of: pack, known).reduce(0) { $0 + $1.length }
    let folder = try AtomicFolder(path: store.place(name))
    for file in pack.files {
      let before = summary.fetchedByteCount
      let report: @Sendable (Int) -> Void = { count in
        progress(before + count, max(total, before + count))
      }
      let identity = FileIdentity(length: file.content.length, hex: file.content.sha256)
      guard let identity else {
        throw UpdateError.malformed("'\(file.path)' has a digest that is not one")
      }
      if let own = known[file.content.sha256], try copy(own, identity, file.path, folder) {
        summary.kept += 1
      } else if let fetched = try await patch(file, identity, known, folder, report) {
        summary.patched += 1
        summary.fetchedByteCount += fetched
      } else {
        try await apply(
          RepositoryPath.whole(file.content.sha256), file.whole, to: nil, file.path, identity,
          folder, report)
        summary.whole += 1
        summary.fetchedByteCount += file.whole.length
      }
    }
    try folder.commit(replacing: { _ in true })
    return summary
  }

  /// Bytes of blobs that a version takes: none of files that are here.
  func byteCount(of pack: VersionPack, as name: String) -> Int {
    known(pack, name).map { blobs(of: pack, $0).reduce(0) { $0 + $1.length } } ?? 0
  }

  /// Files on the device that a version can be made of; nil where it is there and whole.
  private func known(_ pack: VersionPack, _ name: String) -> [String: String]? {
    let place = store.place(name)
    guard Folder.kind(of: place) == .folder else { return store.files() }
    let damaged = store.damagedFiles(name, pack)
    return damaged.isEmpty ? nil : store.files(without: Set(damaged.map { Folder.join(place, $0) }))
  }

  /// What is to be downloaded: of each file that is not here the smallest delta, or the whole.
  private func blobs(of pack: VersionPack, _ known: [String: String]) -> [VersionPack.Blob] {
    pack.files.filter { known[$0.content.sha256] == nil }.map { file in
      file.deltas.filter { known[$0.key] != nil }.values.min { $0.length < $1.length } ?? file.whole
    }
  }

  /// Checks that the files of a version fit beside what is here, and what is still to be downloaded for them.
  private func requireSpace(_ pack: VersionPack, _ known: [String: String]) throws(UpdateError) {
    guard let free = space.byteCount(store.folder) else { return }
    let needed = blobs(of: pack, known).reduce(pack.installedByteCount) { sum, blob in
      sum + max(0, blob.length - downloader.keptByteCount(of: blob))
    }
    guard needed <= free else { throw .full(folder: store.folder, needed: needed, free: free) }
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
    _ folder: borrowing AtomicFolder, _ report: @escaping @Sendable (Int) -> Void
  ) async throws -> Int? {
    let usable = file.deltas.filter { known[$0.key] != nil }
    let smallest = usable.min { ($0.value.length, $0.key) < ($1.value.length, $1.key) }
    guard let (base, blob) = smallest, let own = known[base] else { return nil }
    let place = RepositoryPath.delta(file.content.sha256, from: base)
    do {
      try await apply(place, blob, to: own, file.path, identity, folder, report)
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
    _ identity: FileIdentity, _ folder: borrowing AtomicFolder,
    _ report: @escaping @Sendable (Int) -> Void
  ) async throws {
    let delta = try await downloader.file(place, blob, progress: report)
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
