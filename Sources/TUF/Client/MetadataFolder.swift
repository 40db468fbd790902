import Files

/// Metadata as files of a folder: `ROLE.json`, with the bytes of a role's name quoted as in a URL.
package struct MetadataFolder: MetadataStore {
  private let path: String

  /// - Parameter path: of a folder that is there.
  package init(_ path: String) { self.path = path }

  package func read(_ role: String) throws -> [UInt8]? {
    let file = self.file(role)
    let limit = MetadataUpdater.Limits().targets
    guard let status = FileStatus(of: file), status.byteCount <= limit else { return nil }
    return try MappedFile.contents(of: file, limit: limit)
  }

  package func write(_ bytes: [UInt8], _ role: String) throws {
    try AtomicFile.write(bytes, to: file(role))
  }

  private func file(_ role: String) -> String {
    Folder.join(path, "\(PercentText.quoted(role)).json")
  }
}

/// Names in URLs.
package enum PercentText {
  private static let plain = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-~".utf8)

  /// A text with every byte quoted but letters, digits and `_.-~`, RFC 3986.
  ///
  /// - Parameter kept: further characters that stay.
  package static func quoted(_ text: String, keeping kept: String = "") -> String {
    var quoted = ""
    for byte in text.utf8 {
      if plain.contains(byte) || kept.utf8.contains(byte) {
        quoted.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        quoted += "%" + HexText.text([byte]).uppercased()
      }
    }
    return quoted
  }
}
