import Files
import Formats
import Graph
import Weights

extension PackageVerifier {
  /// Verifies a whole archive and opens every model in it, one after another, so that only models
  /// that can be run pass, and compares the manifest's facts on each with the model. Runs nothing.
  ///
  /// Only the header of a single file is held in memory, but all files of a folder are, up to
  /// `limit`. The rest goes to files without a name on a disk. So memory follows what opening looks
  /// at, and not what an archive unpacks to.
  ///
  /// - Parameters:
  ///   - limit: most bytes of one model's files that are held in memory.
  ///   - folder: where the others go.
  ///   - progress: told how many bytes of the files were read, of how many.
  /// - Throws: as `verify(_:)`, and `FileError` when a model does not fit on the disk.
  package static func verifyOpening(
    _ path: String, memory limit: Int = Memory.unasked,
    spillingTo folder: String = SpilledFile.folder,
    progress: @escaping (Int, Int) -> Void = { _, _ in }
  ) throws -> VerifiedPackage {
    try verify(
      path, sink: ModelOpening(archive: path, limit: limit, folder: folder), progress: progress)
  }
}

/// Takes the files of one model at a time as they are verified, and opens it when they are all there.
private final class ModelOpening: EntrySink {
  private let archive: String
  private let limit: Int
  private let folder: String
  private var models: [String: ModelEntry] = [:]
  /// Digests of input configurations, by their paths.
  private var configurations: [PackagePath: ContentDigest] = [:]
  private var model: HeldModel?
  private var place = Place.nowhere
  private var file: MemoryFile?
  private var spilled: SpilledFile?
  private var bytes: [UInt8] = []

  /// The destination of the file that is read.
  private enum Place {
    case nowhere, manifest, header, part(String), companion(String)
  }

  init(archive: String, limit: Int, folder: String) {
    self.archive = archive
    self.limit = limit
    self.folder = folder
  }

  func begin(_ path: PackagePath, size: Int) throws {
    bytes = []
    guard path.string != Manifest.entryName else { return place = .manifest }
    let folder = Folder.parent(of: path.ofModel.isEmpty ? path.string : path.ofModel)
    guard let entry = models[folder] else {
      place = .nowhere
      return try finish()
    }
    if model?.entry.path != entry.path {
      try finish()
      model = HeldModel(
        entry, configuration: entry.inputConfiguration.flatMap { configurations[$0] })
    }
    try begin(path.string, size: size, of: entry)
  }

  private func begin(_ path: String, size: Int, of entry: ModelEntry) throws {
    let own = entry.path.string
    guard path == own || path.hasPrefix(own + "/") else {
      return try take(companion: path, size: size)
    }
    place = path == own ? .header : .part(String(path.dropFirst(own.count + 1)))
    // Only the header of a single file is filled; the rest takes no memory.
    if path == own || model?.holds(size, limit: limit) == true {
      file = try MemoryFile(path: path, byteCount: size)
    } else {
      spilled = try SpilledFile(
        path: "\(archive): \(path)", byteCount: size, in: folder,
        free: Machine.freeByteCount(at: folder))
    }
  }

  private func take(companion path: String, size: Int) throws {
    let limit = ModelFiles.sizeLimit(of: path)
    guard size <= limit else {
      throw FileError.tooLarge(path: "\(archive): \(path)", bytes: size, limit: limit)
    }
    place = .companion(Folder.name(of: path))
  }

  func take(_ piece: RawSpan) throws {
    switch place {
    case .nowhere: break
    case .part:
      file?.write(piece)
      try spilled?.write(piece)
    case .manifest, .companion: append(piece)
    case .header: takeHeader(piece)
    }
  }

  private func append(_ piece: RawSpan) {
    unsafe piece.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
  }

  private func takeHeader(_ piece: RawSpan) {
    guard let rules = model?.entry.format.file else { return }
    var rest = piece
    while rest.byteCount > 0, rules.headByteCount(bytes) > bytes.count {
      let taken = min(rules.headByteCount(bytes) - bytes.count, rest.byteCount)
      append(rest.extracting(first: taken))
      rest = rest.extracting(droppingFirst: taken)
    }
  }

  func end() throws {
    switch place {
    case .nowhere: break
    case .manifest:
      let manifest = try Manifest(bytes, origin: "\(archive): \(Manifest.entryName)")
      let papers = manifest.files.filter { $0.role == .preprocessing }
      configurations = Dictionary(papers.map { ($0.path, $0.sha256) }) { first, _ in first }
      models = Dictionary(
        manifest.models.map { (Folder.parent(of: $0.path.string), $0) }
      ) { first, _ in first }
    case .header:
      unsafe file?.write(bytes.span.bytes)
      try keep("")
    case .part(let name): try keep(name)
    case .companion(let name): model?.companions[name] = bytes
    }
  }

  private func keep(_ name: String) throws {
    if let file = file.take() { model?.files[name] = file.finish() }
    if let spilled = spilled.take() { model?.files[name] = try spilled.finish() }
  }

  /// Opens the model whose files are all there, and lets go of them.
  func finish() throws {
    guard let model else { return }
    self.model = nil
    try model.open()
  }
}

/// A model of an archive with its files.
private struct HeldModel {
  let entry: ModelEntry
  private let configuration: ContentDigest?
  var files: [String: MappedFile] = [:]
  var companions: [String: [UInt8]] = [:]
  /// Bytes of its files that are held in memory.
  private var byteCount = 0

  init(_ entry: ModelEntry, configuration: ContentDigest?) {
    (self.entry, self.configuration) = (entry, configuration)
  }

  /// Whether another file may be held in memory.
  mutating func holds(_ size: Int, limit: Int) -> Bool {
    guard size <= limit - byteCount else { return false }
    byteCount += size
    return true
  }

  func open() throws {
    let path = entry.path.string
    let image = ModelImage(path: path, files: files, companions: companions)
    let model: Model
    do {
      model = try image.open(as: entry.format)
    } catch {
      throw ArchiveFault.unusableModel(path: path, reason: "\(error)")
    }
    try entry.require(model, configuration: configuration)
  }
}
