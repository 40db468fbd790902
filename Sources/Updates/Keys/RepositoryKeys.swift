package import Crypto
import Files
package import TUF

/// The keys of one customer's repository, derived from masters that all customers share.
///
/// Each customer has keys of its own, the root's included: with shared ones the metadata of one customer's
/// repository would hold for another's. seed = HKDF-SHA256(master, info `tuf|ROLE|APP|GENERATION`).
package struct RepositoryKeys: Sendable {
  /// What keys are derived from: secrets of 32 bytes or more.
  package struct Masters: Sendable {
    /// Kept apart from each other and offline; all of them must sign.
    package let root: [SymmetricKey]
    /// Nil where a machine only refreshes.
    package let targets: SymmetricKey?
    package let online: SymmetricKey

    package init(root: [SymmetricKey], targets: SymmetricKey?, online: SymmetricKey) {
      (self.root, self.targets, self.online) = (root, targets, online)
    }
  }

  /// Empty where they are not at hand.
  package let root: [any MetadataSigner]
  /// Nil where it is not at hand.
  package let targets: (any MetadataSigner)?
  /// Of snapshot and timestamp.
  package let online: any MetadataSigner

  /// The places of keys that were looked for and are not there.
  let missing: [String]

  package init(
    root: [any MetadataSigner], targets: (any MetadataSigner)?, online: any MetadataSigner,
    missing: [String] = []
  ) {
    (self.root, self.targets, self.online) = (root, targets, online)
    self.missing = missing
  }

  /// The keys of a customer.
  ///
  /// - Parameters:
  ///   - generation: another number gives other keys, for a rotation.
  ///   - missing: the places of masters that are not there.
  package init(
    _ masters: Masters, appID: String, generation: Int = 1, missing: [String] = []
  ) throws {
    func derived(_ master: SymmetricKey, _ role: String) throws -> Ed25519Signer {
      try Self.derived(master, role, appID: appID, generation: generation)
    }
    root = try masters.root.map { try derived($0, "root") }
    targets = try masters.targets.map { try derived($0, "targets") }
    online = try derived(masters.online, "online")
    self.missing = missing
  }

  /// The key of a customer for a role.
  static func derived(
    _ master: SymmetricKey, _ role: String, appID: String, generation: Int
  ) throws -> Ed25519Signer {
    let info = Array("tuf|\(role)|\(appID)|\(generation)".utf8)
    let seed = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: master, info: info, outputByteCount: 32)
    let bytes = unsafe seed.withUnsafeBytes { unsafe Array($0) }
    return Ed25519Signer(try Curve25519.Signing.PrivateKey(rawRepresentation: bytes))
  }

  /// Checks that every key is its own: two of one key are one signature, and no client takes such a root.
  ///
  /// - Throws: `PublishError.oneKey`.
  func requireDifferent(appID: String) throws(PublishError) {
    let roots = zip(KeyFolder.rootNames, root).map { (name: $0, key: $1.key) }
    let named = roots + (targets.map { [(name: "targets", key: $0.key)] } ?? [])
    let all = named + [(name: "online", key: online.key)]
    for (place, one) in all.enumerated() {
      let same = all[place...].filter { $0.key == one.key }
      guard same.count == 1 else { throw .oneKey(appID: appID, of: same.map(\.name)) }
    }
  }

  /// Says which key of a role is not at hand.
  ///
  /// - Parameter role: `root` or `targets`.
  func lack(of role: String, appID: String) -> PublishError {
    .noKey(appID: appID, path: missing.first { Folder.name(of: $0).hasPrefix(role) } ?? role)
  }
}
