import Crypto
package import Deltas
package import Files
import Offers
import StrictJSON

/// A folder of manifests and blobs as registries have them: an image layout of the Open Container Initiative.
///
/// Blobs are there before the index names them, and the index is replaced as a whole, last. A run that ended
/// halfway leaves blobs that the next one takes.
///
/// Source: `image-layout.md` of the OCI image specification.
package final class ImageLayout: Sendable {
  private let folder: String
  private let lock: HeldLock
  private let index: ImageIndex
  /// Blobs that are there with their bytes.
  private let sound = Findings<Bool>()

  private static let blobs = "blobs/sha256"
  private static let layoutName = "oci-layout"
  private static let indexName = "index.json"
  /// Bytes of an index: a hundred thousand manifests.
  private static let indexLimit = 64 << 20

  /// Opens a layout, or makes it.
  ///
  /// - Throws: `ImageLayoutError` for a folder that is something else, or that somebody else writes.
  package init(_ folder: String) throws {
    self.folder = folder
    let marker = Folder.join(folder, Self.layoutName)
    let index = Folder.join(folder, Self.indexName)
    let isNew = Folder.kind(of: marker) == .missing
    if isNew, Folder.kind(of: folder) == .folder, try !Folder.names(in: folder).isEmpty {
      throw ImageLayoutError.otherFolder(folder)
    }
    try Folder.create(Folder.join(folder, Self.blobs))
    let mark = CanonicalJSON.bytes(of: ["imageLayoutVersion": "1.0.0"])
    if isNew { try AtomicFile.write(mark, to: marker) }
    guard let lock = try HeldLock(marker) else { throw ImageLayoutError.busy(folder) }
    guard try MappedFile.contents(of: marker, limit: 1 << 10) == mark else {
      throw ImageLayoutError.otherFolder(folder)
    }
    self.lock = lock
    for part in ["", Self.blobs] { Leftovers.removeFiles(in: Folder.join(folder, part)) }
    self.index = try ImageIndex(
      Folder.kind(of: index) == .missing
        ? nil : try MappedFile.contents(of: index, limit: Self.indexLimit), origin: index)
  }

  /// Whether a blob is there with its bytes.
  package func has(_ blob: FileIdentity) throws -> Bool {
    try sound.value(blob.hex) {
      let place = place(blob)
      guard Folder.kind(of: place) == .file,
        FileIdentity(of: try MappedFile(path: place)) == blob
      else { return nil }
      return true
    } ?? false
  }

  /// Whether all layers of a manifest are there.
  package func has(layersOf manifest: ImageManifest) throws -> Bool {
    try manifest.layers.allSatisfy { try has($0.identity) }
  }

  /// Writes a blob, unless it is there.
  ///
  /// - Parameter file: asked for the file where it is not.
  package func write(_ blob: FileIdentity, _ file: () throws -> MappedFile) throws {
    guard try !has(blob) else { return }
    _ = try sound.value(blob.hex) {
      let (file, place) = (try file(), place(blob))
      var output = try AtomicFile(path: place)
      var hash = SHA256()
      for start in stride(from: 0, to: file.byteCount, by: 1 << 20) {
        let range = start..<min(start + (1 << 20), file.byteCount)
        try file.withBytes(in: range) { piece in
          unsafe piece.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
          try output.write(piece)
        }
        file.letGo(of: range)
      }
      let written = FileIdentity(length: file.byteCount, sha256: [UInt8](hash.finalize()))
      guard written == blob else {
        throw DeltaError.otherResult(
          delta: place, found: "\(written)", expected: "\(blob)")
      }
      try output.commit()
      return true
    }
  }

  /// Writes a blob of bytes in memory.
  ///
  /// - Returns: its identity.
  private func write(_ bytes: [UInt8]) throws -> FileIdentity {
    let blob = FileIdentity(of: bytes)
    guard try !has(blob) else { return blob }
    _ = try sound.value(blob.hex) {
      try AtomicFile.write(bytes, to: place(blob))
      return true
    }
    return blob
  }

  /// Writes a manifest whose layers are there, to be named by a tag once the index is written.
  ///
  /// - Throws: `ImageLayoutError.tagged` where the tag names another one.
  package func add(_ manifest: ImageManifest, tag: String) throws {
    _ = try write(manifest.config)
    let blob = try write(manifest.bytes)
    guard index.add(ImageIndex.Entry(blob, artifactType: manifest.artifactType), tag: tag) else {
      throw ImageLayoutError.tagged(folder: folder, tag: tag)
    }
  }

  /// Writes the index, if it names something new.
  package func commit() throws {
    guard let bytes = index.changedBytes else { return }
    try AtomicFile.write(bytes, to: Folder.join(folder, Self.indexName))
  }

  private func place(_ blob: FileIdentity) -> String {
    Folder.join(folder, "\(Self.blobs)/\(blob.hex)")
  }
}

/// Why an image layout is not written.
package enum ImageLayoutError: Error, Equatable, CustomStringConvertible {
  /// A folder with other things.
  case otherFolder(String)
  /// An index that Ingot did not write.
  case otherIndex(String)
  /// Another process writes it.
  case busy(String)
  /// A tag that names something else, and tags never change.
  case tagged(folder: String, tag: String)

  package var description: String {
    switch self {
    case .otherFolder(let folder):
      "\(folder): is not an OCI image layout of version 1.0.0, and not empty"
    case .otherIndex(let path): "\(path): is not an index that Ingot wrote"
    case .busy(let folder): "\(folder): another process writes it"
    case .tagged(let folder, let tag):
      "\(folder): the tag '\(tag)' names other files, and a version never changes"
    }
  }
}
