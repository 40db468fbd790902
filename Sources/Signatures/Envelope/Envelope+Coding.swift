import Files
import StrictJSON

/// Envelopes as JSON.
extension Envelope {
  /// The envelope in one line: compact, keys sorted, a newline at its end.
  package var json: [UInt8] {
    let signatures = signatures.map { signature -> JSONValue in
      [
        "keyid": .string(signature.keyID), "sig": .string(Base64.encode(signature.bytes)),
      ]
    }
    let value: JSONValue = [
      "payload": .string(Base64.encode(payload)), "payloadType": .string(payloadType),
      "signatures": .array(signatures),
    ]
    return Array((value.compact + "\n").utf8)
  }

  /// Reads a file with one envelope.
  package init(path: String) throws(SignatureError) {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try MappedFile.contents(of: path, limit: Envelope.sizeLimit)
    } catch {
      throw .unreadable(error)
    }
    try self.init(json: bytes, origin: path)
  }

  /// Reads an envelope; keys it does not know are passed over, as DSSE has it.
  ///
  /// - Parameter origin: the file, for messages.
  package init(json bytes: [UInt8], origin: String) throws(SignatureError) {
    guard bytes.count <= Envelope.sizeLimit else {
      throw .malformed(
        origin: origin,
        fault: "has \(bytes.count) bytes, an envelope has at most \(Envelope.sizeLimit)")
    }
    do throws(JSONError) {
      let object = try JSONParser.parseObject(bytes, origin: origin)
      let signatures = try object.array("signatures")
      guard (1...Envelope.signatureLimit) ~= signatures.count else {
        throw object.error(
          "\(signatures.count) signatures, expected 1...\(Envelope.signatureLimit)",
          at: try object.required("signatures").position)
      }
      self.init(
        origin: origin, payloadType: try object.string("payloadType"),
        payload: try Envelope.bytes("payload", of: object),
        signatures: try signatures.map { node throws(JSONError) in
          guard let signature = node.object else {
            throw object.mismatch("signatures", expected: "objects", node)
          }
          return try Envelope.signature(signature)
        })
    } catch {
      throw .badJSON(error)
    }
  }

  private static func signature(_ object: JSONObject) throws(JSONError) -> Signature {
    let keyID = object.has("keyid") ? try object.string("keyid") : ""
    return Signature(keyID: keyID, bytes: try bytes("sig", of: object))
  }

  private static func bytes(_ key: String, of object: JSONObject) throws(JSONError) -> [UInt8] {
    let text = Array(try object.string(key).utf8)
    guard let bytes = Base64.decode(text) ?? Base64.decode(text, .urlAlphabet) else {
      throw object.error("'\(key)' is no base64", at: try object.required(key).position)
    }
    return bytes
  }
}
