import Files
import Signatures

/// The list of a release's archives with their digests, as `sha256sum` writes and checks it.
enum ReleaseSums {
  /// The file's name in the output folder.
  static let fileName = SumsFile.name

  /// Writes the list, and its signature when there is a key; an older signature goes otherwise.
  ///
  /// An interruption always leaves a list that its signature fits: the list under its own name, or
  /// the one that waits for it.
  ///
  /// - Parameters:
  ///   - entries: the archives that this build answers for; if there are none, an earlier list
  ///     stays.
  ///   - index: with the lines of this build, which are not written yet.
  static func write(
    _ entries: [ReleaseIndex.Entry], of index: ReleaseIndex, _ signer: ReleaseSigner?,
    in folder: OutputFolder
  ) throws {
    guard !entries.isEmpty else { return }
    let lines = entries.map { "\($0.sha256)  \($0.path)\n" }
      .sorted { $0.dropFirst(66).utf8.lexicographicallyPrecedes($1.dropFirst(66).utf8) }
    let mark = IndexMark(before: IndexCheck.start(of: entries, in: index), after: index.end)
    let bytes = Array((mark.line + lines.joined()).utf8)
    let signature = fileName + SSHSignature.suffix
    guard let signer else {
      try Folder.remove(folder.inside(signature))
      return try folder.put(bytes, at: fileName)
    }
    let isThere =
      Folder.kind(of: folder.inside(fileName)) == .file
      && (try? MappedFile.contents(of: folder.inside(fileName), limit: bytes.count)) == bytes
    if !isThere { try folder.put(bytes, at: ReleaseList.waiting) }
    try folder.put(try signer.signature(of: bytes), at: signature)
    if isThere { return }
    try Folder.move(folder.inside(ReleaseList.waiting), to: folder.inside(fileName))
    try Folder.synchronize(folder.path)
  }
}
