package import Files
import StrictJSON

/// All tensors found at one path, in any format.
///
/// Opening a collection checks everything the files state about themselves.
package struct WeightCollection: Sendable {
  /// The path the user gave.
  package let origin: String
  /// `safetensors`, `sharded safetensors`, `npy`, `npz` or `folder of npy`.
  package let format: String
  /// Sorted by the UTF-8 bytes of the name; each name once.
  package let tensors: [Tensor]
  /// `__metadata__` of a safetensors file; of several shards, that of the first by name.
  package let metadata: [String: String]
  /// Paths of the files read.
  package var files: [String] { sources.map(\.path) }

  /// The files, mapped.
  package let sources: [MappedFile]
  /// Whether the tensors were made of what the files say in a form of their own, and lie in memory.
  package internal(set) var areMade = false
  private let indexOfName: [TensorName: Int]

  /// - Parameter tensors: in any order; names must differ.
  init(
    origin: String, format: String, tensors: [Tensor], metadata: [String: String] = [:],
    sources: [MappedFile]
  ) {
    self.origin = origin
    self.format = format
    self.tensors = tensors.sorted { $0.name < $1.name }
    self.metadata = metadata
    self.sources = sources
    var indexOfName: [TensorName: Int] = [:]
    for (index, tensor) in self.tensors.enumerated() {
      let previous = indexOfName.updateValue(index, forKey: tensor.name)
      precondition(previous == nil, "two tensors of one name")
    }
    self.indexOfName = indexOfName
  }

  /// The tensor of a name.
  package subscript(name: TensorName) -> Tensor? {
    indexOfName[name].map { tensors[$0] }
  }

  /// Whether the bytes are those of the same opened files, and so the digests the same.
  package func isSame(as other: WeightCollection) -> Bool {
    sources.count == other.sources.count && zip(sources, other.sources).allSatisfy { $0 === $1 }
  }

  /// The SHA-256 of the content.
  ///
  /// For a single file that of its bytes; for several, `ContentDigest.combining` of the files by
  /// their paths in the folder, the index of a sharded model included.
  package func digest() -> ContentDigest {
    if sources.count == 1 { return ContentDigest(of: sources[0]) }
    return .combining(
      sources.map { (name: name(of: $0), digest: ContentDigest(of: $0)) })
  }

  /// The path of a file, seen from the folder.
  private func name(of file: MappedFile) -> String {
    let isHere = origin.isEmpty || origin == "."
    let start = isHere ? "" : origin.utf8.last == UInt8(ascii: "/") ? origin : origin + "/"
    guard sources.count > 1, file.path.utf8.starts(with: start.utf8) else {
      return Folder.name(of: file.path)
    }
    return String(decoding: file.path.utf8.dropFirst(start.utf8.count), as: UTF8.self)
  }
}

extension WeightCollection {
  static let modelName = "model.safetensors"
  static let indexName = "model.safetensors.index.json"

  /// Reads a weight file, or the weights in a folder.
  ///
  /// In a folder, the first of these is taken: `model.safetensors`, `model.safetensors.index.json`
  /// with its shards, the one `*.safetensors`, the one `*.npz`, all `*.npy`; if a library saved the
  /// folder, only the files that library reads. Names that start with a dot are ignored.
  package static func open(
    _ path: String, savedBy library: SavingLibrary? = nil
  ) throws(WeightsError) -> WeightCollection {
    switch Folder.kind(of: path) {
    case .folder: try openFolder(path, library)
    default: try openFile(path)
    }
  }

  /// Whether a folder of files of these names has weights that need no library to be read.
  package static func isReadable(among names: [String]) -> Bool {
    names.contains { name in
      name.utf8.first != UInt8(ascii: ".")
        && [".safetensors", ".npz", ".npy", indexName].contains { hasSuffix(name, $0) }
    }
  }

  private static func openFolder(
    _ path: String, _ library: SavingLibrary?
  ) throws(WeightsError) -> WeightCollection {
    let names = try reading { () throws(FileError) in try Folder.names(in: path) }
      .filter { $0.utf8.first != UInt8(ascii: ".") }
    func inside(_ name: String) -> String { Folder.join(path, name) }
    func named(_ suffix: String) -> [String] { names.filter { hasSuffix($0, suffix) } }
    if names.contains(modelName) { return try safetensors(path, map(inside(modelName))) }
    if names.contains(indexName), library?.readsIndex ?? true {
      return try sharded(path, index: inside(indexName))
    }
    if let library { return try openSaved(path, names, by: library) }
    let safetensorsNames = named(".safetensors")
    if let name = try only(safetensorsNames, "safetensors files and no \(indexName)", path) {
      return try safetensors(path, map(inside(name)))
    }
    if let name = try only(named(".npz"), "npz files", path) {
      return try npz(path, map(inside(name)))
    }
    let arrays = named(".npy")
    guard !arrays.isEmpty else {
      if let foreign = ForeignFile.first(of: names, in: path) { throw foreign.error }
      throw .noWeights(
        path: path, lookedFor: "\(indexName), *.safetensors, *.npz and *.npy")
    }
    return try folder(path, arrays)
  }

  /// Opens a folder that a library saved but that lacks the files the library reads: it may hold a
  /// model that Ingot wrote, or nothing.
  private static func openSaved(
    _ path: String, _ names: [String], by library: SavingLibrary
  ) throws(WeightsError) -> WeightCollection {
    if let name = library.onlyCandidate(of: names) {
      let found = try safetensors(path, map(Folder.join(path, name)))
      if found.metadata[writtenByIngot] != nil { return found }
    }
    if let error = library.refusal(of: names, in: path) { throw error }
    if let foreign = ForeignFile.first(of: names, in: path) { throw foreign.error }
    throw .noWeights(path: path, lookedFor: library.namesRead)
  }

  /// The key by which a safetensors file says that Ingot wrote it.
  private static let writtenByIngot = "ingot.format"

  /// The only name of a kind; nil without any.
  private static func only(
    _ names: [String], _ kind: String, _ path: String
  ) throws(WeightsError) -> String? {
    guard names.count > 1 else { return names.first }
    let listed = names.prefix(4).map { quoted($0) }.joined(separator: ", ")
    throw .malformed(
      place: path,
      fault: "has \(names.count) \(kind) (\(listed)\(names.count > 4 ? ", …" : "")); name one")
  }

  private static func openFile(_ path: String) throws(WeightsError) -> WeightCollection {
    if hasSuffix(path, ".safetensors.index.json") {
      return try sharded(path, index: path)
    }
    if let foreign = ForeignFile(path) { throw foreign.error }
    let file = try map(path)
    if hasSuffix(path, ".safetensors") { return try safetensors(path, file) }
    if hasSuffix(path, ".npy") { return try npy(path, file) }
    if hasSuffix(path, ".npz") { return try npz(path, file) }
    let start = file.withBytes { $0.array(in: 0..<min(9, $0.byteCount)) }
    if SafetensorsHeader.begins(start, fileByteCount: file.byteCount) {
      return try safetensors(path, file)
    }
    if start.starts(with: NpyHeader.magic) { return try npy(path, file) }
    if start.starts(with: Array("PK".utf8)) { return try npz(path, file) }
    if start.count == 9, start[8] == UInt8(ascii: "{") { return try safetensors(path, file) }
    throw .noWeights(path: path, lookedFor: "the start of a safetensors, npy or npz file")
  }

  /// Reads a safetensors file that is held in memory.
  package static func open(
    safetensors file: MappedFile
  ) throws(WeightsError) -> WeightCollection { try safetensors(file.path, file) }

  /// Bytes of a safetensors file up to the end of its header; all others are numbers.
  ///
  /// - Parameter start: its first eight bytes, or all of a shorter file.
  package static func headerByteCount(safetensors start: [UInt8]) -> Int {
    guard start.count == 8 else { return start.count }
    let stated = start.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    // A longer one is refused because of its length.
    return 8 + Int(min(stated, UInt64(SafetensorsHeader.byteLimit)))
  }

  private static func safetensors(
    _ origin: String, _ file: MappedFile
  ) throws(WeightsError) -> WeightCollection {
    let header = try SafetensorsHeader(file)
    return WeightCollection(
      origin: origin, format: "safetensors", tensors: header.tensors(in: file),
      metadata: header.metadata, sources: [file])
  }

  static func map(_ path: String) throws(WeightsError) -> MappedFile {
    try reading { () throws(FileError) in try MappedFile(path: path) }
  }

  static func reading<Result>(
    _ body: () throws(FileError) -> Result
  ) throws(WeightsError) -> Result {
    do throws(FileError) {
      return try body()
    } catch {
      throw .file(error)
    }
  }

  static func hasSuffix(_ name: String, _ suffix: String) -> Bool {
    name.utf8.count > suffix.utf8.count
      && name.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }
}
