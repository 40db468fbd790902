import PackageNames
import Packaging
import StrictJSON
import Weights

/// One line of an index, for writing and reading.
enum IndexLine {
  private static let keys = [
    "app", "version", "path", "sha256", "bytes", "inputs", "terms", "models", "signer",
    "vouchers", "previous",
  ]

  /// - Parameter previous: digest of the line before; of nothing for the first.
  static func json(_ entry: ReleaseIndex.Entry, after previous: ContentDigest) -> JSONValue {
    var members: [String: JSONValue] = [
      "app": .string(entry.app), "version": .string(entry.version.description),
      "path": .string(entry.path), "sha256": .string(entry.sha256.hex),
      "bytes": .integer(entry.byteCount), "inputs": .string(entry.inputs.hex),
      "terms": .string(entry.terms.hex),
      "models": .object(entry.models.mapValues { .string($0.hex) }),
      "previous": .string(previous.hex),
    ]
    if let signer = entry.signer {
      members["signer"] = .string(signer)
      members["vouchers"] = .object(entry.attestations.mapValues { .string($0.hex) })
    }
    return .object(members)
  }

  static func read(
    _ object: JSONObject
  ) throws(JSONError) -> (entry: ReleaseIndex.Entry, previous: ContentDigest) {
    try object.allowOnly(keys)
    let text = try object.string("version")
    guard let version = SemanticVersion(text) else {
      throw object.error("'version' is '\(text.prefix(60))', which is none", at: object.position)
    }
    let (app, path) = (try object.string("app"), try object.string("path"))
    guard Identifiers.isAppID(app),
      ArchiveForm.allCases.contains(where: { path == "\(app)/\(app)-\(version)\($0.suffix)" })
    else {
      throw object.error(
        "'path' is '\(path.prefix(120).asciiEscaped)', which is not that of app and version",
        at: object.position)
    }
    let entry = ReleaseIndex.Entry(
      app: app, version: version, path: path,
      sha256: try digest("sha256", of: object), byteCount: try object.integer("bytes"),
      inputs: try digest("inputs", of: object), terms: try digest("terms", of: object),
      models: try digests("models", of: object),
      signer: object.has("signer") ? try object.string("signer") : nil,
      attestations: object.has("vouchers") ? try digests("vouchers", of: object) : [:])
    return (entry, try digest("previous", of: object))
  }

  private static func digests(
    _ key: String, of parent: JSONObject
  ) throws(JSONError) -> [String: ContentDigest] {
    let object = try parent.object(key)
    var digests: [String: ContentDigest] = [:]
    for member in object.members { digests[member.key] = try digest(member.key, of: object) }
    return digests
  }

  private static func digest(
    _ key: String, of object: JSONObject
  ) throws(JSONError) -> ContentDigest {
    guard let digest = ContentDigest(hex: try object.string(key)) else {
      throw object.error(
        "'\(key)' is not 64 lower-case hexadecimal digits", at: object.position)
    }
    return digest
  }
}
