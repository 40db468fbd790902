import Crypto
import Files
import Signatures
package import TUF

/// The keys of all customers' repositories in a folder that only its owner may read.
///
/// Either four masters of 64 hexadecimal digits, from which the keys of each customer are derived: `root-1`,
/// `root-2`, `targets` and `online`. Or a folder for a customer, named as the app, with private keys of OpenSSH
/// of the same names, which go before the masters. A machine that refreshes needs `online` alone, and looks at no
/// other.
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
  /// - Throws: `KeyFolderError.isThere` where something of that name is there.
  package static func make(at path: String) throws {
    guard Folder.kind(of: path) == .missing else { throw KeyFolderError.isThere(path: path) }
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
    let own = ownFolder(of: appID)
    if own != nil, generation != 1 { throw PublishError.sameKeys(appID: appID) }
    let missing = (Self.rootNames + [Self.targetsName]).map { Folder.join(own ?? path, $0) }
      .filter { Folder.kind(of: $0) == .missing }
    if let own { return try givenKeys(in: own, missing: missing) }
    let masters = RepositoryKeys.Masters(
      root: try Self.rootNames.compactMap(master), targets: try master(Self.targetsName),
      online: try onlineMaster())
    return try RepositoryKeys(masters, appID: appID, generation: generation, missing: missing)
  }

  /// The keys that a repository names, and their generation.
  ///
  /// - Throws: `PublishError.otherKeys` where none of the first generations is the one.
  package func keys(
    of appID: String, for state: CustomerRepository.State
  ) throws -> (keys: RepositoryKeys, generation: Int) {
    let generation = try online(of: appID, for: state).generation
    return (try keys(of: appID, generation: generation), generation)
  }

  /// The key of a repository that signs timestamps and snapshots, and its generation. No other key is looked at.
  ///
  /// - Throws: `PublishError.otherKeys` where none of the first generations is the one.
  package func online(
    of appID: String, for state: CustomerRepository.State
  ) throws -> (key: any MetadataSigner, generation: Int) {
    if let own = ownFolder(of: appID) {
      let key = try givenOnlineKey(in: own)
      if state.isSigned(by: key) { return (key, 1) }
    } else {
      let master = try onlineMaster()
      for generation in 1...Self.mostGenerations {
        let key = try RepositoryKeys.derived(
          master, Self.onlineName, appID: appID, generation: generation)
        if state.isSigned(by: key) { return (key, generation) }
      }
    }
    throw PublishError.otherKeys(appID: appID, role: Self.onlineName)
  }

  /// Whether the first generation of the keys, all of them, is the one that a repository names.
  package func signs(_ state: CustomerRepository.State, of appID: String) throws -> Bool {
    let keys = try keys(of: appID)
    return state.isSigned(by: keys.online)
      && Set(keys.root.map(\.key.id)) == Set(state.root.root.keyIDs)
  }

  /// The folder of a customer's own keys; nil where the masters are for it.
  private func ownFolder(of appID: String) -> String? {
    let own = Folder.join(path, appID)
    return Folder.kind(of: own) == .folder ? own : nil
  }

  // MARK: Masters

  private func onlineMaster() throws -> SymmetricKey {
    guard let online = try master(Self.onlineName) else {
      throw KeyFolderError.missing(path: Folder.join(path, Self.onlineName))
    }
    return online
  }

  /// - Returns: nil where the file is missing.
  private func master(_ name: String) throws -> SymmetricKey? {
    let path = Folder.join(path, name)
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

  // MARK: A customer's own

  private func givenKeys(in folder: String, missing: [String]) throws -> RepositoryKeys {
    RepositoryKeys(
      root: try Self.rootNames.compactMap { try given($0, in: folder) },
      targets: try given(Self.targetsName, in: folder), online: try givenOnlineKey(in: folder),
      missing: missing)
  }

  private func givenOnlineKey(in folder: String) throws -> any MetadataSigner {
    guard let online = try given(Self.onlineName, in: folder) else {
      throw KeyFolderError.missing(path: Folder.join(folder, Self.onlineName))
    }
    return online
  }

  /// - Returns: nil where the file is missing.
  private func given(_ name: String, in folder: String) throws -> (any MetadataSigner)? {
    let path = Folder.join(folder, name)
    guard Folder.kind(of: path) != .missing else { return nil }
    return try SSHSigner(try KeyFile(path: path))
  }
}

/// A key file that cannot be used, or a folder that cannot be made.
package enum KeyFolderError: Error, Equatable, CustomStringConvertible {
  case isThere(path: String)
  case missing(path: String)
  case open(path: String, mode: String)
  case malformed(path: String)

  package var description: String {
    switch self {
    case .isThere(let path): "\(path): is there already, and keys are made in a new folder"
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
