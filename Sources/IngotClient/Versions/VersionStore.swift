import Deltas
import Files
import Offers
import PackageNames

/// The versions on a device: a folder each, whose name says what is in it.
struct VersionStore: Sendable {
  /// The client's folder.
  let folder: String

  /// Makes the folders of a client.
  ///
  /// - Throws: for one that is a link, too: behind it is somebody else's folder, and a client removes what it does
  ///   not need of its own.
  init(_ folder: String) throws(FileError) {
    self.folder = folder
    for name in ["versions", "packs", "downloads", "metadata"] {
      let path = Folder.join(folder, name)
      guard !Folder.isLink(path) else {
        throw .failed(
          doing: "use", path: path, reason: "it is a link, and not the client's own folder")
      }
      try Folder.create(path)
    }
  }

  var stateFile: String { Folder.join(folder, "state.json") }
  /// Held while an update is made.
  var updateLock: String { Folder.join(folder, "update.lock") }
  /// Held while the state is changed.
  var stateLock: String { Folder.join(folder, "state.lock") }
  /// Held by the apps that use a version on trial, as long as they live.
  var trialLock: String { Folder.join(folder, "trial.lock") }
  var downloads: String { Folder.join(folder, "downloads") }
  var metadata: String { Folder.join(folder, "metadata") }

  /// The name of a version: two packs of one version differ in it.
  ///
  /// - Parameter sha256: of the pack, in hexadecimal.
  static func name(_ version: SemanticVersion, pack sha256: String) -> String {
    "\(version)-\(sha256.prefix(16))"
  }

  /// Whether a name is one that `name` gives, or of unfinished work: nothing else is removed.
  private static func isOwn(_ name: some StringProtocol) -> Bool {
    let digits = name.utf8.suffix(17)
    return name.hasPrefix(AtomicFile.temporaryPrefix)
      || digits.first == UInt8(ascii: "-") && digits.count == 17
        && digits.dropFirst().allSatisfy(HexText.isLowerCase)
  }

  /// Where the files of a version are.
  func place(_ name: String) -> String {
    Folder.join(Folder.join(folder, "versions"), name)
  }

  private func packFile(_ name: String) -> String {
    Folder.join(Folder.join(folder, "packs"), "\(name).pack")
  }

  func keep(_ pack: [UInt8], of name: String) throws {
    try AtomicFile.write(pack, to: packFile(name))
  }

  /// What a version consists of; nil where it is not installed.
  func pack(_ name: String) -> VersionPack? {
    guard SafePath.isSegment(name.utf8), Folder.kind(of: place(name)) == .folder,
      let bytes = try? MappedFile.contents(of: packFile(name), limit: VersionPack.byteLimit)
    else { return nil }
    return try? VersionPack(bytes, origin: packFile(name))
  }

  /// The names of the versions that are installed.
  func names() -> [String] {
    ((try? Folder.names(in: Folder.join(folder, "versions"))) ?? []).filter {
      SafePath.isSegment($0.utf8)
    }
  }

  /// Where files of the versions on the device are, by their SHA-256 in hexadecimal: those that are there with
  /// their length.
  ///
  /// - Parameter damaged: paths of files that are known to be others.
  func files(without damaged: Set<String> = []) -> [String: String] {
    var files: [String: String] = [:]
    for name in names() {
      for file in pack(name)?.files ?? [] {
        let place = Folder.join(place(name), file.path)
        guard !damaged.contains(place), FileStatus(of: place)?.byteCount == file.content.length
        else { continue }
        files[file.content.sha256] = place
      }
    }
    return files
  }

  /// Files of a version that are missing, or not those of its pack, by their paths inside it.
  func damagedFiles(_ name: String, _ pack: VersionPack) -> [String] {
    pack.files.filter { file in
      let place = Folder.join(place(name), file.path)
      guard FileStatus(of: place)?.byteCount == file.content.length,
        let bytes = try? MappedFile(path: place)
      else { return true }
      return FileIdentity(of: bytes).hex != file.content.sha256
    }.map(\.path)
  }

  /// Whether a version is here with every file of its pack.
  func isWhole(_ name: String) -> Bool {
    pack(name).map { damagedFiles(name, $0).isEmpty } ?? false
  }

  /// Removes versions that nothing needs any more, and work that was not finished. Nobody else may update
  /// meanwhile.
  ///
  /// - Throws: also where the state is no file: what is needed is not known then.
  func collect(allBut kept: [String]) throws(FileError) {
    guard [.file, .missing].contains(Folder.kind(of: stateFile)) else {
      throw .failed(doing: "read", path: stateFile, reason: "it is not a file; remove it")
    }
    let versions = Folder.join(folder, "versions")
    for name in try Folder.names(in: versions) where Self.isOwn(name) && !kept.contains(name) {
      try Folder.remove(Folder.join(versions, name))
    }
    let (packs, kept) = (Folder.join(folder, "packs"), kept.map { "\($0).pack" })
    for name in try Folder.names(in: packs)
    where !kept.contains(name) && Self.isOwn(name.hasSuffix(".pack") ? name.dropLast(5) : name[...])
    {
      try Folder.removeFile(Folder.join(packs, name))
    }
    for name in try Folder.names(in: metadata) where name.hasPrefix(AtomicFile.temporaryPrefix) {
      try Folder.removeFile(Folder.join(metadata, name))
    }
  }

  /// Removes what was downloaded of files, once a version is whole.
  func removeDownloads() throws(FileError) {
    for name in try Folder.names(in: downloads) where Downloader.isOwn(name) {
      try Folder.removeFile(Folder.join(downloads, name))
    }
  }
}
