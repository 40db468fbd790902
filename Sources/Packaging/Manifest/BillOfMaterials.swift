import Formats
import Gate
import Graph
import PackageNames
import StrictJSON
import Weights

/// The bill of materials of a package, `sbom.cdx.json`: an ML-BOM by CycloneDX 1.6.
///
/// It says nothing that the manifest does not say and follows only from it, so that a manifest
/// allows but one; its own entry in the manifest does not count. `specs/formats/provenance.md`
/// lists the fields.
package struct BillOfMaterials {
  /// Its path in a package.
  package static let entryName = "sbom.cdx.json"
  /// The package's reference inside.
  private static let packageReference = "package"

  private let manifest: Manifest

  init(_ manifest: Manifest) { self.manifest = manifest }

  /// The bytes of the entry; always the same for the same manifest.
  var bytes: [UInt8] {
    // The serial number follows from all other members, and is among them in the order of keys.
    let before = CanonicalJSON.bytes(of: .object(members)).dropLast()
    let after = CanonicalJSON.bytes(of: ["specVersion": "1.6", "version": 1]).dropFirst()
    let comma = [UInt8(ascii: ",")]
    let digest = ContentDigest(of: before + comma + after)
    let number = CanonicalJSON.bytes(
      of: ["serialNumber": .string("urn:uuid:" + BillOfMaterials.identifier(from: digest))])
    return before + comma + number.dropFirst().dropLast() + comma + after
  }

  /// Checks that an entry, whose bytes are held to its digest, is the one that must be there.
  func check(_ entry: FileEntry) throws(ArchiveFault) {
    guard entry.role == .sbom, entry.sha256 != ContentDigest(of: bytes) else { return }
    throw .otherBill(path: entry.path.string)
  }

  /// Everything whose key comes before `serialNumber`.
  private var members: [String: JSONValue] {
    let files = FilesOfModels(manifest)
    return [
      "bomFormat": "CycloneDX",
      "metadata": [
        "timestamp": .string(manifest.build.time.description),
        "tools": ["components": .array(tools)], "component": package,
      ],
      "components": .array(manifest.models.map { $0.component(files) } + datasets),
      "dependencies": .array(dependencies),
    ]
  }

  /// The tools that made the package.
  private var tools: [JSONValue] {
    [
      .component("application", BuildFacts.tool) {
        $0["version"] = .string(manifest.build.toolVersion.description)
      }
    ]
  }

  private var package: JSONValue {
    var range = [("minimum", manifest.compatibility.minimum.description)]
    if let below = manifest.compatibility.below { range.append(("below", below.description)) }
    let properties =
      [("ingot:app:id", manifest.app.id)]
      + manifest.app.bundleIdentifiers.map { ("ingot:app:bundleIdentifier", $0) }
      + range.map { ("ingot:sdk:\($0.0)", $0.1) }
    return .component("data", manifest.name) {
      $0["bom-ref"] = .string(BillOfMaterials.packageReference)
      $0["version"] = .string(manifest.version.description)
      $0["properties"] = .properties(properties)
      if !manifest.licenses.isEmpty {
        $0["licenses"] = .array(manifest.licenses.map { ["license": ["id": .string($0)]] })
      }
    }
  }

  /// Each reference set once, however many models were judged on it.
  private var datasets: [JSONValue] {
    let digests = Set(manifest.models.map(\.gate.references.hex)).sorted()
    return digests.map { digest in
      .component("data", "reference set") {
        $0["bom-ref"] = .string("references:\(digest)")
        $0["hashes"] = .hashes(digest)
        $0["data"] = [["type": "dataset", "name": "reference set"]]
      }
    }
  }

  private var dependencies: [JSONValue] {
    let models = manifest.models.map(\.reference)
    return [
      ["ref": .string(BillOfMaterials.packageReference), "dependsOn": .strings(models)]
    ] + models.map { ["ref": .string($0)] }
  }

  /// A UUID of version 8 (RFC 9562) whose free bits are the first ones of a digest.
  private static func identifier(from digest: ContentDigest) -> String {
    var digits = Array(digest.hex.prefix(32))
    digits[12] = "8"
    let variant = (digits[16].hexDigitValue ?? 0) & 3 | 8
    digits[16] = Character(String(variant, radix: 16))
    for index in [20, 16, 12, 8] { digits.insert("-", at: index) }
    return String(digits)
  }
}

extension JSONValue {
  /// A component of CycloneDX.
  static func component(
    _ type: String, _ name: String, _ more: (inout [String: JSONValue]) -> Void
  ) -> JSONValue {
    var members: [String: JSONValue] = ["type": .string(type), "name": .string(name)]
    more(&members)
    return .object(members)
  }

  static func hashes(_ digest: String) -> JSONValue {
    [["alg": "SHA-256", "content": .string(digest)]]
  }

  static func properties(_ pairs: [(name: String, value: String)]) -> JSONValue {
    .array(pairs.map { ["name": .string($0.name), "value": .string($0.value)] })
  }
}

extension ModelEntry {
  /// The model's reference in the bill of materials.
  var reference: String { "model:\(identity.title)" }

  /// The model as a component of the bill of materials.
  ///
  /// - Parameters:
  ///   - hash: of a single file's bytes.
  ///   - parts: the other files that belong to the model.
  func component(hash: ContentDigest?, parts: [FileEntry]) -> JSONValue {
    .component("machine-learning-model", identity.title) {
      $0["bom-ref"] = .string(reference)
      $0["description"] = .string("\(compression.method), as \(format.name)")
      $0["modelCard"] = modelCard
      $0["pedigree"] = ["ancestors": [baseline]]
      $0["properties"] = .properties(properties)
      $0["components"] = .array(parts.map(\.component))
      if let hash { $0["hashes"] = .hashes(hash.hex) }
      if case .flow(_, _, let modelVersion, _) = identity {
        $0["version"] = .string(String(modelVersion))
      }
    }
  }

  /// The model as trained, before compression.
  private var baseline: JSONValue {
    .component("machine-learning-model", "\(identity.title) as trained") {
      $0["hashes"] = .hashes(gate.baseline.hex)
    }
  }

  private var modelCard: JSONValue {
    let metrics = gate.metrics.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return [
      "modelParameters": [
        "task": .string(task), "architectureFamily": .string(architecture),
        "inputs": .array(inputs.map(\.parameter)), "outputs": .array(outputs.map(\.parameter)),
        "datasets": [["ref": .string("references:\(gate.references)")]],
      ],
      "quantitativeAnalysis": [
        "performanceMetrics": .array(
          metrics.map { metric in
            [
              "type": .string(metric.key), "value": .string(metric.value),
              "slice": "reference set, compressed against as trained",
            ]
          })
      ],
    ]
  }

  /// The model's task, as far as its outputs tell.
  private var task: String {
    if outputs.contains(where: { $0.labels.count > 0 }) { return "classification" }
    return gate.metrics["cosine.mean"] == nil ? "regression" : "embedding"
  }

  private var properties: [(name: String, value: String)] {
    var pairs = compression.options.map { (name: "ingot:option:\($0.key)", value: $0.value) }
    pairs.append(("ingot:gate:profile", gate.profile))
    for (key, limit) in gate.limits?.texts ?? [:] { pairs.append(("ingot:gate:\(key)", limit)) }
    if let threshold { pairs.append(("ingot:decision:threshold", threshold)) }
    if let encoder = identity.encoder { pairs.append(("ingot:encoder", encoder.rawValue)) }
    if case .flow(let id, _, _, _) = identity { pairs.append(("ingot:flow:id", String(id))) }
    return pairs.sorted { $0.name < $1.name }
  }
}

extension TensorDescription {
  /// Name, type and shape of an input or output in one text: `features float32 [-1, 4]`.
  fileprivate var parameter: JSONValue { ["format": .string("\(name) \(dtype) \(shape)")] }
}

extension FileEntry {
  fileprivate var component: JSONValue {
    .component("file", path.string) { $0["hashes"] = .hashes(sha256.hex) }
  }
}
