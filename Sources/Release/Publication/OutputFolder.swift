import Files

/// The folder that packages go to, held against other builds while the value lives.
///
/// Work in progress is in one hidden folder in it; the remains of a killed build there are removed
/// when the next one begins.
final class OutputFolder: Sendable {
  /// Another build works in the folder.
  struct Busy: Error, CustomStringConvertible {
    let folder: String
    let holder: String

    var description: String {
      let words = holder.isEmpty ? "another build" : holder
      return "\(folder): \(words) is building here; wait for it, or choose another output folder"
    }
  }

  /// How the names of folders begin that hold work in progress.
  static let workPrefix = ".ingot-build-"
  private static let lockName = ".lock"

  let path: String
  /// The folder of work in progress.
  let workshop: String
  private let lock: FileLock

  /// Makes the folder when it is missing, and locks it.
  ///
  /// - Throws: `Busy` when another build has it, `FileError` when it cannot be used.
  init(_ path: String) throws {
    self.path = path
    try Folder.create(path)
    let place = Folder.join(path, Self.lockName)
    lock = try FileLock(path: place)
    guard try lock.take(.exclusive) else {
      let holder = (try? MappedFile.contents(of: place, limit: 1 << 10)) ?? []
      throw Busy(folder: path, holder: String(decoding: holder, as: UTF8.self))
    }
    try lock.note(System.processDescription)
    for name in try Folder.names(in: path) where name.hasPrefix(Self.workPrefix) {
      try Folder.remove(Folder.join(path, name))
    }
    workshop = try Folder.createTemporary(in: path, prefix: Self.workPrefix)
  }

  // Removing it may fail only on a broken disk; that must not hide the build's own outcome.
  deinit { try? Folder.remove(workshop) }

  /// A path for work in progress.
  func working(_ name: String) -> String { Folder.join(workshop, name) }

  /// A path in the folder.
  func inside(_ path: String) -> String { Folder.join(self.path, path) }

  /// Makes sure that a customer's folder is not a link: what is written there would leave the output.
  static func requireOwn(_ folder: String) throws(FileError) {
    guard !Folder.isLink(folder) else {
      throw .failed(
        doing: "write into", path: folder,
        reason: "it is a symbolic link, which would lead out of the output; remove the link")
    }
  }

  /// Makes sure that an archive, its signature and its provenance can be at their paths: anything
  /// there is a regular file, not a link to one elsewhere.
  ///
  /// - Parameter suffixes: of the signature and the provenance.
  static func requireFree(_ path: String, suffixes: [String]) throws(FileError) {
    for place in [path] + suffixes.map({ path + $0 }) {
      guard !Folder.isLink(place) else {
        throw .notAFile(path: place, found: "a symbolic link")
      }
      // Signature and provenance are replaced, with any content; the archive is read.
      let kind = Folder.kind(of: place)
      if kind == .missing || kind == .file && place != path { continue }
      _ = try MappedFile(path: place)
    }
  }

  /// Makes all that was written here durable, work in progress included.
  func synchronize() throws(FileError) { try Folder.synchronizeFileSystem(of: path) }

  /// Puts a file into the folder in one step, by way of the work folder, and makes it durable; a file
  /// that holds these bytes stays as it is.
  ///
  /// - Parameter name: path in the folder; the folder around it must be there.
  func put(_ bytes: [UInt8], at name: String) throws(FileError) {
    let final = inside(name)
    if Folder.kind(of: final) == .file,
      (try? MappedFile.contents(of: final, limit: bytes.count)) == bytes
    {
      return
    }
    var draft = try AtomicFile(path: working(Folder.name(of: name)))
    try draft.write(bytes)
    try put(draft, at: name)
  }

  /// Gives a file of the work folder its name in the folder, and makes it durable.
  func put(_ draft: consuming AtomicFile, at name: String) throws(FileError) {
    let (path, final) = (draft.path, inside(name))
    try draft.commit()
    try Folder.move(path, to: final)
    try Folder.synchronize(Folder.parent(of: final))
  }
}
