import StrictJSON

/// Which versions of all metadata of targets belong together.
package struct Snapshot: Sendable {
  package let head: MetadataHead
  /// By the name of the file without its version: `targets.json`.
  package let files: [String: ListedFile]

  package init(_ file: SignedFile) throws(MetadataError) {
    self = try readingMetadata { () throws(JSONError) in try Snapshot(file.signed) }
  }

  private init(_ object: JSONObject) throws(JSONError) {
    head = try MetadataHead(object, type: "snapshot")
    let list = try object.object("meta")
    var files: [String: ListedFile] = [:]
    for (name, _) in list.members { files[name] = try ListedFile(try list.object(name)) }
    self.files = files
  }

  /// Checks that this one takes nothing back that an earlier one said.
  ///
  /// - Throws: `MetadataError.removed`, `.rollback`.
  func checkFollows(_ earlier: Snapshot) throws(MetadataError) {
    for (name, file) in earlier.files.sorted(by: { $0.key < $1.key }) {
      guard let now = files[name] else { throw .removed(file: name, from: head.file) }
      guard now.version >= file.version else {
        throw .rollback(file: name, found: now.version, trusted: file.version)
      }
    }
  }
}
