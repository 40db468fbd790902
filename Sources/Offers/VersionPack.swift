package import PackageNames
package import StrictJSON

/// The files of one version, and from what each can be made: the content of the target `APP/VERSION.pack`.
///
/// It is signed by way of its digest in the metadata, and vouches for what it names in the same way.
package struct VersionPack: Equatable, Sendable {
  /// A file that comes from the repository.
  package struct Blob: Equatable, Sendable {
    package let length: Int
    /// In hexadecimal.
    package let sha256: String

    /// The most that one has: as many files as fit have a sum, too.
    private static let mostBytes = 1 << 40

    package init(length: Int, sha256: String) { (self.length, self.sha256) = (length, sha256) }

    fileprivate init(_ object: JSONObject) throws(JSONError) {
      length = try object.plainInteger("length", in: 0...Blob.mostBytes)
      sha256 = try VersionPack.digest(object, "sha256")
    }

    fileprivate var members: [String: JSONValue] {
      ["length": .integer(length), "sha256": .string(sha256)]
    }
  }

  /// A file of the version.
  package struct File: Equatable, Sendable {
    /// Inside the package.
    package let path: String
    package let content: Blob
    /// The file as a delta of nothing.
    package let whole: Blob
    /// Deltas, by the digest of the file that each is for.
    package let deltas: [String: Blob]

    package init(path: String, content: Blob, whole: Blob, deltas: [String: Blob]) {
      (self.path, self.content) = (path, content)
      (self.whole, self.deltas) = (whole, deltas)
    }

    fileprivate init(_ object: JSONObject) throws(JSONError) {
      path = try object.string("path")
      guard SafePath.isSafe(path) else {
        throw object.error(
          "the path \(quoted(path)) may lead out of the folder of a version", at: object.position)
      }
      content = try Blob(object)
      whole = try Blob(try object.object("whole"))
      var deltas: [String: Blob] = [:]
      for node in try object.array("deltas") {
        guard let entry = node.object else {
          throw object.error("a delta is \(node.kind), expected an object", at: node.position)
        }
        deltas[try VersionPack.digest(entry, "from")] = try Blob(entry)
      }
      self.deltas = deltas
    }

    fileprivate var json: JSONValue {
      var members = content.members
      members["path"] = .string(path)
      members["whole"] = .object(whole.members)
      members["deltas"] = .array(
        deltas.sorted { $0.key < $1.key }.map { old, blob in
          .object(blob.members.merging(["from": .string(old)]) { _, from in from })
        })
      return .object(members)
    }
  }

  package let appID: String
  package let version: SemanticVersion
  /// The SHA-256 of the archive that it was made of, in hexadecimal; nil where there was none.
  package let archive: String?
  /// In the order of their paths.
  package let files: [File]

  /// The number of this form; readers refuse a larger one.
  private static let schema = 1
  /// The most bytes of a pack that a client takes.
  package static let byteLimit = 1 << 20
  /// The most files of a version.
  private static let fileLimit = 2_000

  package init(appID: String, version: SemanticVersion, archive: String? = nil, files: [File]) {
    (self.appID, self.version, self.archive) = (appID, version, archive)
    self.files = files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  /// Reads a pack, whose digest the caller has checked.
  ///
  /// - Parameter origin: its name, for messages.
  package init(_ bytes: [UInt8], origin: String) throws(JSONError) {
    let object = try JSONParser.parseObject(bytes, origin: origin)
    _ = try object.plainInteger("schema", in: 1...VersionPack.schema)
    appID = try object.string("appId")
    let text = try object.string("version")
    guard let version = SemanticVersion(text) else {
      throw object.error("the version \(quoted(text)) is not one", at: object.position)
    }
    self.version = version
    archive = object.has("archive") ? try VersionPack.digest(object, "archive") : nil
    var (files, names): ([File], Set<String>) = ([], [])
    let list = try object.array("files")
    guard list.count <= VersionPack.fileLimit else {
      throw object.error(
        "has \(list.count) files, at most \(VersionPack.fileLimit) fit", at: object.position)
    }
    for node in list {
      guard let entry = node.object else {
        throw object.error("a file is \(node.kind), expected an object", at: node.position)
      }
      let file = try File(entry)
      guard names.insert(file.path.lowercased()).inserted else {
        throw entry.error(
          "\(quoted(file.path)) is listed twice, or differs from another only in case",
          at: entry.position)
      }
      files.append(file)
    }
    self.files = files
  }

  package var bytes: [UInt8] {
    var members: [String: JSONValue] = [
      "schema": .integer(VersionPack.schema), "appId": .string(appID),
      "version": .string("\(version)"), "files": .array(files.map(\.json)),
    ]
    if let archive { members["archive"] = .string(archive) }
    return CanonicalJSON.bytes(of: .object(members))
  }

  /// Every blob that it names, by its path in the repository.
  package var blobs: [(path: String, blob: Blob)] {
    files.flatMap { file in
      [(path: RepositoryPath.whole(file.content.sha256), blob: file.whole)]
        + file.deltas.map { (RepositoryPath.delta(file.content.sha256, from: $0.key), $0.value) }
    }
  }

  /// Bytes of all files.
  package var installedByteCount: Int { files.reduce(0) { $0 + $1.content.length } }

  /// Bytes that a device fetches.
  ///
  /// - Parameter digests: of the files on the device, in hexadecimal.
  package func fetchedByteCount(having digests: Set<String>) -> Int {
    files.reduce(0) { sum, file in
      guard !digests.contains(file.content.sha256) else { return sum }
      let deltas = file.deltas.filter { digests.contains($0.key) }.map(\.value.length)
      return sum + (deltas.min() ?? file.whole.length)
    }
  }

  /// 64 lower-case hexadecimal digits.
  private static func digest(_ object: JSONObject, _ key: String) throws(JSONError) -> String {
    let text = try object.string(key)
    let isDigest =
      text.utf8.count == 64
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    guard isDigest else {
      throw object.error(
        "\(quoted(key)) is \(quoted(text)), expected a SHA-256", at: object.position)
    }
    return text
  }
}
