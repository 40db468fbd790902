import Files
import Packaging
import StrictJSON
import Weights

/// What was ever built into an output folder, one line of JSON per package, in the order built.
///
/// Lines are only ever added, and each names the digest of the one before it, so that a line that
/// was changed or taken out is found. The format is in `specs/formats/output.md`.
struct ReleaseIndex {
  /// The file's name in the output folder.
  static let fileName = "index.jsonl"
  /// Largest index that is read, in bytes.
  static let sizeLimit = 1 << 30

  /// One package.
  struct Entry: Equatable {
    /// The app's UUID.
    let app: String
    let version: SemanticVersion
    /// Path in the output folder.
    let path: String
    /// The archive.
    let sha256: ContentDigest
    let byteCount: Int
    /// Everything that the package was made from.
    let inputs: ContentDigest
    /// For whom and on which terms.
    let terms: ContentDigest
    /// What each model was made from, by its name.
    let models: [String: ContentDigest]
    /// Who signed, as `SHA256:…`; nil when no one did.
    let signer: String?
    /// What vouches for the archive beside it, by suffix; empty when no one signed.
    let vouchers: [String: ContentDigest]
  }

  private let path: String
  private var text: [UInt8]
  private var last = ContentDigest(of: [])
  private var entries: [String: [Entry]] = [:]
  private var isChanged = false

  /// Reads the index of an output folder; an empty one where there is none.
  ///
  /// - Throws: `JSONError` for a line that is damaged, `FileError` when it cannot be read.
  init(folder: String) throws {
    path = Folder.join(folder, Self.fileName)
    guard Folder.kind(of: path) != .missing else {
      text = []
      return
    }
    text = try MappedFile.contents(of: path, limit: Self.sizeLimit)
    var number = 0
    for line in text.split(separator: UInt8(ascii: "\n")) {
      number += 1
      try read(Array(line), number)
    }
    guard text.isEmpty || text.last == UInt8(ascii: "\n") else {
      throw fault("the line is cut short", line: number)
    }
  }

  /// Whether nothing was ever built.
  var isEmpty: Bool { entries.isEmpty }

  /// The last word on a package; nil when it was never built.
  func entry(_ app: String, _ version: SemanticVersion) -> Entry? {
    entries[app]?.last { $0.version == version }
  }

  /// The newest version an app ever got.
  func newest(of app: String) -> SemanticVersion? { entries[app]?.map(\.version).max() }

  /// Adds a line unless the last word on the package is the same.
  mutating func add(_ entry: Entry) {
    guard self.entry(entry.app, entry.version) != entry else { return }
    let line = Array(IndexLine.json(entry, after: last).compact.utf8)
    text += line + [UInt8(ascii: "\n")]
    last = ContentDigest(of: line)
    entries[entry.app, default: []].append(entry)
    isChanged = true
  }

  /// Makes added lines durable; all of them or none.
  mutating func save(in folder: OutputFolder) throws(FileError) {
    guard isChanged else { return }
    try folder.put(text, at: Self.fileName)
    isChanged = false
  }

  private mutating func read(_ line: [UInt8], _ number: Int) throws {
    let (entry, previous): (Entry, ContentDigest)
    do throws(JSONError) {
      (entry, previous) = try IndexLine.read(try JSONParser.parseObject(line, origin: path))
    } catch {
      throw fault(error.fault, line: number)
    }
    guard previous == last else {
      throw fault("the line does not follow the one before it", line: number)
    }
    last = ContentDigest(of: line)
    entries[entry.app, default: []].append(entry)
  }

  private func fault(_ words: String, line: Int) -> JSONError {
    JSONError(
      origin: path, position: JSONPosition(line: line, column: 1),
      fault: words + "; bring the file back from a backup, or remove it to have it made anew")
  }
}
