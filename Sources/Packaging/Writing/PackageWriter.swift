import Files
import Weights
import Zstd

/// Writes packages, one after another.
///
/// Tables, buffers and threads of compression are kept from package to package; a writer belongs to
/// one thread. No byte of a package depends on what was written before.
package final class PackageWriter {
  private let zstd: ZstdWriter
  private let decoder: ZstdDecoder
  private let jobs: Int

  /// - Parameters:
  ///   - workers: threads that compress one package; the bytes do not depend on it.
  ///   - jobs: threads that verify what is in one.
  package init(workers: Int, jobs: Int = 1) throws {
    self.jobs = jobs
    zstd = try ZstdWriter(workers: workers)
    decoder = try ZstdDecoder()
  }

  /// Writes a package to a new file and verifies it there, as a stranger would.
  ///
  /// The file has this name from the start: its folder should itself be work in progress, and the
  /// file be renamed from there. When anything fails it is removed.
  ///
  /// - Parameters:
  ///   - path: the new file; its folder must exist.
  ///   - isDurable: whether the bytes must have reached the disk; otherwise the caller sees to that.
  ///   - watching: told every byte of the archive in order, before it is in the file.
  /// - Returns: the package as it was read back; the archive's own digest is of the bytes that were
  ///   written, whatever anybody else does to the file.
  /// - Throws: `PackagingError.changedModel` when a model's bytes are not those its receipt proves.
  package func write(
    _ plan: PackageContents, as form: ArchiveForm = .tarZst, to path: String,
    isDurable: Bool = true, watching: @escaping ([UInt8]) -> Void = { _ in }
  ) throws -> VerifiedPackage {
    let manifest = WrittenManifest(plan.manifest, origin: path)
    let file = try ArchiveFile(path: path, watching: watching)
    do {
      let writer = try entryWriter(
        of: form, plan, manifestBytes: manifest.bytes.count, to: file)
      try PackageWriter.add(plan, manifest: manifest.bytes, to: writer)
      try writer.finish()
      let digest = try file.finish(isDurable: isDurable)
      return try readBack(plan, form, manifest, path: path, digest)
    } catch {
      // The first error is the one to report.
      try? Folder.remove(path)
      throw error
    }
  }

  private func entryWriter(
    of form: ArchiveForm, _ plan: PackageContents, manifestBytes: Int, to file: ArchiveFile
  ) throws -> any EntryWriter {
    let time = plan.manifest.build.time
    switch form {
    case .tarZst:
      return try TarZstWriter(
        byteCount: plan.manifest.tarByteCount(manifestBytes: manifestBytes), time: time, zstd,
        to: file)
    case .zip:
      let byteCount = Zip.byteCount(of: plan.manifest, manifestBytes: manifestBytes)
      let entryCount = plan.manifest.files.count + 1
      guard byteCount <= Zip.byteLimit, entryCount <= Zip.entryLimit else {
        throw PackagingError.tooLargeForZip(bytes: byteCount, entries: entryCount)
      }
      return ZipWriter(time: time, to: file)
    }
  }

  private static func add(
    _ plan: PackageContents, manifest: [UInt8], to writer: any EntryWriter
  ) throws {
    try add(try PackagePath(Manifest.entryName), manifest, to: writer)
    for (entry, content) in zip(plan.manifest.files, plan.contents) {
      switch content {
      case .bytes(let bytes): try add(entry.path, bytes, to: writer)
      case .file(let path): try add(entry, from: path, to: writer)
      }
    }
  }

  private static func add(
    _ path: PackagePath, _ bytes: [UInt8], to writer: any EntryWriter
  ) throws {
    try writer.begin(path, size: bytes.count) {
      var checksum = CRC32()
      unsafe checksum.update(bytes.span.bytes)
      return checksum.value
    }
    try unsafe writer.append(bytes.span.bytes)
  }

  /// Adds a file from disk. That its bytes are those its entry promises shows when they are read
  /// back.
  private static func add(
    _ entry: FileEntry, from path: String, to writer: any EntryWriter
  ) throws {
    let source = try MappedFile(path: path)
    guard source.byteCount == entry.size else {
      throw PackagingError.changedSize(
        path: path, expected: entry.size, found: source.byteCount)
    }
    try writer.begin(entry.path, size: entry.size) {
      var checksum = CRC32()
      source.forEachPiece(in: 0..<entry.size) { checksum.update($0) }
      return checksum.value
    }
    var start = 0
    while start < entry.size {
      let end = min(start + (1 << 20), entry.size)
      try source.withBytes(in: start..<end) { try writer.append($0) }
      source.letGo(of: start..<end)
      start = end
    }
  }

  /// Reads a package back and compares it with the plan.
  private func readBack(
    _ plan: PackageContents, _ form: ArchiveForm, _ manifest: WrittenManifest, path: String,
    _ digest: ContentDigest
  ) throws -> VerifiedPackage {
    do {
      let found = try PackageVerifier.verify(
        path, as: form, decoder, written: manifest, sha256: digest, jobs: jobs)
      guard found.manifest == plan.manifest else {
        throw PackagingError.readBackDiffers(path: path, reason: "it reads as another package")
      }
      return found
    } catch PackagingError.unsound(_, let fault) {
      if let change = try plan.change { throw change }
      throw PackagingError.readBackDiffers(path: path, reason: "\(fault)")
    }
  }
}

extension PackageContents {
  /// The first file on disk that is not what its entry promises any more.
  fileprivate var change: PackagingError? {
    get throws {
      for case (let entry, .file(let path)) in zip(manifest.files, contents) {
        let found = ContentDigest(of: try MappedFile(path: path))
        guard found == entry.sha256 else {
          return .changedModel(path: path, proven: entry.sha256, found: found)
        }
      }
      return nil
    }
  }
}

/// The file an archive is written to; small writes are collected, and hashed as they are written.
final class ArchiveFile {
  private static let pieceByteCount = 1 << 17

  /// Nil once finished.
  private var file: OutputFile?
  private var pending: [UInt8] = []
  private var digest = DigestStream()
  private let watching: ([UInt8]) -> Void

  /// Makes a new file.
  ///
  /// - Parameter watching: told every byte, before it is in the file.
  init(path: String, watching: @escaping ([UInt8]) -> Void) throws(FileError) {
    file = try OutputFile.create(at: path)
    self.watching = watching
  }

  func write(_ bytes: RawSpan) throws(FileError) {
    unsafe bytes.withUnsafeBytes { unsafe pending.append(contentsOf: $0) }
    if pending.count >= ArchiveFile.pieceByteCount { try flush() }
  }

  /// Closes the file.
  ///
  /// - Parameter isDurable: whether its bytes must have reached the disk.
  /// - Returns: the SHA-256 of all that was written.
  func finish(isDurable: Bool) throws(FileError) -> ContentDigest {
    try flush()
    try file.take()?.finish(isDurable: isDurable)
    return digest.finish()
  }

  private func flush() throws(FileError) {
    unsafe digest.update(pending.span.bytes)
    watching(pending)
    try file?.write(pending)
    pending.removeAll(keepingCapacity: true)
  }
}
