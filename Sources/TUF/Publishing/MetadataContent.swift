package import Crypto
import Files
package import StrictJSON

/// What is written as a file of metadata.
package struct MetadataContent: Sendable {
  /// What is signed.
  let signed: JSONValue

  private init(
    _ type: String, version: Int, expires: UpdateTime, appID: String,
    _ members: [String: JSONValue]
  ) {
    let head: [String: JSONValue] = [
      "_type": .string(type), "spec_version": .string(MetadataHead.specification),
      "version": .integer(version), "expires": .string("\(expires)"),
      MetadataHead.appKey: .string(appID),
    ]
    signed = .object(head.merging(members) { _, member in member })
  }

  /// A root of files that have their version, and targets that have their digest, in their name.
  package static func root(
    version: Int, expires: UpdateTime, appID: String, keys: [MetadataKey],
    root: Role, timestamp: Role, snapshot: Role, targets: Role
  ) -> MetadataContent {
    MetadataContent(
      "root", version: version, expires: expires, appID: appID,
      [
        "consistent_snapshot": true, "keys": KeyRing(keys).json,
        "roles": [
          "root": root.json, "timestamp": timestamp.json, "snapshot": snapshot.json,
          "targets": targets.json,
        ],
      ])
  }

  package static func timestamp(
    version: Int, expires: UpdateTime, appID: String, snapshot: ListedFile
  ) -> MetadataContent {
    MetadataContent(
      "timestamp", version: version, expires: expires, appID: appID,
      ["meta": ["snapshot.json": snapshot.json]])
  }

  package static func snapshot(
    version: Int, expires: UpdateTime, appID: String, targets: ListedFile
  ) -> MetadataContent {
    MetadataContent(
      "snapshot", version: version, expires: expires, appID: appID,
      ["meta": ["targets.json": targets.json]])
  }

  /// - Parameter targets: by their path: the facts, and what the app decides on.
  package static func targets(
    version: Int, expires: UpdateTime, appID: String,
    targets: [String: (facts: FileFacts, custom: JSONValue?)]
  ) -> MetadataContent {
    let list = targets.mapValues { target in
      var json = target.facts.json
      json["custom"] = target.custom
      return JSONValue.object(json)
    }
    return MetadataContent(
      "targets", version: version, expires: expires, appID: appID, ["targets": .object(list)])
  }

  /// The bytes of the file: compact, with sorted keys, so that the same content by the same keys is the same
  /// file.
  ///
  /// - Throws: errors of signers.
  package func signed(by signers: [any MetadataSigner]) throws -> [UInt8] {
    let message = CanonicalJSON.bytes(of: signed)
    // One signature of a key, however often it is given.
    let unique = Dictionary(signers.map { ($0.key.id, $0) }) { first, _ in first }
    let signatures = try unique.sorted { $0.key < $1.key }.map { id, signer in
      (id: id, text: HexText.text(try signer.sign(message)))
    }
    let file: JSONValue = [
      "signatures": .array(
        signatures.map { ["keyid": .string($0.id), "sig": .string($0.text)] }),
      "signed": signed,
    ]
    return CanonicalJSON.bytes(of: file)
  }
}

/// Something that signs metadata with one key.
package protocol MetadataSigner: Sendable {
  var key: MetadataKey { get }
  /// The signature of some bytes, as `MetadataKey.holds` reads it.
  func sign(_ bytes: [UInt8]) throws -> [UInt8]
}

/// A private key of Ed25519.
package struct Ed25519Signer: MetadataSigner {
  package let key: MetadataKey
  private let privateKey: Curve25519.Signing.PrivateKey

  package init(_ privateKey: Curve25519.Signing.PrivateKey) {
    self.privateKey = privateKey
    key = MetadataKey(privateKey.publicKey)
  }

  package func sign(_ bytes: [UInt8]) throws -> [UInt8] {
    [UInt8](try privateKey.signature(for: bytes))
  }
}
