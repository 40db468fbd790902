import Formats
import Gate
import Graph
import IngotFeatures
import PackageNames
package import StrictJSON
import Weights

extension Manifest {
  /// The manifest's bytes; always the same for the same manifest.
  package var bytes: [UInt8] { CanonicalJSON.bytes(of: json) }

  /// The manifest as JSON; see `specs/schemas/manifest.schema.json`.
  package var json: JSONValue {
    var object: [String: JSONValue] = [
      "schema": .integer(Manifest.schemaVersion),
      "app": app.json,
      "package": [
        "name": .string(name), "version": .string(version.description),
        "createdAt": .string(build.time.description),
      ],
      "compatibility": compatibility.json,
      "models": .array(models.map(\.json)),
      "files": .array(files.map(\.json)),
      "totals": ["files": .integer(files.count), "installedBytes": .integer(installedBytes)],
      "build": build.json,
    ]
    if !licenses.isEmpty { object["licenses"] = .array(licenses.map { ["spdx": .string($0)] }) }
    return .object(object)
  }
}

extension AppDetails {
  /// The members of a manifest's `app`.
  package var json: JSONValue {
    ["appId": .string(id), "bundleIdentifiers": .strings(bundleIdentifiers)]
  }
}

extension SDKRange {
  /// The members of a manifest's `compatibility`.
  package var json: JSONValue {
    var object: [String: JSONValue] = ["minSDK": .string(minimum.description)]
    if let below { object["belowSDK"] = .string(below.description) }
    return .object(object)
  }
}

extension ModelEntry {
  var json: JSONValue {
    var object: [String: JSONValue] = [
      "path": .string(path.string), "format": .string(format.name),
      "architecture": .string(architecture),
      "inputs": .array(inputs.map(\.json)), "outputs": .array(outputs.map(\.json)),
      "compression": [
        "method": .string(compression.method),
        "options": .object(compression.options.mapValues(JSONValue.string)),
        "originalBytes": .integer(compression.originalBytes),
        "bytes": .integer(compression.bytes),
      ],
      "gate": gate.json,
    ]
    if let prompt { object["prompt"] = .string(prompt) }
    if let cacheKey { object["cacheKey"] = .string(cacheKey.hex) }
    if let inputConfiguration {
      object["inputConfiguration"] = .string(inputConfiguration.string)
    }
    if let selfTest { object["selfTest"] = .string(selfTest.string) }
    if let threshold { object["decision"] = ["threshold": .string(threshold)] }
    if let encoder = identity.encoder { object["encoder"] = .string(encoder.rawValue) }
    switch identity {
    case .shared(let name, _): object["name"] = .string(name)
    case .flow(let id, let name, let modelVersion, _):
      object["flowId"] = .integer(id)
      object["flowName"] = .string(name)
      object["modelVersion"] = .integer(modelVersion)
    }
    return .object(object)
  }
}

extension TensorDescription {
  var json: JSONValue {
    var object: [String: JSONValue] = [
      "name": .string(name), "dtype": .string(dtype),
      "shape": .array(shape.map(JSONValue.integer)),
    ]
    if !features.isEmpty { object["features"] = .strings(features) }
    if let schema { object["featureSchema"] = schema.jsonValue }
    switch labels {
    case .texts(let labels) where labels.isEmpty: break
    case .texts(let labels): object["labels"] = .strings(labels)
    case .integers(let labels): object["labels"] = .array(labels.map(JSONValue.integer))
    }
    return .object(object)
  }
}

extension GateFacts {
  var json: JSONValue {
    var object: [String: JSONValue] = [
      "passed": true, "profile": .string(profile),
      "metrics": .object(metrics.mapValues(JSONValue.string)),
      "baseline": ["sha256": .string(baseline.hex)],
      "references": ["sha256": .string(references.hex)],
      "receipt": .string(receipt.string),
    ]
    if let limits { object["limits"] = .object(limits.texts.mapValues(JSONValue.string)) }
    return .object(object)
  }
}

extension FileEntry {
  var json: JSONValue {
    [
      "path": .string(path.string), "size": .integer(size), "sha256": .string(sha256.hex),
      "role": .string(role.rawValue),
    ]
  }
}

extension BuildFacts {
  var json: JSONValue {
    [
      "tool": .string(BuildFacts.tool), "toolVersion": .string(toolVersion.description),
      "inputs": .array(
        inputs.map { ["name": .string($0.name), "sha256": .string($0.sha256.hex)] }),
      "sourceDateEpoch": .integer(time.seconds),
    ]
  }
}

extension JSONValue {
  static func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }
}
