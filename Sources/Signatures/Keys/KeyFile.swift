import Crypto
import Files
import StrictJSON

/// An Ed25519 private key from a file of OpenSSH's own format (`openssh-key-v1`), not encrypted.
///
/// Nothing describes the private half: not `print`, not `dump`, not an error.
package struct KeyFile: Signer {
  /// The file, for messages.
  package let path: String
  package let publicKey: PublicKey
  /// Zeroes its bytes when the last copy goes.
  private let key: Curve25519.Signing.PrivateKey

  static let label = "OPENSSH PRIVATE KEY"
  /// Most bytes a key file may have.
  static let sizeLimit = 1 << 16

  /// Reads a key file that only its owner may read.
  package init(path: String) throws(SignatureError) {
    let file: SecretFile
    do throws(FileError) {
      file = try SecretFile(path: path, limit: KeyFile.sizeLimit)
    } catch {
      throw .unreadable(error)
    }
    try self.init(file.bytes, mode: file.mode, path: path)
  }

  init(_ text: borrowing SecretBytes, mode: Int, path: String) throws(SignatureError) {
    guard mode & 0o077 == 0 else {
      let octal = String(mode, radix: 8)
      throw .unusableKey(
        path: path, fault: "others than its owner may use the private key, its mode is 0\(octal)",
        hint: "take the rights away with 'chmod 600 \(path)'")
    }
    do throws(KeyFault) {
      let key = try text.withBytes { text throws(KeyFault) in
        try KeyFileReader.privateKey(of: text)
      }
      self.key = key
      self.path = path
      guard let publicKey = PublicKey(bytes: Array(key.publicKey.rawRepresentation)) else {
        throw KeyFault.damaged("its public key")
      }
      self.publicKey = publicKey
    } catch {
      throw .unusableKey(path: path, fault: error.words, hint: error.hint(for: path))
    }
  }

  package func sign(_ bytes: [UInt8]) throws(SignatureError) -> [UInt8] {
    guard let signature = try? key.signature(for: bytes) else {
      throw .unusableKey(
        path: path, fault: "the key does not sign", hint: KeyFault.newKey)
    }
    return Array(signature)
  }
}

extension KeyFile: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "private key of \(publicKey)" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: ["publicKey": publicKey.fingerprint]) }
}
