import Files
import Weights

/// The way of a package's bytes: tar, zstd, file; hashed before and after compression.
struct PackageStream: ~Copyable {
  private var file: AtomicFile
  private let tar: TarWriter
  private let zstd: ZstdWriter
  private var tarHash = DigestStream()
  private var archiveHash = DigestStream()

  /// - Parameter byteCount: size of the whole tar stream.
  init(path: String, byteCount: Int, time: Timestamp, workers: Int) throws {
    let tar = try TarWriter(time: time)
    let zstd = try ZstdWriter(byteCount: byteCount, workers: workers)
    // Last, since a value that cannot be copied must not be half made.
    let file = try AtomicFile(path: path)
    (self.tar, self.zstd) = (tar, zstd)
    self.file = file
  }

  mutating func add(_ path: PackagePath, bytes: [UInt8]) throws {
    try tar.begin(path, size: bytes.count)
    try unsafe tar.append(bytes.span.bytes)
    try drain(isLast: false)
  }

  /// Adds a file from disk and checks that its bytes are those its entry promises.
  mutating func add(_ entry: FileEntry, from path: String) throws {
    let source = try MappedFile(path: path)
    guard source.byteCount == entry.size else {
      throw PackagingError.changedSize(
        path: path, expected: entry.size, found: source.byteCount)
    }
    try tar.begin(entry.path, size: entry.size)
    var hash = DigestStream()
    var start = 0
    while start < entry.size {
      let end = min(start + (1 << 20), entry.size)
      // Copied once, so that the bytes hashed are the bytes packed even if the file changes.
      let piece = source.withBytes(in: start..<end) { bytes in
        unsafe bytes.withUnsafeBytes { unsafe Array($0) }
      }
      unsafe hash.update(piece.span.bytes)
      try unsafe tar.append(piece.span.bytes)
      try drain(isLast: false)
      source.letGo(of: start..<end)
      start = end
    }
    let found = hash.finish()
    guard found == entry.sha256 else {
      throw PackagingError.changedModel(path: path, proven: entry.sha256, found: found)
    }
  }

  /// Ends the archive and verifies it as a stranger would.
  consuming func finish(_ manifest: Manifest) throws -> PreparedPackage {
    try tar.finish()
    try drain(isLast: true)
    let path = file.path
    let (sha256, tarSHA256) = (archiveHash.finish(), tarHash.finish())
    do {
      let found = try PackageVerifier.verify(file.temporaryPath)
      guard found.manifest == manifest, found.sha256 == sha256, found.tarSHA256 == tarSHA256
      else {
        throw PackagingError.readBackDiffers(path: path, reason: "it reads as another package")
      }
    } catch let error as PackagingError {
      guard case .unsound(_, let fault) = error else { throw error }
      throw PackagingError.readBackDiffers(path: path, reason: "\(fault)")
    }
    return PreparedPackage(
      manifest: manifest, sha256: sha256, tarSHA256: tarSHA256, file: file)
  }

  private mutating func drain(isLast: Bool) throws {
    let bytes = tar.take()
    unsafe tarHash.update(bytes.span.bytes)
    try zstd.compress(bytes, isLast: isLast) { compressed in
      archiveHash.update(compressed)
      try file.write(compressed)
    }
  }
}
