import Files
import Signatures

/// The list of the release that was built last, `SHA256SUMS`, as a build finds it.
struct ReleaseList {
  let archives: [String: ListedArchive]
  /// Nil in a list of before lists said where the index ends.
  let mark: IndexMark?

  /// Why a list cannot be taken for the project's own.
  struct Untrusted: Error, Equatable {
    let words: String
  }

  /// Where a signed list waits for its name; its signature is put down before it.
  static let waiting = ".ingot-" + ReleaseSums.fileName
  private static let signature = ReleaseSums.fileName + SSHSignature.suffix

  /// Reads the list of an output folder; nil if nothing was built.
  ///
  /// - Parameter signer: the key that must have signed it; without, the list is taken as it is.
  /// - Throws: `Untrusted` when the list is not signed with that key, or is not there.
  init?(in folder: OutputFolder, signer: ReleaseSigner?, isIndexEmpty: Bool) throws {
    let path = folder.inside(ReleaseSums.fileName)
    guard Folder.kind(of: path) != .missing else {
      if isIndexEmpty || signer == nil { return nil }
      throw Untrusted(words: "\(path): is not there, and says no more where the index ends")
    }
    let bytes = try MappedFile.contents(of: path, limit: SumsFile.sizeLimit)
    if let signer { try Self.check(bytes, folder, signer) }
    do throws(SignatureError) {
      try self.init(bytes, origin: path)
    } catch {
      // An unsigned list may be anything, and is written anew.
      guard signer != nil else { return nil }
      throw Untrusted(words: "\(error)")
    }
  }

  /// Reads a list, whoever wrote it.
  init(_ bytes: [UInt8], origin: String) throws(SignatureError) {
    let sums = try SumsFile(bytes, origin: origin)
    archives = ListedArchive.all(of: sums)
    mark = try IndexMark(sums, origin: origin)
  }

  private static func check(
    _ bytes: [UInt8], _ folder: OutputFolder, _ signer: ReleaseSigner
  ) throws(Untrusted) {
    let path = folder.inside(ReleaseSums.fileName)
    guard Folder.kind(of: folder.inside(signature)) != .missing else {
      throw Untrusted(words: "\(path): is not signed, the project signs with \(signer.key)")
    }
    let found: SSHSignature
    do throws(SignatureError) {
      found = try SSHSignature(path: folder.inside(signature))
    } catch {
      throw Untrusted(words: "\(error)")
    }
    guard found.key.fingerprint == signer.key else {
      throw Untrusted(
        words: "\(path): is signed with \(found.key.fingerprint), the project signs with "
          + signer.key)
    }
    guard signer.hasSigned(bytes, found) else {
      throw Untrusted(words: "\(path): is not what '\(folder.inside(signature))' was made for")
    }
  }

  /// Finishes the work of a killed build: a list whose signature is there already gets its name,
  /// another one is removed.
  static func finishWaiting(in folder: OutputFolder, signer: ReleaseSigner?) throws {
    let path = folder.inside(waiting)
    guard !Folder.isLink(path) else {
      throw FileError.notAFile(path: path, found: "a symbolic link")
    }
    guard Folder.kind(of: path) != .missing else { return }
    let bytes = try MappedFile.contents(of: path, limit: SumsFile.sizeLimit)
    if let signer, let found = try? SSHSignature(path: folder.inside(signature)),
      signer.hasSigned(bytes, found)
    {
      try Folder.move(path, to: folder.inside(ReleaseSums.fileName))
      try Folder.synchronize(folder.path)
    } else {
      try Folder.remove(path)
    }
  }
}
