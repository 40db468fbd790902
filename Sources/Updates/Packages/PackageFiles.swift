import Deltas
import Files
import Packaging
import Weights

/// The files of a package that is verified.
///
/// Most files of most customers are in the repository already, by way of others. The few and small ones that are
/// not are kept in memory while the archive is read once; where there is more, it is unpacked.
final class PackageFiles {
  let package: VerifiedPackage
  private let archive: String
  /// Where the archive is unpacked.
  private let folder: String
  private var contents: [String: [UInt8]] = [:]
  private var isUnpacked = false
  /// By the path.
  private let identities: [String: FileIdentity]

  /// Bytes that are kept in memory.
  private static let memoryLimit = 8 << 20

  /// - Parameters:
  ///   - manifest: of the archive, as far as it can be believed before that is verified.
  ///   - folder: where it may be unpacked; nothing is there.
  ///   - isMissing: whether a file's bytes will be asked for.
  /// - Throws: `PackagingError`.
  init(
    _ archive: String, _ manifest: Manifest, in folder: String,
    isMissing: (FileIdentity) throws -> Bool
  ) throws {
    (self.archive, self.folder) = (archive, folder)
    let missing = try Self.identities(of: manifest).filter { try isMissing($0.value) }
    if missing.values.reduce(0, { $0 + $1.length }) <= Self.memoryLimit {
      let found = try PackageReader.contents(of: archive) { missing[$0.string] != nil }
      package = found.package
      for (path, bytes) in found.contents { contents[path.string] = bytes }
    } else {
      package = try PackageExtractor.extract(archive, to: folder)
      isUnpacked = true
    }
    identities = try Self.identities(of: package.manifest)
  }

  deinit { try? Folder.remove(folder) }

  /// What a version is made of.
  var sources: [VersionPublisher.Source] {
    identities.map { path, identity in
      VersionPublisher.Source(path: path, identity: identity) { try self.file(path) }
    }
  }

  /// The files of a manifest, and itself.
  private static func identities(of manifest: Manifest) throws -> [String: FileIdentity] {
    var all = [Manifest.entryName: FileIdentity(of: manifest.bytes)]
    for file in manifest.files {
      all[file.path.string] = FileIdentity(length: file.size, hex: file.sha256.hex)
    }
    return all
  }

  private func file(_ path: String) throws -> MappedFile {
    if let bytes = contents[path] {
      var file = try MemoryFile(path: "\(archive): \(path)", byteCount: bytes.count)
      unsafe file.write(bytes.span.bytes)
      return file.finish()
    }
    if !isUnpacked {
      _ = try PackageExtractor.extract(archive, to: folder)
      isUnpacked = true
    }
    return try MappedFile(path: Folder.join(folder, path))
  }
}
