package import Deltas
package import StrictJSON

/// A manifest of files as layers, each as it is: not compressed, and not in an archive, so that registries keep a
/// file once that many manifests have.
///
/// Source: `manifest.md` of the OCI image specification; ModelPack, `spec.md` and `config.md`, for media types,
/// annotations and the configuration.
package struct ImageManifest: Sendable {
  /// A file of a package.
  package struct Layer: Sendable {
    /// What a file is to a model.
    package enum Kind: String, Sendable {
      case weight, doc
      case weightConfig = "weight.config"
    }

    let path: String
    let identity: FileIdentity
    let kind: Kind

    package init(path: String, identity: FileIdentity, kind: Kind) {
      (self.path, self.identity, self.kind) = (path, identity, kind)
    }

    /// The same for the same file, whenever and by whomever it is written.
    private var facts: JSONValue {
      [
        "name": .string(path), "size": .integer(identity.length), "mode": 0o644, "uid": 0, "gid": 0,
        "mtime": "1970-01-01T00:00:00Z", "typeflag": 0x30,
      ]
    }

    fileprivate var json: JSONValue {
      var layer = ImageManifest.descriptor(
        identity, "application/vnd.cncf.model.\(kind.rawValue).v1.raw")
      layer["annotations"] = [
        "org.cncf.model.filepath": .string(path),
        "org.cncf.model.file.metadata+json": .string(facts.compact),
      ]
      return .object(layer)
    }
  }

  static let mediaType = "application/vnd.oci.image.manifest.v1+json"
  private static let configType = "application/vnd.cncf.model.config.v1+json"
  let artifactType = "application/vnd.cncf.model.manifest.v1+json"

  /// In the order of their paths.
  let layers: [Layer]
  /// The bytes of its configuration.
  let config: [UInt8]
  let bytes: [UInt8]

  /// - Parameters:
  ///   - descriptor: what the configuration says of the whole.
  ///   - config: what it says of the models.
  package init(
    _ layers: [Layer], descriptor: [String: JSONValue], config: [String: JSONValue],
    annotations: [String: JSONValue]
  ) {
    let sorted = layers.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    self.layers = sorted
    self.config = CanonicalJSON.bytes(of: [
      "descriptor": .object(descriptor), "config": .object(config),
      "modelfs": [
        "type": "layers", "diffIds": .array(sorted.map { .string("sha256:\($0.identity.hex)") }),
      ],
    ])
    bytes = CanonicalJSON.bytes(of: [
      "schemaVersion": 2, "mediaType": .string(Self.mediaType),
      "artifactType": .string(artifactType),
      "config": .object(Self.descriptor(FileIdentity(of: self.config), Self.configType)),
      "layers": .array(sorted.map(\.json)), "annotations": .object(annotations),
    ])
  }

  /// What names a blob.
  static func descriptor(_ blob: FileIdentity, _ mediaType: String) -> [String: JSONValue] {
    [
      "mediaType": .string(mediaType), "digest": .string("sha256:\(blob.hex)"),
      "size": .integer(blob.length),
    ]
  }
}
