package import Files
package import StrictJSON
package import Tokenization
package import Weights

/// The small files that describe a model (`config.json`, `modules.json`, …), from a folder or from
/// a compressed model that carries them.
///
/// A file is read once and then remembered: the model that runs is the one examined before, even if
/// the folder changes meanwhile.
package struct ModelFiles: Sendable {
  private enum Source: Sendable {
    case folder(FileMemory)
    case carried([String: [UInt8]])
  }

  /// The folder, or the compressed file that carries the texts.
  package let origin: String
  private let source: Source
  /// Files that replace those of the source.
  private var replaced: [String: [UInt8]] = [:]
  /// Whether they were made of the bytes of the model, and say no more than these.
  private(set) var areOfTheModel = false

  /// Largest describing file that is read, in bytes; a tokenizer may have more.
  package static let sizeLimit = 16 << 20
  /// Largest `tokenizer.json` that is read, in bytes: that of 250,002 pieces has 17 MB, Gemma's 33 MB.
  package static let tokenizerSizeLimit = 64 << 20

  /// The largest size that is read of the file at a path.
  package static func sizeLimit(of path: String) -> Int {
    Folder.name(of: path) == TokenizerFiles.Name.tokenizer.rawValue ? tokenizerSizeLimit : sizeLimit
  }

  /// The files of a folder.
  package init(folder: String) {
    origin = folder
    source = .folder(FileMemory())
  }

  /// Texts that a compressed model carries, by the path they had.
  package init(carriedBy origin: String, texts: [String: [UInt8]]) {
    self.origin = origin
    source = .carried(texts)
  }

  /// The same files, which were made of the model's own bytes: a receipt of those proves them.
  package var madeOfTheModel: ModelFiles {
    var files = self
    files.areOfTheModel = true
    return files
  }

  /// The name of a file for messages.
  package func name(of path: String) -> String { Folder.join(origin, path) }

  /// The same files with one replaced.
  package func replacing(_ path: String, by bytes: [UInt8]) -> ModelFiles {
    var files = self
    files.replaced[path] = bytes
    return files
  }

  /// The bytes of a file, or nil if it does not exist.
  package func bytes(of path: String) throws(FileError) -> [UInt8]? {
    if let bytes = replaced[path] { return bytes }
    switch source {
    case .carried(let texts): return texts[path]
    case .folder(let memory):
      return try memory.bytes(of: path) { () throws(FileError) in
        let full = Folder.join(origin, path)
        guard Folder.kind(of: full) != .missing else { return nil }
        return try MappedFile.contents(of: full, limit: ModelFiles.sizeLimit(of: path))
      }
    }
  }

  /// Bytes of all files that were read so far; nil of those that a model carries.
  var readByteCount: Int? {
    switch source {
    case .carried: nil
    case .folder(let memory):
      replaced.values.reduce(memory.byteCount) { $0 + $1.count }
    }
  }

  /// Whether each file that was read has the same bytes now, and each that did not exist does not; false
  /// also of those that a model carries.
  var areSurelyAsRead: Bool {
    guard case .folder(let memory) = source else { return false }
    return memory.all { path, bytes in
      let full = Folder.join(origin, path)
      guard let bytes else { return Folder.kind(of: full) == .missing }
      let now = try? MappedFile.contents(of: full, limit: bytes.count)
      return now == bytes
    }
  }

  /// A JSON object file, or nil if it does not exist.
  package func object(_ path: String) throws -> JSONObject? {
    guard let bytes = try bytes(of: path) else { return nil }
    guard case .folder(let memory) = source, replaced[path] == nil,
      bytes.count <= ModelFiles.keptObjectByteCount
    else { return try JSONParser.parseObject(bytes, origin: name(of: path)) }
    return try memory.object(of: path) { () throws(JSONError) in
      try JSONParser.parseObject(bytes, origin: name(of: path))
    }
  }

  /// Largest text whose object is remembered, in bytes.
  private static let keptObjectByteCount = 64 << 10
}

/// Contents of files at first reading, by path; nil for files that did not exist.
private final class FileMemory: Sendable {
  private let read = Mutex<[String: [UInt8]?]>([:])
  /// Objects of files that were parsed, by path.
  private let objects = Mutex<[String: JSONObject]>([:])

  /// The object in a file that was read, made by `parse` the first time.
  func object(
    of path: String, _ parse: () throws(JSONError) -> JSONObject
  ) throws(JSONError) -> JSONObject {
    if let known = objects.withLock({ $0[path] }) { return known }
    let object = try parse()
    objects.withLock { $0[path] = object }
    return object
  }

  /// Whether something holds of the bytes of each path.
  func all(_ holds: (String, [UInt8]?) -> Bool) -> Bool {
    read.withLock { $0 }.allSatisfy { holds($0.key, $0.value) }
  }

  /// Bytes of all that was read.
  var byteCount: Int {
    read.withLock { read in read.values.reduce(0) { $0 + ($1?.count ?? 0) } }
  }

  /// The bytes of a path, read by `load` the first time.
  func bytes(
    of path: String, _ load: () throws(FileError) -> [UInt8]?
  ) throws(FileError) -> [UInt8]? {
    try read.withLock { (read) throws(FileError) in
      if let known = read[path] { return known }
      let bytes = try load()
      read[path] = .some(bytes)
      return bytes
    }
  }
}

extension ModelFiles {
  /// The tokenizer's files in one of the folders.
  ///
  /// - Parameter folder: seen from the model's; empty for that itself.
  package func tokenizerFiles(in folder: String) throws -> TokenizerFiles {
    try TokenizerFiles { name in
      let path = folder.isEmpty ? name.rawValue : "\(folder)/\(name.rawValue)"
      return try bytes(of: path).map { .init(origin: self.name(of: path), bytes: $0) }
    }
  }
}

/// Opens the weights of a file or folder.
package enum ModelWeights {
  /// The weights of a file or a folder. Of a folder that sentence-transformers saved, those of
  /// every module: those of the transformer or table under their own names, others prefixed with their folder.
  ///
  /// - Parameter files: those of the folder, which may have been read.
  /// - Throws: `WeightsError`, and errors of reading `modules.json`.
  package static func open(
    _ path: String, describedBy files: ModelFiles? = nil
  ) throws -> WeightCollection {
    let files = files ?? ModelFiles(folder: path)
    if let trees = try TreeFiles.open(path, files) { return trees }
    guard Folder.kind(of: path) == .folder else { return try WeightCollection.open(path) }
    guard let entries = try SentenceModules.entries(files),
      let first = entries.first(where: { $0.kind?.holdsTokens == true })
    else { return try WeightCollection.open(path, savedBy: library(of: files)) }
    let others = entries.filter { $0.kind?.hasWeights == true && !$0.path.isEmpty }
    func part(_ entry: SentenceModuleEntry, _ library: SavingLibrary) throws -> WeightCollection {
      try WeightCollection.open(
        entry.path.isEmpty ? path : Folder.join(path, entry.path), savedBy: library)
    }
    let library = first.kind == .transformer ? SavingLibrary.transformers : .sentenceTransformers
    let own = try part(first, library)
    if first.path.isEmpty && others.isEmpty { return own }
    return try .joining(
      path,
      [(prefix: "", weights: own)]
        + others.map { (prefix: $0.path + ".", weights: try part($0, .sentenceTransformers)) })
  }

  /// The library whose rules say which file of a folder holds the weights of a model; nil for dense
  /// models, for OpenCLIP's, and for folders that are not models.
  private static func library(of files: ModelFiles) -> SavingLibrary? {
    do {
      guard try files.bytes(of: OpenClip.configName) == nil,
        let type = try files.object("config.json")?["model_type"]?.string
      else { return nil }
      let isRead = Architectures.all.contains {
        $0.modelTypes.contains(type) && ($0.name == type || $0 is any SentenceArchitecture.Type)
      }
      return isRead ? .transformers : nil
    } catch {
      // An unreadable file is reported when the model is described.
      return nil
    }
  }
}

extension SentenceModuleEntry.Kind {
  /// Whether a module behind the pooling has weights.
  fileprivate var hasWeights: Bool { self == .dense || self == .layerNorm }
}

/// The bytes of a model: those of its weights, and those of the files that describe it.
package struct ModelDigests: Hashable, Sendable {
  /// Digest of the weight bytes.
  package var weights: ContentDigest
  /// Digests of the files that describe them (a tokenizer too), by path.
  package var files: [String: ContentDigest]

  package init(weights: ContentDigest, files: [String: ContentDigest]) {
    self.weights = weights
    self.files = files
  }
}
