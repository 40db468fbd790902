import Graph
import Gate
package import StrictJSON
package import Weights

/// An archive that is what it claims to be; only `PackageVerifier` makes one.
package struct VerifiedPackage: Sendable {
  package let path: String
  package let manifest: Manifest
  /// SHA-256 of the archive.
  package let sha256: ContentDigest
  /// SHA-256 of the tar stream inside, which does not depend on the version of libzstd; nil for a
  /// zip archive, which does not depend on a library at all.
  package let tarSHA256: ContentDigest?
  /// Size of the archive.
  package let byteCount: Int
  /// SHA-256 of the content of every file but the manifest, as it was read.
  package let contents: [PackagePath: ContentDigest]
  /// How each model was read, according to its receipt, by the receipt's path.
  package let readings: [PackagePath: ReadingFacts]

  init(
    path: String, manifest: Manifest, sha256: ContentDigest, tarSHA256: ContentDigest?,
    byteCount: Int, contents: [PackagePath: ContentDigest],
    readings: [PackagePath: ReadingFacts]
  ) {
    self.path = path
    self.manifest = manifest
    self.sha256 = sha256
    self.tarSHA256 = tarSHA256
    self.byteCount = byteCount
    self.contents = contents
    self.readings = readings
  }

  /// A few lines for people.
  ///
  /// - Parameter isAuthenticated: whether it is known who signed it; otherwise what it says of itself
  ///   is a claim.
  package func summary(isAuthenticated: Bool) -> String {
    var text = "\(path): sound\n"
    text += "  \(manifest.name) \(manifest.version) for app \(manifest.app.id)\n"
    text += "  sha256 \(sha256), \(byteCount) bytes\n"
    for model in manifest.models {
      text += "  model '\(model.identity.name)'\(model.identity.words), "
      text += "\(model.compression.method), \(model.compression.bytes) bytes, "
      if !isAuthenticated { text += "claims to have " }
      text += limitLines(of: model).joined(separator: "\n    ") + "\n"
      for line in readings[model.gate.receipt]?.lines ?? [] { text += "    \(line)\n" }
    }
    return text
  }

  /// The report of `ingot verify --json`.
  package var json: JSONValue {
    var members: [String: JSONValue] = [
      "verdict": "sound", "path": .string(path), "sha256": .string(sha256.hex),
      "bytes": .integer(byteCount), "manifest": manifest.json,
      "sourceChecks": .object(sourceChecks), "limits": limitsJSON,
      "warnings": .object(warnings), "coverage": .object(coverage),
    ]
    if let tarSHA256 { members["tarSha256"] = .string(tarSHA256.hex) }
    return .object(members)
  }
}

extension VerifiedPackage {
  /// The gate's warnings when it passed each model, by the model's title.
  private var warnings: [String: JSONValue] {
    manifest.models.reduce(into: [:]) { all, model in
      let warnings = readings[model.gate.receipt]?.warnings ?? []
      all[model.identity.title] = .array(warnings.map(JSONValue.string))
    }
  }

  /// How much the references reach of each model, by its title; null if this was not checked.
  private var coverage: [String: JSONValue] {
    manifest.models.reduce(into: [:]) { all, model in
      all[model.identity.title] = readings[model.gate.receipt]?.coverage?.json ?? .null
    }
  }

  /// The source check of each model, by its title; null if there was none.
  private var sourceChecks: [String: JSONValue] {
    manifest.models.reduce(into: [:]) { all, model in
      all[model.identity.title] =
        readings[model.gate.receipt]?.source.map { .string($0.words) } ?? .null
    }
  }
}

extension ModelIdentity {
  private var part: String { encoder.map { ", \($0.rawValue) encoder" } ?? "" }

  /// Names a flow's model or an encoder, for people.
  fileprivate var words: String {
    switch self {
    case .shared: part
    case .flow(let id, _, let modelVersion, _): " version \(modelVersion), flow \(id)\(part)"
    }
  }
}
