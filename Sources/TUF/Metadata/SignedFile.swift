package import StrictJSON

/// What every file of metadata has: what it says, and who signed that.
package struct SignedFile: Sendable {
  /// As it came.
  package let bytes: [UInt8]
  /// What is signed.
  package let signed: JSONObject
  private let message: [UInt8]
  /// By the names of keys.
  private let signatures: [String: String]

  /// Values in the largest file of metadata.
  private static let limits = JSONParser.Limits(depth: 32, values: 1_000_000)

  /// Reads a file, without judging its signatures.
  ///
  /// - Parameter origin: its name, for messages.
  package init(_ bytes: [UInt8], origin: String) throws(MetadataError) {
    self.bytes = bytes
    (signed, message, signatures) = try readingMetadata { () throws(JSONError) in
      let object = try JSONParser.parseObject(bytes, origin: origin, limits: SignedFile.limits)
      let node = try object.required("signed")
      return (
        try object.object("signed"), try CanonicalForm.bytes(of: node, origin: origin),
        try SignedFile.signatures(object)
      )
    }
  }

  private static func signatures(_ object: JSONObject) throws(JSONError) -> [String: String] {
    var signatures: [String: String] = [:]
    for node in try object.array("signatures") {
      guard let entry = node.object else {
        throw object.error("a signature is \(node.kind), expected an object", at: node.position)
      }
      let id = try entry.string("keyid")
      guard signatures.updateValue(try entry.string("sig"), forKey: id) == nil else {
        throw entry.error("is a second signature of the key \(quoted(id))", at: node.position)
      }
    }
    return signatures
  }

  /// Checks that enough of a role's keys signed it; one key under two names counts once.
  ///
  /// - Throws: `MetadataError.unsigned`.
  package func check(_ role: Role, _ keys: KeyRing) throws(MetadataError) {
    var holding: Set<String> = []
    for id in role.keyIDs {
      guard let key = keys[id], let signature = signatures[id],
        key.holds(signature, of: message)
      else { continue }
      holding.insert(key.identity)
    }
    guard holding.count >= role.threshold else {
      throw .unsigned(file: signed.origin, found: holding.count, needed: role.threshold)
    }
  }
}

/// What all metadata says of itself.
package struct MetadataHead: Equatable, Sendable {
  /// Its name, for messages.
  package let file: String
  package let version: Int
  package let expires: UpdateTime
  /// The app that it is for; nil where it does not say.
  package let appID: String?

  /// The key of the app that a repository is for.
  static let appKey = "x-app-id"
  /// What this project writes.
  static let specification = "1.0.31"
  /// The greatest version: every reader of JSON holds it, and it has a next one.
  static let lastVersion = (1 << 53) - 1

  init(_ object: JSONObject, type: String) throws(JSONError) {
    let found = try object.string("_type")
    guard found == type else {
      throw object.error(
        "is metadata of the type \(quoted(found)), expected '\(type)'", at: object.position)
    }
    let specification = try object.string("spec_version")
    let parts = specification.split(separator: ".", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), parts.allSatisfy({ Int($0).map { $0 >= 0 } ?? false }),
      parts[0] == "1"
    else {
      throw object.error(
        "is of version \(quoted(specification)) of the specification, known is 1",
        at: object.position)
    }
    let text = try object.string("expires")
    guard let expires = UpdateTime(text) else {
      throw object.error(
        "expires at \(quoted(text)), expected a moment like 2026-11-21T00:00:00Z",
        at: object.position)
    }
    file = object.origin
    version = try object.plainInteger("version", in: 1...MetadataHead.lastVersion)
    self.expires = expires
    appID = object.has(MetadataHead.appKey) ? try object.string(MetadataHead.appKey) : nil
  }

  /// - Throws: `MetadataError.expired`.
  func checkTime(_ now: UpdateTime) throws(MetadataError) {
    guard now < expires else { throw .expired(file: file, expires: expires, now: now) }
  }

  /// - Throws: `MetadataError.version`.
  func checkVersion(_ expected: Int) throws(MetadataError) {
    guard version == expected else {
      throw .version(file: file, found: version, expected: expected)
    }
  }
}
