import Files
import Signatures
import Updates
import Weights

/// Lists of packages, and archives, that somebody must have signed where that is asked for.
final class PackageLists {
  private let who: SignerFlags
  private let signers: AllowedSigners?
  /// The first that has a signature at which nobody looked.
  private var unchecked: String?

  init(_ who: SignerFlags, _ signers: AllowedSigners?) { (self.who, self.signers) = (who, signers) }

  /// The list of a build's output folder.
  func sums(in folder: String) throws -> SumsFile {
    let list = Folder.join(folder, SumsFile.name)
    let bytes = try MappedFile.contents(of: list, limit: SumsFile.sizeLimit)
    if let signers {
      _ = try who.signer(ofSums: bytes, path: list, by: signers)
    } else {
      look(at: list)
    }
    return try SumsFile(bytes, origin: list)
  }

  /// One archive, which must stay what it is now where its signature was checked.
  func archive(_ path: String) throws -> PackagePublisher.Archive {
    guard let signers else {
      look(at: path)
      return PackagePublisher.Archive(path: path)
    }
    let file = try MappedFile(path: path)
    _ = try who.signer(of: file, by: signers)
    return PackagePublisher.Archive(path: path, sha256: ContentDigest(of: file).hex)
  }

  private func look(at path: String) {
    guard unchecked == nil, Folder.kind(of: path + SSHSignature.suffix) != .missing else { return }
    unchecked = path
  }

  /// Says that a signature is there, and that nobody looked at it.
  func say(_ console: Console) {
    guard let unchecked else { return }
    console.note(
      "\(unchecked): is signed, and nobody looked by whom: --allowed-signers names who may")
  }
}
