package import StrictJSON

/// What the repository's snapshot is now.
package struct Timestamp: Sendable {
  package let head: MetadataHead
  package let snapshot: ListedFile

  package init(_ file: SignedFile) throws(MetadataError) {
    self = try readingMetadata { () throws(JSONError) in try Timestamp(file.signed) }
  }

  private init(_ object: JSONObject) throws(JSONError) {
    head = try MetadataHead(object, type: "timestamp")
    snapshot = try ListedFile(try object.object("meta").object("snapshot.json"))
  }
}

/// A file of metadata in a list of others.
package struct ListedFile: Equatable, Sendable {
  package let version: Int
  package let facts: FileFacts

  package init(version: Int, facts: FileFacts) { (self.version, self.facts) = (version, facts) }

  init(_ object: JSONObject) throws(JSONError) {
    version = try object.plainInteger("version", in: 1...MetadataHead.lastVersion)
    facts = try FileFacts(object)
  }

  package var json: JSONValue {
    .object(facts.json.merging(["version": .integer(version)]) { _, version in version })
  }
}
