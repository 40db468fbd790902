import Crypto
import Files
import Signatures
import TUF

/// The keys of all customers' repositories in a folder that only its owner may read.
///
/// Either four masters of 64 hexadecimal digits, from which the keys of each customer are derived: `root-1`,
/// `root-2`, `targets` and `online`. Or a folder for a customer, named as the app, with private keys of OpenSSH
/// of the same names, which go before the masters. A machine that refreshes needs `online` alone.
package struct KeyFolder: Sendable {
  package let path: String

  /// Names of the keys of a root: both must sign.
  static let rootNames = ["root-1", "root-2"]
  static let (targetsName, onlineName) = ("targets", "online")
  /// Bytes of a master.
  private static let masterByteCount = 32
  /// Generations that are tried to find the one of a repository.
  private static let mostGenerations = 100

  package init(_ path: String) { self.path = path }

  /// Makes masters in a new folder.
  ///
  /// - Throws: `FileError` where the folder is there.
  package static func make(at path: String) throws {
    let folder = try AtomicFolder(path: path)
    for name in rootNames + [targetsName, onlineName] {
      let secret = unsafe SymmetricKey(size: .bits256).withUnsafeBytes { unsafe Array($0) }
      let file = try PartialFile(path: Folder.join(folder.temporaryPath, name))
      try file.write(Array("\(HexText.text(secret))\n".utf8))
    }
    try folder.commit()
  }

  /// The keys of a customer.
  ///
  /// - Parameter generation: of derived keys; given ones have one generation.
  package func keys(of appID: String, generation: Int = 1) throws -> RepositoryKeys {
    let own = Folder.join(path, appID)
    if Folder.kind(of: own) == .folder {
      guard generation == 1 else { throw PublishError.sameKeys(appID: appID) }
      return try givenKeys(in: own)
    }
    guard let online = try master(Self.onlineName) else {
      throw KeyFolderError.missing(path: file(Self.onlineName))
    }
    let masters = RepositoryKeys.Masters(
      root: try Self.rootNames.compactMap(master), targets: try master(Self.targetsName),
      online: online)
    return try RepositoryKeys(masters, appID: appID, generation: generation)
  }

  /// The keys that a repository names, and their generation.
  ///
  /// - Throws: `PublishError.otherKeys` where none of the first generations is the one.
  package func keys(
    of appID: String, for state: CustomerRepository.State
  ) throws -> (keys: RepositoryKeys, generation: Int) {
    let isGiven = Folder.kind(of: Folder.join(path, appID)) == .folder
    for generation in 1...(isGiven ? 1 : Self.mostGenerations) {
      let keys = try keys(of: appID, generation: generation)
      if state.isSigned(by: keys) { return (keys, generation) }
    }
    throw PublishError.otherKeys(appID: appID, role: "online")
  }

  private func file(_ name: String) -> String { Folder.join(path, name) }

  /// - Returns: nil where the file is missing.
  private func master(_ name: String) throws -> SymmetricKey? {
    let path = file(name)
    guard Folder.kind(of: path) != .missing else { return nil }
    let file = try SecretFile(path: path, limit: 1 << 10)
    guard file.mode & 0o077 == 0 else {
      throw KeyFolderError.open(path: path, mode: String(file.mode, radix: 8))
    }
    let text = file.bytes.withBytes { bytes in
      unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
    guard let bytes = HexText.bytes(text.hasSuffix("\n") ? String(text.dropLast()) : text),
      bytes.count == Self.masterByteCount
    else { throw KeyFolderError.malformed(path: path) }
    return SymmetricKey(data: bytes)
  }

  private func givenKeys(in folder: String) throws -> RepositoryKeys {
    func signer(_ name: String) throws -> (any MetadataSigner)? {
      let path = Folder.join(folder, name)
      guard Folder.kind(of: path) != .missing else { return nil }
      return try SSHSigner(try KeyFile(path: path))
    }
    guard let online = try signer(Self.onlineName) else {
      throw KeyFolderError.missing(path: Folder.join(folder, Self.onlineName))
    }
    return RepositoryKeys(
      root: try Self.rootNames.compactMap(signer), targets: try signer(Self.targetsName),
      online: online)
  }
}

/// A key file that cannot be used.
package enum KeyFolderError: Error, Equatable, CustomStringConvertible {
  case missing(path: String)
  case open(path: String, mode: String)
  case malformed(path: String)

  package var description: String {
    switch self {
    case .missing(let path): "\(path): the key is not there"
    case .open(let path, let mode):
      "\(path): others than its owner may use the key, its mode is 0\(mode)"
    case .malformed(let path): "\(path): is not a key of 64 hexadecimal digits"
    }
  }
}

/// A private key of OpenSSH, or one that an agent holds.
private struct SSHSigner: MetadataSigner {
  let key: MetadataKey
  private let signer: any Signer

  init(_ signer: any Signer) throws {
    self.signer = signer
    key = MetadataKey(
      try Curve25519.Signing.PublicKey(rawRepresentation: signer.publicKey.bytes))
  }

  func sign(_ bytes: [UInt8]) throws -> [UInt8] { try signer.sign(bytes) }
}
