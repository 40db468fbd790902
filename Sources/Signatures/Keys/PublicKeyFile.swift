import Files
import StrictJSON

/// A public key as `ssh-keygen` writes it into a `.pub` file: type, base64 and a comment, one line.
package struct PublicKeyFile: Sendable {
  /// The file, for messages.
  package let path: String
  package let key: PublicKey

  /// Reads a `.pub` file.
  package init(path: String) throws(SignatureError) {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try MappedFile.contents(of: path, limit: KeyFile.sizeLimit)
    } catch {
      throw .unreadable(error)
    }
    do throws(KeyFault) {
      self.path = path
      key = try PublicKeyFile.key(in: bytes)
    } catch {
      throw .unusableKey(
        path: path, fault: error.words,
        hint: "write it anew with 'ssh-keygen -y -f KEY >\(path)', KEY being the private key")
    }
  }

  private static func key(in bytes: [UInt8]) throws(KeyFault) -> PublicKey {
    let newline = UInt8(ascii: "\n")
    var lines = bytes.split(separator: newline).filter { $0 != [UInt8(ascii: "\r")] }
    guard let line = lines.popLast(), lines.isEmpty else {
      throw .otherFormat("expected one line with a public key")
    }
    guard let (key, _) = AuthorizedKey.read(Array(line)) else {
      throw .otherFormat("expected '\(PublicKey.algorithm)', base64 and a comment")
    }
    switch key {
    case .ed25519(let key): return key
    case .other(let type): throw .otherType(type)
    }
  }
}
