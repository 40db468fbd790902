import Files
import Signatures

/// The list of a release's archives with their digests, as `sha256sum` writes and checks it.
enum ReleaseSums {
  /// The file's name in the output folder.
  static let fileName = SumsFile.name

  /// Writes the list, and its signature when there is a key; an older signature goes otherwise.
  ///
  /// - Parameter entries: the archives that this build stands for; where there are none, an earlier
  ///   list stays.
  static func write(
    _ entries: [ReleaseIndex.Entry], _ signer: ReleaseSigner?, in folder: OutputFolder
  ) throws {
    guard !entries.isEmpty else { return }
    let lines = entries.map { "\($0.sha256)  \($0.path)\n" }
      .sorted { $0.dropFirst(66).utf8.lexicographicallyPrecedes($1.dropFirst(66).utf8) }
    let bytes = Array(lines.joined().utf8)
    let signature = fileName + SSHSignature.suffix
    if let signer {
      try folder.put(try signer.signature(of: bytes), at: signature)
    } else {
      try Folder.remove(folder.inside(signature))
    }
    try folder.put(bytes, at: fileName)
  }
}
