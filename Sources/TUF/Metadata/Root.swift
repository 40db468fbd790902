import StrictJSON

/// The first metadata of a repository: which keys may sign what.
package struct Root: Sendable {
  package let head: MetadataHead
  package let keys: KeyRing
  /// Whether files have their version, and targets their digest, in their name.
  package let isConsistent: Bool
  package let root: Role
  package let timestamp: Role
  package let snapshot: Role
  package let targets: Role

  package init(_ file: SignedFile) throws(MetadataError) {
    self = try readingMetadata { () throws(JSONError) in try Root(file.signed) }
  }

  private init(_ object: JSONObject) throws(JSONError) {
    head = try MetadataHead(object, type: "root")
    keys = try KeyRing(try object.object("keys"))
    isConsistent =
      object.has("consistent_snapshot") ? try object.bool("consistent_snapshot") : true
    let roles = try object.object("roles")
    root = try Role(try roles.object("root"))
    timestamp = try Role(try roles.object("timestamp"))
    snapshot = try Role(try roles.object("snapshot"))
    targets = try Role(try roles.object("targets"))
  }
}
