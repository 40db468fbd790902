package import Files
package import StrictJSON

/// The small files that describe a model (`config.json`, `modules.json`, …), from a folder or from
/// a compressed model that carries them.
package struct ModelFiles: Sendable {
  private enum Source: Sendable {
    case folder
    case carried([String: [UInt8]])
  }

  /// The folder, or the compressed file that carries the texts.
  package let origin: String
  private let source: Source

  /// Largest describing file that is read, in bytes.
  static let sizeLimit = 16 << 20

  /// The files of a folder.
  package init(folder: String) {
    origin = folder
    source = .folder
  }

  /// Texts that a compressed model carries, by the path they had.
  package init(carriedBy origin: String, texts: [String: [UInt8]]) {
    self.origin = origin
    source = .carried(texts)
  }

  /// The name of a file for messages.
  package func name(of path: String) -> String { Folder.join(origin, path) }

  /// The bytes of a file, or nil when it is not there.
  package func bytes(of path: String) throws(FileError) -> [UInt8]? {
    switch source {
    case .carried(let texts): return texts[path]
    case .folder:
      let full = Folder.join(origin, path)
      guard Folder.kind(of: full) != .missing else { return nil }
      return try MappedFile.contents(of: full, limit: ModelFiles.sizeLimit)
    }
  }

  /// A JSON object file, or nil when it is not there.
  package func object(_ path: String) throws -> JSONObject? {
    guard let bytes = try bytes(of: path) else { return nil }
    return try JSONParser.parseObject(bytes, origin: name(of: path))
  }
}
