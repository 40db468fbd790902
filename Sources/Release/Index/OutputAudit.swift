import Files
import Packaging
package import Signatures
import Weights

/// Compares an output folder with its own books: the last release's list, the index, the archives.
package struct OutputAudit: Equatable, Sendable {
  /// The index's name in the output folder.
  package static let indexName = ReleaseIndex.fileName

  /// The state of the index.
  package enum Index: Equatable, Sendable {
    /// The list does not say where the index ends, as older ones do not.
    case unlisted
    /// The index is missing.
    case missing
    /// So many lines of so many are the ones that the list was made with.
    case held(lines: Int, of: Int)
  }

  package let index: Index
  /// The disagreements, each in a line.
  package let faults: [String]
  /// How to go on where lines of the index, or all of it, are gone; nil where none are.
  package let hint: String?

  /// - Parameters:
  ///   - folder: the folder of the list.
  ///   - sums: the list, as it was read.
  ///   - isWhole: whether it is an output folder, to be held against its index whole, rather than a
  ///     copy of a release.
  /// - Throws: `JSONError` for an index that is damaged, `SignatureError` for a list that a build
  ///   did not write, `FileError`.
  package init(folder: String, sums: SumsFile, isWhole: Bool) throws {
    let mark = try IndexMark(sums, origin: Folder.join(folder, SumsFile.name))
    let path = Folder.join(folder, ReleaseIndex.fileName)
    guard Folder.kind(of: path) != .missing else {
      index = .missing
      faults = isWhole ? ["\(path): is not there"] : []
      hint = Self.lostHint
      return
    }
    let found = try ReleaseIndex(folder: folder)
    let fault = mark.flatMap { IndexCheck(index: found, path: path).fault($0, isLast: isWhole) }
    index = mark.map { .held(lines: $0.after.count, of: found.end.count) } ?? .unlisted
    hint = fault?.kind == .lostLines ? Self.lostHint : nil
    faults =
      [fault?.words].compactMap(\.self) + (isWhole ? try Self.strangers(in: folder, to: found) : [])
  }

  private static let lostHint =
    "bring \(ReleaseIndex.fileName) back from a backup; without one, build the last release again, "
    + "which adds the missing lines or says what else it takes"

  /// Files with the name of an archive that the index does not name there, with this digest.
  private static func strangers(in folder: String, to index: ReleaseIndex) throws -> [String] {
    let known = Dictionary(index.lines.map { ($0.path, $0.sha256) }) { _, last in last }
    return try archives(in: folder).compactMap { path in
      try fault(of: path, in: folder, known[path])
    }
  }

  private static func fault(
    of place: String, in folder: String, _ known: ContentDigest?
  ) throws -> String? {
    let path = Folder.join(folder, place)
    guard let known else {
      let start = "\(path): is not in \(ReleaseIndex.fileName)"
      guard let version = version(of: place) else { return start }
      return start
        + "; build version \(version) again from its project, or take away what no build made"
    }
    guard Folder.kind(of: path) == .file else { return "\(path): is not a regular file" }
    let digest = ContentDigest(of: try MappedFile(path: path))
    guard digest != known else { return nil }
    return "\(path): has the sha256 \(digest), \(ReleaseIndex.fileName) says \(known)"
  }

  /// The version of an archive whose path is that of one that a build makes; nil for another path.
  private static func version(of place: String) -> String? {
    let parts = place.split(separator: "/").map(String.init)
    guard parts.count == 2 else { return nil }
    return ListedArchive.terms(ofName: parts[1], app: parts[0]).map { "\($0.0)" }
  }

  /// Paths, in the folder and those in it, whose names end as those of archives do, in any case.
  private static func archives(in root: String) throws -> [String] {
    var found: [String] = []
    var waiting = [""]
    while let place = waiting.popLast() {
      for name in try Folder.names(in: place.isEmpty ? root : Folder.join(root, place)) {
        let path = place.isEmpty ? name : Folder.join(place, name)
        if ArchiveForm(ofName: name.lowercased()) != nil {
          found.append(path)
        } else if isLooked(into: path, in: root) {
          waiting.append(path)
        }
      }
    }
    return found.sorted()
  }

  /// Links lead out of the folder and are not followed, except where an app's folder belongs; what a
  /// build left unfinished does not count.
  private static func isLooked(into path: String, in root: String) -> Bool {
    let place = Folder.join(root, path)
    guard Folder.kind(of: place) == .folder, !path.hasPrefix(OutputFolder.workPrefix) else {
      return false
    }
    return !Folder.isLink(place) || Identifiers.isAppID(path)
  }
}
