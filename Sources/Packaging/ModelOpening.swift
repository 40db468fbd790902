import Emission
import Files
import Graph
import Weights

extension PackageVerifier {
  /// Verifies a whole archive and opens every model in it, one after another, so that nothing passes
  /// for a model that nobody could run, and holds what the manifest says of each to the model. Nothing
  /// is run, and nothing is written to disk.
  ///
  /// Of a single file only the header is held in memory, of a folder all files.
  ///
  /// - Parameter limit: most bytes that one model's files may take in memory.
  /// - Throws: as `verify(_:)`, and `FileError.tooLarge` for a model beyond the limit.
  package static func verifyOpening(
    _ path: String, memory limit: Int = Machine.memoryByteCount / 2
  ) throws -> VerifiedPackage {
    let models = ModelOpening(archive: path, limit: limit)
    let package = try verify(path, sink: models)
    try reading(path) { _, _ in try models.finish() }
    return package
  }
}

/// Takes the files of one model at a time as they are verified, and opens it when they are all there.
private final class ModelOpening: EntrySink {
  private let archive: String
  private let limit: Int
  private var manifest: [UInt8] = []
  private var models: [String: ModelEntry] = [:]
  private var model: HeldModel?
  private var place = Place.nowhere
  private var file: MemoryFile?
  private var bytes: [UInt8] = []

  /// What becomes of the file that is read.
  private enum Place {
    case nowhere, manifest, header, part(String), companion(String)
  }

  init(archive: String, limit: Int) {
    self.archive = archive
    self.limit = limit
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
      model = HeldModel(entry)
    }
    try begin(path.string, size: size, of: entry)
  }

  private func begin(_ path: String, size: Int, of entry: ModelEntry) throws {
    let own = entry.path.string
    guard path == own || path.hasPrefix(own + "/") else {
      return try take(companion: path, size: size)
    }
    place = path == own ? .header : .part(String(path.dropFirst(own.count + 1)))
    if case .part = place { try require(size, of: own) }
    file = try MemoryFile(path: path, byteCount: size)
  }

  private func take(companion path: String, size: Int) throws {
    guard size <= ModelFiles.sizeLimit else {
      throw FileError.tooLarge(
        path: "\(archive): \(path)", bytes: size, limit: ModelFiles.sizeLimit)
    }
    place = .companion(Folder.name(of: path))
  }

  /// Refuses a model that takes more memory than may be used.
  private func require(_ size: Int, of path: String) throws(FileError) {
    let (sum, overflow) = (model?.byteCount ?? 0).addingReportingOverflow(size)
    guard !overflow, sum <= limit else {
      throw .tooLarge(path: "\(archive): \(path)", bytes: overflow ? .max : sum, limit: limit)
    }
    model?.byteCount = sum
  }

  func take(_ piece: RawSpan) {
    switch place {
    case .nowhere: break
    case .part: file?.write(piece)
    case .manifest, .companion: append(piece)
    case .header: takeHeader(piece)
    }
  }

  private func append(_ piece: RawSpan) {
    unsafe piece.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
  }

  private func takeHeader(_ piece: RawSpan) {
    var rest = piece
    for _ in 0..<2 {
      let wanted = WeightCollection.headerByteCount(safetensors: Array(bytes.prefix(8)))
      let missing = (bytes.count < 8 ? 8 : wanted) - bytes.count
      let taken = min(max(missing, 0), rest.byteCount)
      append(rest.extracting(first: taken))
      rest = rest.extracting(droppingFirst: taken)
    }
  }

  func end() throws {
    switch place {
    case .nowhere: break
    case .manifest:
      let manifest = try Manifest(bytes, origin: "\(archive): \(Manifest.entryName)")
      models = Dictionary(
        manifest.models.map { (Folder.parent(of: $0.path.string), $0) }
      ) { first, _ in first }
    case .header:
      unsafe file?.write(bytes.span.bytes)
      keep("")
    case .part(let name): keep(name)
    case .companion(let name): model?.companions[name] = bytes
    }
  }

  private func keep(_ name: String) {
    guard let file = file.take() else { return }
    model?.files[name] = file.finish()
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
  var files: [String: MappedFile] = [:]
  var companions: [String: [UInt8]] = [:]
  var byteCount = 0

  init(_ entry: ModelEntry) { self.entry = entry }

  func open() throws {
    let path = entry.path.string
    let image = ModelImage(path: path, files: files, companions: companions)
    let model: Model
    do {
      model = try image.open()
    } catch {
      throw ArchiveFault.unusableModel(path: path, reason: "\(error)")
    }
    try entry.require(model)
  }
}
