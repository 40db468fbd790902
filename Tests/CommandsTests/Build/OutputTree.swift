import Foundation
import TestSupport

/// Everything that lies below a folder, hidden files included, with its bytes.
struct OutputTree: Equatable {
  /// Bytes of files by their path in the folder; a lock's are left out, since it names who held it.
  private(set) var files: [String: Data] = [:]

  /// A folder that is missing has no files.
  init(_ name: String, in folder: TemporaryFolder) throws {
    for file in try folder.files() where file.hasPrefix("\(name)/") {
      let path = String(file.dropFirst(name.count + 1))
      files[path] = path == ".lock" ? Data() : try folder.bytes(file)
    }
  }

  /// Files that have their final name.
  var finished: [String: Data] { files.filter { !OutputTree.isUnfinished($0.key) } }

  /// Paths of work in progress.
  var unfinished: [String] { files.keys.filter(OutputTree.isUnfinished).sorted() }

  private static func isUnfinished(_ path: String) -> Bool {
    path.split(separator: "/").contains { $0.hasPrefix(".ingot-") }
  }

  /// This tree's finished files that none of the others has with the same bytes.
  ///
  /// The index only grows, so the start of what it will be is as good as the whole.
  func strangers(to others: [OutputTree]) -> [String] {
    finished.filter { path, bytes in
      !others.contains { other in
        guard let whole = other.files[path] else { return false }
        return whole == bytes || path == "index.jsonl" && whole.starts(with: bytes)
      }
    }.keys.sorted()
  }

  /// Paths that differ between two trees, for messages.
  func differences(from other: OutputTree) -> [String] {
    Set(files.keys).union(other.files.keys).filter { files[$0] != other.files[$0] }.sorted()
  }
}
