import Crypto
import Files
import StrictJSON

/// Reads `openssh-key-v1`, the format of `ssh-keygen`'s private keys (OpenSSH's `PROTOCOL.key`).
///
/// Everything it reads stays in memory that is zeroed afterwards.
enum KeyFileReader {
  private static let magic = "openssh-key-v1\u{0}"
  private static let blockSize = 8

  /// The private key in the text of a key file.
  static func privateKey(of text: RawSpan) throws(KeyFault) -> Curve25519.Signing.PrivateKey {
    let body: Range<Int>
    do throws(Armour.Fault) {
      body = try Armour.body(of: text, label: KeyFile.label)
    } catch {
      throw otherFormat(text, error)
    }
    guard let blob = Base64.decode(text, body, .whiteSpace) else {
      throw .damaged("is no base64 between its first and its last line")
    }
    return try blob.withBytes { bytes throws(KeyFault) in
      do {
        return try key(bytes)
      } catch let fault as KeyFault {
        throw fault
      } catch {
        throw .damaged("it ends too early")
      }
    }
  }

  private static func otherFormat(_ text: RawSpan, _ fault: Armour.Fault) -> KeyFault {
    let first = text.array(0..<min(text.byteCount, 60)).prefix { (0x20..<0x7F) ~= $0 }
    let isNamed = first.starts(with: Array("-----BEGIN ".utf8)) && first.suffix(5) == dashes
    let line = String(decoding: first, as: UTF8.self)
    return isNamed && line != "-----BEGIN \(KeyFile.label)-----"
      ? .otherFormat("begins with '\(line)'") : .otherFormat(fault.words)
  }

  private static let dashes = Array("-----".utf8)[...]

  private static func key(_ bytes: RawSpan) throws -> Curve25519.Signing.PrivateKey {
    var reader = SSHReader(0..<bytes.byteCount)
    guard bytes.holds(magic, try reader.take(magic.utf8.count)) else {
      throw KeyFault.otherFormat("does not begin with 'openssh-key-v1'")
    }
    let cipher = try reader.string(bytes)
    let derivation = try reader.string(bytes)
    guard bytes.holds("none", cipher), bytes.holds("none", derivation) else {
      throw KeyFault.encrypted(cipher: bytes.text(cipher))
    }
    guard try reader.string(bytes).isEmpty else {
      throw KeyFault.damaged("it is not encrypted and has options of encryption")
    }
    let count = try reader.number(bytes)
    guard count == 1 else { throw KeyFault.severalKeys(count) }
    let publicBlob = try reader.string(bytes)
    let secret = try reader.string(bytes)
    guard reader.isAtEnd else {
      throw KeyFault.damaged("\(reader.rest.count) bytes follow the key")
    }
    let publicKey = try publicKey(bytes, publicBlob)
    return try privateKey(bytes, secret, publicKey)
  }

  private static func publicKey(_ bytes: RawSpan, _ range: Range<Int>) throws -> PublicKey {
    if let key = PublicKey(blob: bytes, range) { return key }
    var reader = SSHReader(range)
    let type = bytes.text(try reader.string(bytes))
    throw type == PublicKey.algorithm
      ? KeyFault.damaged("its public key") : KeyFault.otherType(type)
  }

  /// Reads the part that would be encrypted: two equal check words, the key, a comment, padding.
  private static func privateKey(
    _ bytes: RawSpan, _ range: Range<Int>, _ publicKey: PublicKey
  ) throws -> Curve25519.Signing.PrivateKey {
    var reader = SSHReader(range)
    guard range.count % blockSize == 0 else {
      throw KeyFault.damaged("its private part has \(range.count) bytes, no multiple of 8")
    }
    guard try reader.number(bytes) == reader.number(bytes) else {
      throw KeyFault.damaged("its two check words differ")
    }
    guard bytes.holds(PublicKey.algorithm, try reader.string(bytes)) else {
      throw KeyFault.damaged("its private part is of another type than its public part")
    }
    let copy = try reader.string(bytes)
    let pair = try reader.string(bytes)
    _ = try reader.string(bytes)
    try checkPadding(bytes, reader.rest)
    guard pair.count == 2 * PublicKey.byteCount else {
      throw KeyFault.damaged("its private key has \(pair.count) bytes, expected 64")
    }
    let seed = pair.prefix(PublicKey.byteCount)
    let key = try unsafe bytes.withUnsafeBytes { buffer in
      try unsafe Curve25519.Signing.PrivateKey(
        rawRepresentation: UnsafeRawBufferPointer(rebasing: buffer[seed]))
    }
    let ofSeed = PublicKey(bytes: Array(key.publicKey.rawRepresentation))
    let others = [bytes.array(copy), bytes.array(pair.suffix(PublicKey.byteCount))]
    guard ofSeed == publicKey, others.allSatisfy({ $0 == publicKey.bytes }) else {
      throw KeyFault.damaged("its public and its private half do not belong together")
    }
    return key
  }

  /// Up to seven bytes: 1, 2, 3, ….
  private static func checkPadding(_ bytes: RawSpan, _ range: Range<Int>) throws(KeyFault) {
    let expected = (1...blockSize).prefix(range.count).map(UInt8.init)
    guard range.count < blockSize, bytes.array(range) == expected else {
      throw .damaged("its padding")
    }
  }
}
