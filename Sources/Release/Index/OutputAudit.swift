import Files
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
      return
    }
    let found = try ReleaseIndex(folder: folder)
    let fault = mark.flatMap { IndexCheck(index: found, path: path).fault($0, isLast: isWhole) }
    index = mark.map { .held(lines: $0.after.count, of: found.end.count) } ?? .unlisted
    faults =
      [fault].compactMap(\.self) + (isWhole ? try Self.strangers(in: folder, to: found) : [])
  }

  /// Archives that the index does not know, or knows with another digest.
  private static func strangers(in folder: String, to index: ReleaseIndex) throws -> [String] {
    var faults: [String] = []
    for app in try Folder.names(in: folder) {
      let inside = Folder.join(folder, app)
      guard Folder.kind(of: inside) == .folder else { continue }
      for name in try Folder.names(in: inside) {
        guard let (version, _) = ListedArchive.terms(ofName: name, app: app) else { continue }
        let path = Folder.join(inside, name)
        let digest = ContentDigest(of: try MappedFile(path: path))
        guard let entry = index.entry(app, version) else {
          faults.append("\(path): is not in \(ReleaseIndex.fileName)")
          continue
        }
        if entry.sha256 != digest {
          faults.append(
            "\(path): has the sha256 \(digest), \(ReleaseIndex.fileName) says \(entry.sha256)")
        }
      }
    }
    return faults
  }
}
