import StrictJSON

/// Why a key file cannot be used.
enum KeyFault: Error, Equatable {
  /// Something of the file is not as it should be; the words name it.
  case damaged(String)
  /// Armour of another kind of key.
  case otherFormat(String)
  /// A private key that a passphrase protects.
  case encrypted(cipher: String)
  case severalKeys(Int)
  /// A key of another type, by SSH's name for it.
  case otherType(String)

  var words: String {
    switch self {
    case .damaged(let part): "the key file is damaged: \(part)"
    case .otherFormat(let found): "is no key file of OpenSSH: \(found)"
    case .encrypted(let cipher): "the key is encrypted (\(quoted(cipher)))"
    case .severalKeys(let count): "holds \(count) keys, expected one"
    case .otherType(let type) where type.hasPrefix("sk-"):
      "is of type \(quoted(type)), a key on a security device, which is not supported"
    case .otherType(let type):
      "is of type \(quoted(type)); only \(PublicKey.algorithm) is supported"
    }
  }

  func hint(for path: String) -> String {
    switch self {
    case .encrypted:
      "hand it to the agent with 'ssh-add \(path)', and name '\(path).pub' as the key"
    case .damaged: "restore it from a copy, or \(KeyFault.newKey)"
    case .otherFormat, .severalKeys, .otherType: KeyFault.newKey
    }
  }

  static let newKey = "make a key with 'ssh-keygen -t ed25519'"
}
