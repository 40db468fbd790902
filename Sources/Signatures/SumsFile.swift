import Files
import StrictJSON

/// A list of SHA-256 digests of files, as `sha256sum` writes it: `<64 hex>  <path>`, a line each.
///
/// One signature of it covers a release of thousands of files. A first line `# …` says something of
/// the list itself; `sha256sum` passes over it.
package struct SumsFile: Sendable {
  /// The name such a file has.
  package static let name = "SHA256SUMS"
  /// Most bytes it may have.
  package static let sizeLimit = 64 << 20

  struct Entry: Equatable, Sendable {
    let path: String
    /// 64 lower-case hexadecimal digits.
    let sha256: String
  }

  let entries: [Entry]
  /// The text of the first line after `# `; nil without that line.
  package let note: String?

  /// How many files it lists.
  package var count: Int { entries.count }

  /// The files it lists, with their digests in hexadecimal, in its order.
  package var files: [(path: String, sha256: String)] { entries.map { ($0.path, $0.sha256) } }

  /// Reads a list.
  ///
  /// - Parameter origin: the file, for messages.
  package init(_ bytes: [UInt8], origin: String) throws(SignatureError) {
    let newline = UInt8(ascii: "\n")
    guard bytes.last == newline else {
      throw .malformed(
        origin: origin,
        fault: bytes.isEmpty ? "lists nothing" : "its last line does not end in a newline")
    }
    var entries: [Entry] = []
    var seen: Set<ExactString> = []
    let lines = bytes.dropLast().split(separator: newline, omittingEmptySubsequences: false)
    note = lines.first.flatMap(SumsFile.note)
    for (index, line) in lines.enumerated().dropFirst(note == nil ? 0 : 1) {
      guard let entry = SumsFile.entry(line) else {
        throw .malformed(
          origin: "\(origin):\(index + 1)",
          fault: "expected 64 hexadecimal digits, two spaces and a path inside the folder")
      }
      guard seen.insert(ExactString(entry.path)).inserted else {
        throw .malformed(
          origin: "\(origin):\(index + 1)", fault: "lists \(quoted(entry.path)) again")
      }
      entries.append(entry)
    }
    self.entries = entries
    guard !entries.isEmpty else { throw .malformed(origin: origin, fault: "lists nothing") }
  }

  /// The SHA-256 that each listed file has, 64 lower-case hexadecimal digits, by its path.
  package var digests: [String: String] {
    Dictionary(entries.map { ($0.path, $0.sha256) }) { first, _ in first }
  }

  /// Reads every listed file, piece by piece.
  ///
  /// - Parameter folder: where the paths begin.
  /// - Returns: the faults of files that are missing or have another digest, in their order.
  package func faults(in folder: String) -> [String] {
    entries.compactMap { entry in
      do throws(FileError) {
        let file = try MappedFile(path: Folder.join(folder, entry.path))
        let found = HexText.text(HashAlgorithm.sha256.digest(of: file))
        return found == entry.sha256
          ? nil : "\(file.path): has the sha256 \(found), expected \(entry.sha256)"
      } catch {
        return "\(error)"
      }
    }
  }

  /// The text of a line that `sha256sum` ignores; at most 200 ASCII characters.
  private static func note(_ line: ArraySlice<UInt8>) -> String? {
    let text = line.dropFirst(2)
    guard line.starts(with: Array("# ".utf8)), (1...200).contains(text.count),
      text.allSatisfy({ (0x20..<0x7F).contains($0) })
    else { return nil }
    return String(decoding: text, as: UTF8.self)
  }

  private static func entry(_ line: ArraySlice<UInt8>) -> Entry? {
    let (digest, rest) = (line.prefix(64), line.dropFirst(64))
    guard digest.count == 64, digest.allSatisfy(HexText.isLowerCase),
      rest.starts(with: Array("  ".utf8)), staysInside(rest.dropFirst(2))
    else { return nil }
    return Entry(
      path: String(decoding: rest.dropFirst(2), as: UTF8.self),
      sha256: String(decoding: digest, as: UTF8.self))
  }

  /// Whether a path leads to a file below its folder: parts of letters, digits, `.`, `_`, `+` and `-`
  /// that do not begin with `.` or `-`.
  private static func staysInside(_ path: ArraySlice<UInt8>) -> Bool {
    let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return parts.allSatisfy { part in
      guard let first = part.first, !Array(".-".utf8).contains(first) else { return false }
      return part.allSatisfy { pathBytes.contains($0) }
    }
  }

  private static let pathBytes = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+-".utf8)
}
