package import Deltas
package import Files
package import Offers

/// The parts of models that all customers' versions are made of, as files that a static server serves.
///
/// A blob is made once: its name says what it makes, and from what.
package final class BlobFolder {
  private let folder: String
  /// Where blobs are written that the folder lacks.
  private let output: String
  private let workers: Int
  /// What a run found out, by the blob's path.
  private var known: [String: VersionPack.Blob] = [:]
  /// Deltas that save too little.
  private var poor: Set<String> = []

  /// The part of a whole file from which on a delta is not worth its download.
  static let worthwhile = 0.6

  /// - Parameters:
  ///   - output: where blobs are written that the repository lacks; nil for the repository.
  ///   - workers: threads to compress on.
  package init(_ repository: String, output: String? = nil, workers: Int) throws {
    (folder, self.output, self.workers) = (repository, output ?? repository, workers)
    try Folder.create(Folder.join(self.output, RepositoryPath.blobs))
  }

  /// A file as a delta of nothing.
  package func whole(_ file: MappedFile, _ identity: FileIdentity) throws -> VersionPack.Blob {
    let path = RepositoryPath.whole(identity.hex)
    let blob = try blob(path, atMost: .max, makes: identity, of: nil) { output in
      try DeltaWriter(of: file, identity, workers: workers).writeWhole(to: &output)
    }
    guard let blob else { preconditionFailure("no file has more bytes than any number") }
    return blob
  }

  /// A file as a delta of an older one; nil where that saves too little.
  ///
  /// - Parameter whole: the same file of nothing.
  package func delta(
    _ file: MappedFile, _ identity: FileIdentity, from old: MappedFile, _ oldIdentity: FileIdentity,
    whole: VersionPack.Blob
  ) throws -> VersionPack.Blob? {
    let path = RepositoryPath.delta(identity.hex, from: oldIdentity.hex)
    guard !poor.contains(path) else { return nil }
    let limit = Int(Double(whole.length) * Self.worthwhile)
    let blob = try blob(path, atMost: limit, makes: identity, of: old) { output in
      try DeltaWriter(of: file, identity, workers: workers)
        .write(from: old, oldIdentity, to: &output)
    }
    if blob == nil { poor.insert(path) }
    return blob
  }

  /// The file that a whole blob makes, in a file without a name; nil where the repository lacks the blob.
  package func content(_ file: VersionPack.Blob) throws -> MappedFile? {
    let path = place(RepositoryPath.whole(file.sha256))
    guard Folder.kind(of: path) == .file,
      let identity = FileIdentity(length: file.length, hex: file.sha256)
    else { return nil }
    let spilled = try SpilledFile(path: path, byteCount: file.length, free: nil)
    try DeltaReader(try MappedFile(path: path), old: nil, expected: identity)
      .apply { bytes in try spilled.write(bytes) }
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
    if let blob = known[path] { return blob }
    let place = place(path)
    if Folder.kind(of: place) != .file || !makes(place, identity, old) {
      var output = try AtomicFile(path: Folder.join(self.output, path))
      try write(&output)
      guard output.byteCount < limit else { return nil }
      // Nobody is told of a blob before it made its file once.
      try Self.apply(output.temporaryPath, identity, old)
      try output.commit()
    }
    let found = FileIdentity(of: try MappedFile(path: self.place(path)))
    let blob = VersionPack.Blob(length: found.length, sha256: found.hex)
    known[path] = blob
    return blob
  }

  private func makes(_ path: String, _ identity: FileIdentity, _ old: MappedFile?) -> Bool {
    do {
      try Self.apply(path, identity, old)
      return true
    } catch {
      return false
    }
  }

  private static func apply(_ path: String, _ identity: FileIdentity, _ old: MappedFile?) throws {
    try DeltaReader(try MappedFile(path: path), old: old, expected: identity).apply { _ in }
  }
}
