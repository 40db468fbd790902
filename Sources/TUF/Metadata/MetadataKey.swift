package import Crypto
import CryptoExtras
import Files
package import StrictJSON

/// A public key as update metadata carries it.
///
/// Keys of a type or scheme that is not known here hold no signature: metadata with such keys is read, and
/// the others must reach the threshold. Source: the TUF specification, section 4.2.
package struct MetadataKey: Hashable, Sendable {
  /// `ed25519`, `ecdsa` or `rsa`.
  package let type: String
  package let scheme: String
  /// 64 hexadecimal digits of Ed25519, PEM of the others.
  package let publicText: String

  package init(type: String, scheme: String, publicText: String) {
    (self.type, self.scheme, self.publicText) = (type, scheme, publicText)
  }

  /// A key of Ed25519.
  package init(_ key: Curve25519.Signing.PublicKey) {
    self.init(type: "ed25519", scheme: "ed25519", publicText: HexText.text(key.rawRepresentation))
  }

  init(_ object: JSONObject) throws(JSONError) {
    self.init(
      type: try object.string("keytype"), scheme: try object.string("scheme"),
      publicText: try object.object("keyval").string("public"))
  }

  /// As it is written.
  package var json: JSONValue {
    [
      "keytype": .string(type), "scheme": .string(scheme),
      "keyval": ["public": .string(publicText)],
    ]
  }

  /// The name by which signatures and roles call it: the SHA-256 of its canonical form, in hexadecimal.
  package var id: String { HexText.text(SHA256.hash(data: CanonicalJSON.bytes(of: json))) }

  /// What is the same of one key however it is written.
  var identity: String {
    let text = publicText.filter { !$0.isWhitespace }
    return "\(type) \(type == "ed25519" ? text.lowercased() : text)"
  }

  /// Whether a signature of some bytes is this key's.
  ///
  /// - Parameter signature: hexadecimal digits, of DER for ECDSA.
  package func holds(_ signature: String, of message: [UInt8]) -> Bool {
    guard let signature = HexText.bytes(signature) else { return false }
    return switch (type, scheme) {
    case ("ed25519", "ed25519"): holdsEd25519(signature, message)
    case ("ecdsa", "ecdsa-sha2-nistp256"), ("ecdsa-sha2-nistp256", "ecdsa-sha2-nistp256"):
      holdsP256(signature, message)
    case ("rsa", "rsassa-pss-sha256"): holdsRSA(signature, message)
    default: false
    }
  }

  private func holdsEd25519(_ signature: [UInt8], _ message: [UInt8]) -> Bool {
    guard let bytes = HexText.bytes(publicText),
      let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)
    else { return false }
    return key.isValidSignature(signature, for: message)
  }

  private func holdsP256(_ signature: [UInt8], _ message: [UInt8]) -> Bool {
    guard let key = try? P256.Signing.PublicKey(pemRepresentation: publicText),
      let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature)
    else { return false }
    return key.isValidSignature(signature, for: SHA256.hash(data: message))
  }

  private func holdsRSA(_ signature: [UInt8], _ message: [UInt8]) -> Bool {
    guard let key = try? _RSA.Signing.PublicKey(pemRepresentation: publicText) else { return false }
    return key.isValidSignature(
      _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: message),
      padding: .PSS)
  }
}
