import Files
import PackageNames
import Packaging
import StrictJSON
import Weights

/// Everything ever built into an output folder, one line of JSON per package, in the order built.
///
/// Lines are only ever added, and each names the digest of the one before it, so that a line that
/// was changed or taken out is found; the list of the last release says where they end. The format
/// is in `specs/formats/output.md`.
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
    /// The inputs of each model, by its name.
    let models: [String: ContentDigest]
    /// Who signed, as `SHA256:…`; nil when no one did.
    let signer: String?
    /// Digests of the archive's signature and provenance, by suffix; empty if it is not signed.
    let attestations: [String: ContentDigest]

    /// Whether only a list of digests still told of the package; what it was made from is not known.
    var isRecovered: Bool { inputs == ContentDigest(of: []) }

    /// Whether two lines say that their packages were made from the same.
    func isMade(as other: Entry) -> Bool {
      inputs == other.inputs && terms == other.terms && models == other.models
    }

    /// The package and version that the line is about.
    var package: PackageVersion { PackageVersion(app: app, version: version) }
  }

  /// The package and version that a line is about.
  struct PackageVersion: Hashable {
    let app: String
    let version: SemanticVersion
  }

  private let path: String
  /// The file as it was read; nil if there was none.
  private var file: IndexLines?
  /// Lines that are not in the file, each with its newline.
  private var added: [UInt8] = []
  /// Every line, in their order, and behind how many lines which digest comes.
  private(set) var lines: [Entry] = []
  private var heads = [ContentDigest(of: [])]
  private var entries: [String: [Entry]] = [:]
  /// Packages with a line that is not signed; only their archive is known.
  private var doubted: Set<PackageVersion> = []
  /// Lines before the first one that is not signed.
  private var confirmedCount = 0
  /// Whether a list signed with the project's key ends where the lines do.
  private var isWhole = false
  /// The archives that a signed list says were built, even against the lines, by app.
  private var listed: [String: [ListedArchive]] = [:]

  /// Reads the index of an output folder; an empty index where the file is missing.
  ///
  /// - Throws: `JSONError` for a line that is damaged, `FileError` when it cannot be read.
  init(folder: String) throws {
    path = Folder.join(folder, Self.fileName)
    guard Folder.kind(of: path) != .missing else {
      file = nil
      return
    }
    let file = try IndexLines(path: path, limit: Self.sizeLimit)
    self.file = file
    var memory = IndexMemory(path: path)
    try file.forEach { line, number in
      try memory.require(for: line)
      try read(line, number, of: file)
    }
  }

  /// Whether nothing was ever built.
  var isEmpty: Bool { lines.isEmpty && listed.isEmpty }

  /// The place behind the last line.
  var end: IndexMark.End { place(behind: lines.count) }

  /// The place behind so many lines, which must be there.
  func place(behind count: Int) -> IndexMark.End {
    IndexMark.End(count: count, head: heads[count])
  }

  /// Whether a place is one of this index.
  func holds(_ end: IndexMark.End) -> Bool {
    heads.indices.contains(end.count) && heads[end.count] == end.head
  }

  /// Takes the word of a signed list for what was built, besides the lines.
  mutating func bind(_ archives: [ListedArchive]) {
    for archive in archives { listed[archive.app, default: []].append(archive) }
  }

  /// Takes the lines behind a place for what anyone may have written.
  ///
  /// - Parameter isWhole: whether a list signed with the project's key ends where the lines do.
  mutating func doubt(behind count: Int, isWhole: Bool = false) {
    doubted = Set(lines.dropFirst(count).map(\.package))
    confirmedCount = count
    self.isWhole = isWhole
  }

  /// Adds a line for every archive that only a signed list names, so that it is known when that list is
  /// gone, and for every package whose last word is still in doubt, so that the next list does not
  /// confirm that word.
  mutating func recover() {
    for archive in listed.values.flatMap(\.self).sorted(by: { $0.path < $1.path })
    where !entries[archive.app, default: []].contains(where: archive.isArchive(of:)) {
      add(Entry(recovering: archive))
    }
    for line in lines where isDoubted(line.app, line.version) {
      if let entry = entry(line.app, line.version) { add(entry) }
    }
  }

  /// Every digest that an archive of a version is known by: that of each line, and the signed list's.
  func digests(_ app: String, _ version: SemanticVersion) -> [ContentDigest] {
    entries[app, default: []].filter { $0.version == version }.map(\.sha256)
      + listed[app, default: []].filter { $0.version == version }.map(\.sha256)
  }

  /// The last word on a package; nil when it was never built. Where that is in doubt, it says nothing
  /// of what the package was made from.
  func entry(_ app: String, _ version: SemanticVersion) -> Entry? {
    let entry = lastLine(app, version)
    return isDoubted(app, version) ? entry?.recovered : entry
  }

  private func isDoubted(_ app: String, _ version: SemanticVersion) -> Bool {
    doubted.contains(PackageVersion(app: app, version: version))
  }

  /// Whether a list signed with the project's key confirms an entry word for word.
  func confirms(_ entry: Entry) -> Bool {
    isWhole && !isDoubted(entry.app, entry.version)
      && lastLine(entry.app, entry.version) == entry
  }

  private func lastLine(_ app: String, _ version: SemanticVersion) -> Entry? {
    entries[app]?.last { $0.version == version }
  }

  /// The newest version an app ever got.
  func newest(of app: String) -> SemanticVersion? {
    (entries[app, default: []].map(\.version) + listed[app, default: []].map(\.version)).max()
  }

  /// Adds a line unless the last line of the package is the same; from now on that is beyond doubt.
  ///
  /// If any line in doubt says something else of the package, all are taken back first, by one that
  /// says no more than which archive it is of: `IndexCheck.start` looks for such lines.
  mutating func add(_ entry: Entry) {
    if doubted.remove(entry.package) != nil, isBelied(entry) { write(entry.recovered) }
    if lastLine(entry.app, entry.version) != entry { write(entry) }
  }

  /// Whether a line in doubt says something of the package that an entry does not. What another key
  /// signed says nothing to this one.
  private func isBelied(_ entry: Entry) -> Bool {
    lines.dropFirst(confirmedCount).contains {
      $0.package == entry.package && !$0.isRecovered && $0 != entry
        && ($0.signer == entry.signer || !$0.isMade(as: entry))
    }
  }

  private mutating func write(_ entry: Entry) {
    let line = Array(IndexLine.json(entry, after: end.head).compact.utf8)
    added += line + [UInt8(ascii: "\n")]
    append(entry, line)
  }

  private mutating func append(_ entry: Entry, _ line: [UInt8]) {
    lines.append(entry)
    heads.append(ContentDigest(of: line))
    entries[entry.app, default: []].append(entry)
  }

  /// Makes added lines durable; all of them or none.
  mutating func save(in folder: OutputFolder) throws {
    guard !added.isEmpty else { return }
    var draft = try AtomicFile(path: folder.working(Self.fileName))
    let rest = try copy(file, to: &draft)
    try draft.write(rest + added)
    try folder.put(draft, at: Self.fileName)
    file = try IndexLines(path: path, limit: Self.sizeLimit)
    added = []
  }

  /// Writes lines again as they were checked.
  ///
  /// - Returns: the lines that are not written yet.
  private func copy(_ file: IndexLines?, to draft: inout AtomicFile) throws -> [UInt8] {
    var waiting: [UInt8] = []
    guard let file else { return waiting }
    try file.forEach { line, number in
      guard heads[number] == ContentDigest(of: line) else {
        throw file.fault("the line was changed during the build", line: number)
      }
      waiting += line + [UInt8(ascii: "\n")]
      guard waiting.count >= 1 << 20 else { return }
      try draft.write(waiting)
      waiting = []
    }
    return waiting
  }

  private mutating func read(_ line: [UInt8], _ number: Int, of file: IndexLines) throws {
    guard !line.isEmpty else { throw file.fault("the line is empty", line: number) }
    let (entry, previous): (Entry, ContentDigest)
    do throws(JSONError) {
      (entry, previous) = try IndexLine.read(try JSONParser.parseObject(line, origin: path))
    } catch {
      throw file.fault(error.fault, line: number)
    }
    guard previous == end.head else {
      throw file.fault("the line does not follow the one before it", line: number)
    }
    append(entry, line)
  }
}
