package import StrictJSON

/// The files that a role vouches for, and the roles it hands some of them on to.
package struct Targets: Sendable {
  package let head: MetadataHead
  /// By their path.
  package let targets: [String: Target]
  /// Nil where it hands nothing on.
  package let delegations: Delegations?

  package init(_ file: SignedFile) throws(MetadataError) {
    self = try readingMetadata { () throws(JSONError) in try Targets(file.signed) }
  }

  private init(_ object: JSONObject) throws(JSONError) {
    head = try MetadataHead(object, type: "targets")
    let list = try object.object("targets")
    var targets: [String: Target] = [:]
    for (path, _) in list.members { targets[path] = try Target(path, try list.object(path)) }
    self.targets = targets
    delegations =
      object.has("delegations") ? try Delegations(try object.object("delegations")) : nil
  }
}

/// A file that clients download.
package struct Target: Sendable {
  package let path: String
  package let facts: FileFacts
  /// What the app decides on; nil where it has nothing.
  package let custom: JSONObject?

  init(_ path: String, _ object: JSONObject) throws(JSONError) {
    self.path = path
    _ = try object.integer("length", in: 0...Int.max)
    _ = try object.object("hashes")
    facts = try FileFacts(object)
    custom = object.has("custom") ? try object.object("custom") : nil
  }

  /// The first digest's name of the file where names have digests: `folder/DIGEST.name`.
  func fileName(isConsistent: Bool) -> String {
    guard isConsistent, let digest = facts.sha256 ?? facts.hashes.values.sorted().first else {
      return path
    }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let folder = parts.dropLast().map { "\($0)/" }.joined()
    return "\(folder)\(digest).\(parts.last ?? "")"
  }
}
