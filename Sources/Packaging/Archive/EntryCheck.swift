import Files
import Weights

/// Holds the entries of an archive to the manifest that comes first, as they stream by.
struct EntryCheck {
  private let reader: any EntryReader
  private let sink: (any EntrySink)?
  private let written: WrittenManifest?
  private let jobs: Int
  private let progress: (Int, Int) -> Void
  /// Bytes of files behind the manifest: those that were read, and all that it lists.
  private var (read, total) = (0, 0)
  /// Whether the manifest found is the one that was written.
  private var isWritten = false
  /// Folded paths so far.
  private var seen: Set<String> = [Manifest.entryName]
  /// SHA-256 of the content of every file, as it was read.
  private(set) var contents: [PackagePath: ContentDigest] = [:]
  /// How models were read, according to receipts, by the receipts' paths.
  private(set) var readings: [PackagePath: ReadingFacts] = [:]

  /// - Parameters:
  ///   - sink: takes the files, the manifest first.
  ///   - written: the manifest that was written, if that is known.
  ///   - jobs: threads that look at receipts; faults do not depend on it.
  ///   - progress: told how many bytes behind the manifest were read, of how many.
  init(
    _ reader: any EntryReader, sink: (any EntrySink)? = nil,
    written: WrittenManifest? = nil, jobs: Int = 1,
    progress: @escaping (Int, Int) -> Void = { _, _ in }
  ) {
    self.reader = reader
    self.sink = sink
    self.written = written
    self.jobs = jobs
    self.progress = progress
  }

  /// Reads the first entry, which must be the manifest in its one byte form.
  ///
  /// - Parameter origin: the archive's path, for messages.
  mutating func manifest(origin: String) throws -> Manifest {
    guard let header = try reader.nextHeader() else { throw ArchiveFault.noEntry }
    guard header.path.string == Manifest.entryName else {
      throw ArchiveFault.manifestNotFirst(found: header.path.string)
    }
    guard (1...Manifest.sizeLimit) ~= header.size else {
      throw ArchiveFault.manifestSize(bytes: header.size, limit: Manifest.sizeLimit)
    }
    var bytes: [UInt8] = []
    try reader.readContent { piece in
      unsafe piece.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }
    let manifest =
      try written?.reading(bytes)
      ?? Manifest(bytes, origin: "\(origin): \(Manifest.entryName)")
    // Encoding it once more would tell nothing new about bytes that were encoded a moment ago.
    isWritten = written.map { $0.bytes == bytes && $0.manifest == manifest } ?? false
    guard isWritten || manifest.bytes == bytes else { throw ArchiveFault.manifestNotCanonical }
    try header.checkForm(time: manifest.build.time)
    if let sink {
      try sink.begin(header.path, size: bytes.count)
      try unsafe sink.take(bytes.span.bytes)
      try sink.end()
    }
    return manifest
  }

  /// Reads every other entry and the end of the archive.
  mutating func files(of manifest: Manifest) throws {
    var receipts = ReceiptCheck(manifest, jobs: jobs)
    // A manifest may say anything until its files were read.
    total = manifest.files.reduce(0) { $0.addingReportingOverflow($1.size).partialValue }
    do {
      for entry in manifest.files { try look(at: entry, of: manifest, &receipts) }
    } catch {
      // What came before it is at fault first.
      try receipts.finish()
      throw error
    }
    try receipts.finish()
    readings = receipts.readings
    if let header = try reader.nextHeader() {
      throw seen.contains(header.path.folded)
        ? ArchiveFault.duplicateEntry(path: header.path.string)
        : ArchiveFault.unlistedEntry(path: header.path.string)
    }
    try reader.checkEnd()
  }

  private mutating func look(
    at entry: FileEntry, of manifest: Manifest, _ receipts: inout ReceiptCheck
  ) throws {
    try begin(entry, of: manifest)
    // The bill of what was written comes from this very manifest.
    if !isWritten { try BillOfMaterials(manifest).check(entry) }
    let isNeeded = try receipts.needs(entry)
    let bytes = try content(of: entry, isKept: isNeeded)
    if isNeeded { try receipts.take(bytes, of: entry) }
  }

  /// Reads the header of the entry that must come next.
  private mutating func begin(_ entry: FileEntry, of manifest: Manifest) throws {
    guard let header = try reader.nextHeader() else {
      throw ArchiveFault.missingEntry(path: entry.path.string)
    }
    guard header.path == entry.path else {
      throw fault(found: header.path, expected: entry.path, manifest)
    }
    seen.insert(entry.path.folded)
    guard header.size == entry.size else {
      throw ArchiveFault.entrySize(
        path: entry.path.string, found: header.size, manifest: entry.size)
    }
    try header.checkForm(time: manifest.build.time)
  }

  private func fault(
    found: PackagePath, expected: PackagePath, _ manifest: Manifest
  ) -> ArchiveFault {
    if seen.contains(found.folded) { return .duplicateEntry(path: found.string) }
    let isListed = manifest.files.contains { $0.path == found }
    return isListed
      ? .missingEntry(path: expected.string) : .unlistedEntry(path: found.string)
  }

  /// Streams the content of a file by, checking its digest.
  ///
  /// - Parameter isKept: whether its bytes are returned; otherwise none are.
  private mutating func content(of entry: FileEntry, isKept: Bool) throws -> [UInt8] {
    var hash = DigestStream()
    var kept: [UInt8] = []
    try sink?.begin(entry.path, size: entry.size)
    try reader.readContent { piece in
      hash.update(piece)
      if isKept { unsafe piece.withUnsafeBytes { unsafe kept.append(contentsOf: $0) } }
      try sink?.take(piece)
      read += piece.byteCount
      progress(read, total)
    }
    let digest = hash.finish()
    guard digest == entry.sha256 else {
      throw ArchiveFault.entryDigest(
        path: entry.path.string, found: digest.hex, manifest: entry.sha256.hex)
    }
    try sink?.end()
    contents[entry.path] = digest
    return kept
  }
}

/// A manifest that is written, and what reads back from its bytes; found out while the archive is written.
struct WrittenManifest {
  /// Bytes that are read sooner than a thread begins.
  private static let littleByteCount = 1 << 16

  let manifest: Manifest
  let bytes: [UInt8]
  private let found: Meanwhile<Result<Manifest, any Error>>

  /// - Parameter origin: the archive's path, for messages.
  init(_ manifest: Manifest, origin: String) {
    let bytes = manifest.bytes
    self.manifest = manifest
    self.bytes = bytes
    found = Meanwhile(isLittle: bytes.count <= Self.littleByteCount) {
      Result { try Manifest(bytes, origin: "\(origin): \(Manifest.entryName)") }
    }
  }

  /// What reads back, if an archive has these very bytes; nil for any others.
  func reading(_ found: [UInt8]) throws -> Manifest? {
    found == bytes ? try self.found.value.get() : nil
  }
}

/// Takes the files of a package while they are verified. They are worth nothing until the whole
/// package proves sound.
protocol EntrySink: AnyObject {
  /// A file begins, of exactly `size` bytes.
  func begin(_ path: PackagePath, size: Int) throws
  /// The next bytes of the file.
  func take(_ piece: RawSpan) throws
  /// The file ended, and its bytes are those the manifest lists.
  func end() throws
  /// There are no more files, and the package is sound.
  func finish() throws
}

extension EntrySink {
  func finish() {}
}
