import Deltas
import Formats
import Packaging
import StrictJSON
import Weights

extension ImageManifest {
  /// The manifest of a package: all of its files, and what they are.
  init(_ package: Manifest) {
    var layers = [
      Layer(
        path: Manifest.entryName, identity: FileIdentity(of: package.bytes), kind: .doc)
    ]
    for file in package.files {
      guard let identity = FileIdentity(length: file.size, hex: file.sha256.hex) else { continue }
      layers.append(Layer(path: file.path.string, identity: identity, kind: Self.kind(of: file)))
    }
    var descriptor: [String: JSONValue] = [
      "name": .string(package.name), "version": .string("\(package.version)"),
      "createdAt": .string("\(package.build.time)"),
    ]
    if !package.licenses.isEmpty {
      descriptor["licenses"] = .array(package.licenses.map { .string($0) })
    }
    self.init(
      layers, descriptor: descriptor, config: Self.config(of: package.models),
      annotations: [
        "org.opencontainers.image.title": .string(package.name),
        "org.opencontainers.image.version": .string("\(package.version)"),
        "org.opencontainers.image.created": .string("\(package.build.time)"),
      ])
  }

  /// The tag of a package: a tag of its own for each version of each app.
  static func tag(of package: Manifest) -> String { "\(package.app.id)-\(package.version)" }

  private static func kind(of file: FileEntry) -> Layer.Kind {
    switch file.role {
    case .model: file.path.string.hasSuffix(".json") ? .weightConfig : .weight
    case .tokenizer, .preprocessing: .weightConfig
    case .receipt, .selftest, .sbom: .doc
    }
  }

  /// What holds for all models; one word cannot say what differs.
  private static func config(of models: [ModelEntry]) -> [String: JSONValue] {
    func common(_ word: (ModelEntry) -> String) -> JSONValue? {
      let words = Set(models.map(word))
      return words.count == 1 ? words.first.map { .string($0) } : nil
    }
    let words = [
      "architecture": common { $0.architecture }, "format": common { "\($0.format)" },
      "quantization": common { $0.compression.method },
    ]
    return words.compactMapValues { $0 }
  }
}
