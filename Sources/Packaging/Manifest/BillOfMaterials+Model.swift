import Formats
import Gate
import Graph
import StrictJSON
import Weights

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
