import Deltas
import StrictJSON
import Files

/// The manifests of an image layout, by their tags.
final class ImageIndex: Sendable {
  /// A manifest that the index names.
  struct Entry: Equatable, Sendable {
    let manifest: FileIdentity
    let artifactType: String

    init(_ manifest: FileIdentity, artifactType: String) {
      (self.manifest, self.artifactType) = (manifest, artifactType)
    }
  }

  private let entries: Mutex<[String: Entry]>
  /// The bytes that were read.
  private let before: [UInt8]?

  private static let mediaType = "application/vnd.oci.image.index.v1+json"
  private static let tagKey = "org.opencontainers.image.ref.name"

  /// - Parameter bytes: of an index; nil where there is none yet.
  /// - Throws: `ImageLayoutError.otherIndex` for one that Ingot would not have written in these very bytes: what
  ///   somebody added to it would be lost.
  init(_ bytes: [UInt8]?, origin: String) throws {
    before = bytes
    guard let bytes else {
      entries = Mutex([:])
      return
    }
    guard let read = try? Self.entries(bytes, origin: origin), Self.bytes(of: read) == bytes else {
      throw ImageLayoutError.otherIndex(origin)
    }
    entries = Mutex(read)
  }

  /// - Returns: false where the tag names another manifest.
  func add(_ entry: Entry, tag: String) -> Bool {
    entries.withLock { entries in
      if let known = entries[tag] { return known == entry }
      entries[tag] = entry
      return true
    }
  }

  /// The bytes of the index, in the order of the tags; nil where they are those that were read.
  var changedBytes: [UInt8]? {
    let bytes = entries.withLock { Self.bytes(of: $0) }
    return bytes == before ? nil : bytes
  }

  private static func entries(_ bytes: [UInt8], origin: String) throws -> [String: Entry] {
    let object = try JSONParser.parseObject(bytes, origin: origin)
    var entries: [String: Entry] = [:]
    for node in try object.array("manifests") {
      guard let descriptor = node.object else { continue }
      let digest = try descriptor.string("digest")
      guard digest.hasPrefix("sha256:"),
        let manifest = FileIdentity(
          length: try descriptor.plainInteger("size"), hex: String(digest.dropFirst(7)))
      else { continue }
      entries[try descriptor.object("annotations").string(tagKey)] = Entry(
        manifest, artifactType: try descriptor.string("artifactType"))
    }
    return entries
  }

  private static func bytes(of entries: [String: Entry]) -> [UInt8] {
    let sorted = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    let manifests = sorted.map { tag, entry in
      var descriptor = ImageManifest.descriptor(entry.manifest, ImageManifest.mediaType)
      descriptor["artifactType"] = .string(entry.artifactType)
      descriptor["annotations"] = .object([tagKey: .string(tag)])
      return JSONValue.object(descriptor)
    }
    return CanonicalJSON.bytes(of: [
      "schemaVersion": 2, "mediaType": .string(mediaType), "manifests": .array(manifests),
    ])
  }
}
