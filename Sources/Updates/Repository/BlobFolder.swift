package import Deltas
package import Files
package import Offers

/// The parts of models that all customers' versions are made of, as files that a static server serves.
///
/// A blob is made once: its name says what it makes, and from what. Threads may ask for the same one at a time.
package final class BlobFolder: Sendable {
  private let folder: String
  /// Where blobs are written that the folder lacks.
  private let output: String
  private let workers: Int
  /// What a run found out, by the blob's path; no blob where a delta saves too little, or is of a file that is not
  /// there.
  private let findings = Findings<VersionPack.Blob?>()

  /// The part of a whole file from which on a delta is not worth its download.
  static let worthwhile = 0.6
  /// Bytes of a file that is made in memory: most files of one customer alone are small.
  private static let memoryLimit = 1 << 20

  /// - Parameters:
  ///   - output: where blobs are written that the repository lacks; nil for the repository.
  ///   - workers: threads to compress on.
  package init(_ repository: String, output: String? = nil, workers: Int) throws {
    (folder, self.output, self.workers) = (repository, output ?? repository, workers)
    try Folder.create(Folder.join(self.output, RepositoryPath.blobs))
  }

  /// A file as a delta of nothing.
  ///
  /// - Parameter file: asked for the file where its blob is not there.
  package func whole(
    _ identity: FileIdentity, _ file: () throws -> MappedFile
  ) throws -> VersionPack.Blob {
    let path = RepositoryPath.whole(identity.hex)
    let blob = try findings.value(path) {
      try self.blob(path, atMost: .max, makes: identity, of: nil) { output in
        try DeltaWriter(of: try file(), identity, workers: workers).writeWhole(to: &output)
      }
    }
    guard let blob = blob ?? nil else {
      preconditionFailure("no file has more bytes than any number")
    }
    return blob
  }

  /// Whether a file is there as a delta of nothing.
  package func has(_ identity: FileIdentity) throws -> Bool {
    let path = RepositoryPath.whole(identity.hex)
    return try findings.value(path) { try sound(path, identity, nil).map { .some($0) } } != nil
  }

  /// Whether a blob is there with the bytes that a pack vouches for.
  package func has(_ blob: VersionPack.Blob, at path: String) throws -> Bool {
    let found = try findings.value(path) {
      let place = Folder.join(folder, path)
      guard Folder.kind(of: place) == .file else { return nil }
      return try Self.blob(place) == blob ? .some(blob) : nil
    }
    return found == .some(.some(blob))
  }

  /// A file as a delta of an older one; nil where that saves too little, or the repository lacks the older one.
  ///
  /// - Parameters:
  ///   - file: asked for the file where the delta is not there.
  ///   - whole: the same file of nothing.
  package func delta(
    _ identity: FileIdentity, _ file: () throws -> MappedFile, from oldIdentity: FileIdentity,
    whole: VersionPack.Blob
  ) throws -> VersionPack.Blob? {
    let path = RepositoryPath.delta(identity.hex, from: oldIdentity.hex)
    let limit = Int(Double(whole.length) * Self.worthwhile)
    return try findings.value(path) {
      guard let old = try content(oldIdentity) else { return .some(nil) }
      return try blob(path, atMost: limit, makes: identity, of: old) { output in
        try DeltaWriter(of: try file(), identity, workers: workers)
          .write(from: old, oldIdentity, to: &output)
      }
    } ?? nil
  }

  /// The file that a whole blob makes, in memory or in a file without a name; nil where the repository lacks the
  /// blob, or it is damaged.
  private func content(_ identity: FileIdentity) throws -> MappedFile? {
    let path = place(RepositoryPath.whole(identity.hex))
    guard Folder.kind(of: path) == .file else { return nil }
    do {
      return try content(identity, of: path)
    } catch is DeltaError {
      return nil
    }
  }

  private func content(_ identity: FileIdentity, of path: String) throws -> MappedFile {
    let reader = try DeltaReader(try MappedFile(path: path), old: nil, expected: identity)
    if identity.length <= Self.memoryLimit {
      var memory = try MemoryFile(path: path, byteCount: identity.length)
      try reader.apply { memory.write($0) }
      return memory.finish()
    }
    let spilled = try SpilledFile(path: path, byteCount: identity.length, free: nil)
    try reader.apply { bytes in try spilled.write(bytes) }
    return try spilled.finish()
  }

  private func place(_ path: String) -> String {
    let own = Folder.join(folder, path)
    return Folder.kind(of: own) == .file ? own : Folder.join(output, path)
  }

  /// A blob that is there and makes its file, or is made; nil where it has more bytes than it may.
  private func blob(
    _ path: String, atMost limit: Int, makes identity: FileIdentity, of old: MappedFile?,
    _ write: (inout AtomicFile) throws -> Void
  ) throws -> VersionPack.Blob? {
    if let blob = try sound(path, identity, old) { return blob }
    let place = Folder.join(output, path)
    var file = try AtomicFile(path: place)
    try write(&file)
    guard file.byteCount < limit else { return nil }
    // Nobody is told of a blob before it made its file once.
    try Self.apply(file.temporaryPath, identity, old)
    try file.commit()
    return try Self.blob(place)
  }

  /// A blob that is there and makes its file; nil for any other.
  private func sound(
    _ path: String, _ identity: FileIdentity, _ old: MappedFile?
  ) throws -> VersionPack.Blob? {
    let place = place(path)
    guard Folder.kind(of: place) == .file else { return nil }
    do { try Self.apply(place, identity, old) } catch { return nil }
    return try Self.blob(place)
  }

  private static func apply(_ path: String, _ identity: FileIdentity, _ old: MappedFile?) throws {
    try DeltaReader(try MappedFile(path: path), old: old, expected: identity).apply { _ in }
  }

  private static func blob(_ place: String) throws -> VersionPack.Blob {
    let found = FileIdentity(of: try MappedFile(path: place))
    return VersionPack.Blob(length: found.length, sha256: found.hex)
  }
}
