import StrictJSON

/// A statement and its signatures: an envelope of DSSE (github.com/secure-systems-lab/dsse).
///
/// The content is handed out only after a signature of it was verified, and then the very bytes
/// that were.
package struct Envelope: Sendable {
  /// The content of an envelope and who signed it.
  package struct Opened: Sendable {
    package let payload: [UInt8]
    package let signer: Principal
  }

  struct Signature: Equatable, Sendable {
    /// Hints at the key that may have signed; not relied on.
    let keyID: String
    let bytes: [UInt8]
  }

  /// Most bytes an envelope may have as JSON.
  package static let sizeLimit = 4 << 20
  /// Most signatures an envelope may have.
  static let signatureLimit = 16

  /// Where it came from, for messages.
  package let origin: String
  /// The media type of the payload. It is signed, too.
  package let payloadType: String
  let payload: [UInt8]
  let signatures: [Signature]

  /// Signs a payload.
  ///
  /// - Parameters:
  ///   - type: media type of the payload.
  ///   - origin: a name for the envelope, for messages.
  package init(
    payload: [UInt8], type: String, origin: String, by signer: some Signer
  ) throws(SignatureError) {
    let signature = try signer.sign(Envelope.message(payload, type: type))
    self.init(
      origin: origin, payloadType: type, payload: payload,
      signatures: [Signature(keyID: signer.publicKey.fingerprint, bytes: signature)])
  }

  init(origin: String, payloadType: String, payload: [UInt8], signatures: [Signature]) {
    self.origin = origin
    self.payloadType = payloadType
    self.payload = payload
    self.signatures = signatures
  }

  /// The signed bytes, type and payload each after its length: DSSE's pre-authentication encoding.
  static func message(_ payload: [UInt8], type: String) -> [UInt8] {
    Array("DSSEv1 \(type.utf8.count) \(type) \(payload.count) ".utf8) + payload
  }

  /// The payload if a key has signed it, nil otherwise; whether that key may is another question.
  package func payload(signedBy key: PublicKey) -> [UInt8]? {
    let message = Envelope.message(payload, type: payloadType)
    return signatures.contains { key.verifies($0.bytes, of: message) } ? payload : nil
  }

  /// Hands out the payload if a key that may sign has signed it.
  ///
  /// - Parameters:
  ///   - type: the required type of the payload.
  ///   - namespace: the purpose that the list of signers must allow the key.
  ///   - identity: who must have signed; anyone of the list without.
  ///   - seconds: the moment at which the key must be valid, since 1970.
  package func open(
    by signers: AllowedSigners, type: String, namespace: String, identity: String? = nil,
    at seconds: Int
  ) throws(SignatureError) -> Opened {
    guard ExactString(payloadType) == ExactString(type) else {
      throw .refused(
        origin: origin, fault: "holds \(quoted(payloadType)), expected '\(type)'", details: [])
    }
    let message = Envelope.message(payload, type: payloadType)
    let keys = signers.keys.filter { key in
      signatures.contains { key.verifies($0.bytes, of: message) }
    }
    guard !keys.isEmpty else {
      // The hint of a key proves nothing, but tells what went wrong.
      let isKnown = signers.keys.contains { key in
        signatures.contains { ExactString($0.keyID) == ExactString(key.fingerprint) }
      }
      throw .refused(
        origin: origin,
        fault: isKnown
          ? "the statement or its signature has changed"
          : "holds no signature of a key that \(signers.path) names",
        details: signers.faults)
    }
    var refusal: SignatureError?
    for key in keys {
      do throws(SignatureError) {
        let signer = try signers.principal(
          of: key, namespace: namespace, identity: identity, at: seconds, origin: origin)
        return Opened(payload: payload, signer: signer)
      } catch {
        refusal = refusal ?? error
      }
    }
    throw refusal ?? .malformed(origin: origin, fault: "holds no signature")
  }
}
