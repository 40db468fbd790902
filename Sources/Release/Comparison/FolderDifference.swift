import Files
import Packaging

/// Which files differ between two folders, by their paths.
enum FolderDifference {
  /// Deepest folder that is looked into.
  private static let deepest = 16

  /// A cause for each file that is on one side only or has other bytes; hidden files do not count.
  /// Archives come first: the files beside them follow from them. Then paths are in order.
  ///
  /// Two files may be given instead of two folders.
  ///
  /// - Parameters:
  ///   - progress: told how many bytes of files on both sides are done, of how many.
  ///   - inDepth: causes of a file that is on both sides; nil if its bytes are to be compared.
  static func causes(
    _ left: String, _ right: String, progress: (Int, Int) -> Void,
    inDepth: (String) throws -> [Cause]? = { _ in nil }
  ) throws -> [Cause] {
    guard Folder.kind(of: left) == .folder, Folder.kind(of: right) == .folder else {
      return try mixed(left, right, progress)
    }
    let (lefts, rights) = (Set(try files(in: left)), Set(try files(in: right)))
    let sizes = sizes(of: lefts.intersection(rights), left, right)
    // A file may claim to be as long as it likes: sums may wrap round.
    let total = sizes.values.reduce(0, &+)
    var done = 0
    var causes: [Cause] = []
    for path in lefts.union(rights).sorted(by: precedes) {
      guard lefts.contains(path), rights.contains(path) else {
        causes.append(
          Cause(
            kind: ArchiveForm(ofName: path) == nil ? .file : .package,
            item: path, left: lefts.contains(path) ? "there" : Causes.nothing,
            right: rights.contains(path) ? "there" : Causes.nothing))
        continue
      }
      if let found = try inDepth(path) {
        causes += found
      } else if let cause = try ByteDifference.cause(
        Folder.join(left, path), Folder.join(right, path), item: path,
        progress: { same, _ in progress(done &+ same, total) })
      {
        causes.append(cause)
      }
      done &+= sizes[path] ?? 0
      progress(done, total)
    }
    return causes
  }

  /// Bytes that both sides have of each file.
  private static func sizes(
    of paths: Set<String>, _ left: String, _ right: String
  ) -> [String: Int] {
    paths.reduce(into: [:]) { sizes, path in
      sizes[path] = [left, right].map {
        FileStatus(of: Folder.join($0, path), followsLinks: true)?.byteCount ?? 0
      }.min()
    }
  }

  private static func precedes(_ left: String, _ right: String) -> Bool {
    let isArchive = (ArchiveForm(ofName: left) != nil, ArchiveForm(ofName: right) != nil)
    guard isArchive.0 == isArchive.1 else { return isArchive.0 }
    return left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  /// At least one of the two is a file.
  private static func mixed(
    _ left: String, _ right: String, _ progress: (Int, Int) -> Void
  ) throws -> [Cause] {
    if Folder.kind(of: left) == .folder || Folder.kind(of: right) == .folder {
      let words = { (path: String) in Folder.kind(of: path) == .folder ? "a folder" : "a file" }
      return [Cause(kind: .file, left: words(left), right: words(right))]
    }
    return try ByteDifference.cause(left, right, progress: progress).map { [$0] } ?? []
  }

  /// Paths of all files below a folder that are not hidden.
  private static func files(in folder: String) throws -> [String] {
    var files: [String] = []
    func look(in path: String, depth: Int) throws {
      guard depth <= deepest else { throw ComparisonError.tooDeep(path: folder) }
      for name in try Folder.names(in: Folder.join(folder, path)) where !name.hasPrefix(".") {
        let inner = Folder.join(path, name)
        if Folder.kind(of: Folder.join(folder, inner)) == .folder {
          try look(in: inner, depth: depth + 1)
        } else {
          files.append(inner)
        }
      }
    }
    try look(in: "", depth: 0)
    return files
  }
}
